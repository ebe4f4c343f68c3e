import type { Db } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { TicketAttachmentRow } from '../../core/tables/attachments.ts'
import { failure } from '../../kit/errors.ts'
import type { Attempt } from '../../platform/jobs/jobs.ts'
import { ScanFailed, type Verdict } from '../../platform/scanner/scanner.ts'
import { type Attachment, attachmentColumns, contentOf } from './attachment-for.ts'

export const FileBeingChecked = failure(
  503,
  'file_being_checked',
  'This file is still being checked. Please try again shortly'
)
export const FileQuarantined = failure(410, 'file_quarantined', 'This file contains malware and was quarantined')

const checkedAfterSeconds = 10

/** Throws unless a file is known to be clean: before that it is only listed with its ticket, not sent. */
export function checkIsClean({ scan_state }: Pick<TicketAttachmentRow, 'scan_state'>): void {
  if (scan_state === 'pending') throw FileBeingChecked({ headers: { 'retry-after': String(checkedAfterSeconds) } })
  if (scan_state === 'infected') throw FileQuarantined()
}

type Checking = Pick<Services, 'db' | 'files' | 'scanner' | 'clock' | 'log'>

/**
 * Scans a file that nobody may download yet, and stores the verdict. Throws if there is none: the file stays pending and is retried. An
 * infected file stays in the store, where only the operator can reach it. If this runs several times, the first verdict counts.
 */
export async function scanAttachment(services: Checking, id: number, attempt: Attempt): Promise<void> {
  const { db, clock, log } = services
  const attachment = await pendingAttachment(db, id)
  if (!attachment) return

  let verdict: Verdict
  try {
    verdict = await verdictOn(services, attachment)
  } catch (error) {
    await note(db, id, { scan_answer: shortened((error as Error).message) })
    if (attempt.isLast)
      log.error({ attachmentId: id, err: error }, 'A file could not be scanned and cannot be downloaded')
    throw error
  }
  const { isClean, answer } = verdict
  const scan_state = isClean ? 'clean' : 'infected'
  await note(db, id, { scan_state, scan_answer: shortened(answer), scanned_at: clock.now() })
  if (!isClean) log.warn({ attachmentId: id, path: attachment.file_path, answer }, 'An infected file is quarantined')
}

async function verdictOn(services: Checking, attachment: Attachment): Promise<Verdict> {
  if (!services.scanner) throw new ScanFailed('There is no scanner configured any more')
  return await services.scanner.scan(await contentOf(services, attachment, undefined))
}

function pendingAttachment(db: Db, id: number): Promise<Attachment | undefined> {
  return db
    .selectFrom('ticket_attachments')
    .where('id', '=', id)
    .where('scan_state', '=', 'pending')
    .select(attachmentColumns)
    .executeTakeFirst()
}

async function note(
  db: Db,
  id: number,
  found: Partial<Pick<TicketAttachmentRow, 'scan_state' | 'scan_answer' | 'scanned_at'>>
): Promise<void> {
  await db
    .updateTable('ticket_attachments')
    .set(found)
    .where('id', '=', id)
    .where('scan_state', '=', 'pending')
    .execute()
}

function shortened(text: string): string {
  return text.slice(0, 300)
}
