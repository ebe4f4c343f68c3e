import { sql } from 'kysely'
import { system } from '../../core/actor.ts'
import type { Origin } from '../../core/audit/audit-actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { Mailbox } from '../../platform/mail-reading/addresses.ts'
import type { ReadMail } from '../../platform/mail-reading/read-mail.ts'
import { writeNote } from '../../tickets/threads/write-note.ts'
import { asKnown, authorOf, isOfStaff } from './mail-author.ts'

/** A mail that a member of staff has forwarded to the desk. */
export interface ForwardedMail {
  by: { id: number; firstName: string; lastName: string; email: string }
  /** The mail as its author sent it. */
  read: ReadMail & { from: Mailbox }
  /** The text that the member of staff has written above it, for staff only. */
  note: string
}

const forwardMark = /^\s*(\w{1,5}\s?:\s*)+/

/**
 * The mail that a member of staff forwards, if its author is known. Undefined if the sender is not staff or is a program, or if the author is
 * staff or the desk itself.
 */
export async function forwardedBy(services: Services, read: ReadMail): Promise<ForwardedMail | undefined> {
  const { forwarded } = read
  if (!forwarded || !read.from || read.automatic) return undefined
  const [by] = await activeStaff(services.db, { email: read.from.email })
  if (!by) return undefined
  const author = await authorOf(services, { from: forwarded.from, replyTo: [] })
  const writer = author && (await asKnown(services.db, author))
  if (!writer || (await isOfStaff(services.db, writer.email))) return undefined
  const { text, quoted, html, files, above } = forwarded
  const subject = forwarded.subject || read.subject.replace(forwardMark, '')
  // Files that staff attach beside a forwarded mail are not for its author.
  const beside = files ? read.files.filter(({ type }) => type !== 'message/rfc822').map(({ name }) => name) : []
  const original = { from: writer, replyTo: [], cc: [], to: [], subject, text, quoted, html }
  return {
    by: { id: by.id, firstName: by.first_name, lastName: by.last_name, email: by.email },
    read: { ...read, ...original, files: files ?? read.files, omittedFiles: files ? [] : read.omittedFiles },
    note: [above, ...beside.map(name => `[Only in the e-mail as it came: ${name}]`)]
      .filter(line => line !== '')
      .join('\n')
  }
}

const activeStaff = prepared((db: Db, p: { email: string }) =>
  db
    .selectFrom('staff')
    .where(sql`lower(email)`, '=', sql`lower(${p.email})`)
    .where('is_active', '=', true)
    .select(['id', 'email', 'first_name', 'last_name'])
)

/** Adds the text above a forwarded mail to its ticket, as a note of whoever forwarded it. */
export async function addTextAboveForwarded(
  services: Services,
  { by, note }: ForwardedMail,
  { ticketId, origin }: { ticketId: number; origin: Origin }
): Promise<void> {
  if (note === '') return
  const author = { ...by, population: 'staff' } as const
  await writeNote(services, system, origin, ticketId, { note, author }, [])
}
