import type { AuditActor } from '../audit/audit-actor.ts'
import { prepared } from '../db.ts'
import type { StagedFile } from '../platform/files/file-store.ts'
import { happening } from '../tickets/timeline.ts'
import { actWithFiles, type TicketServices } from './add-message.ts'
import { insertReplyTo } from './reply-to-ticket.ts'

/** Somebody who writes in a ticket by e-mail: its client, or another person, who may have no account. */
export interface MailAuthor {
  clientId: number | null
  firstName: string
  lastName: string
}

/**
 * Adds what came by e-mail to the thread of the ticket with this id, as a message of the customer's side, and answers it. `reopens`:
 * the ticket becomes Customer-Reply, as with any reply of a client; else its status stays. Undefined where the ticket has just gone.
 */
export async function addMailedMessage(
  services: TicketServices,
  by: AuditActor,
  author: MailAuthor,
  { ticketId, message, files, reopens }: { ticketId: number; message: string; files: StagedFile[]; reopens: boolean }
) {
  return await actWithFiles(services, by, files, async act => {
    const [ticket] = await lockedStatus(act.db, { id: ticketId })
    if (!ticket) return { attachments: [], reply: undefined }
    const [reply] = await insertReplyTo(act.db, {
      ...author,
      ...happening(by, act.now),
      staffId: null,
      senderType: 'client',
      message,
      fileCount: files.length,
      scanState: services.scanner ? 'pending' : 'clean',
      files: JSON.stringify(files),
      status: reopens ? 'Customer-Reply' : ticket.status,
      id: ticketId
    })
    return { attachments: reply?.attachments ?? [], reply }
  })
}

const lockedStatus = prepared((db, p: { id: number }) =>
  db
    .selectFrom('tickets')
    .where('id', '=', p.id)
    .where('trashed_at', 'is', null)
    .where('merged_into_id', 'is', null)
    .select('status')
    .forNoKeyUpdate()
)
