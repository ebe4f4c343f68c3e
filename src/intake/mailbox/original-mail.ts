import { sql } from 'kysely'
import type { Actor, Session } from '../../core/actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { failure } from '../../kit/errors.ts'
import { downloadLink } from '../../tickets/attachments/download-links.ts'
import { deskVisibility, preparedForVisible, seesAllTickets } from '../../tickets/ticket/visibility.ts'

/** No such e-mail, no permission to see it, or its original is no longer kept: the response is the same for all three. */
export const OriginalNotFound = failure(
  404,
  'original_not_found',
  'There is no such e-mail, or its raw message was deleted'
)

interface Original {
  id: number
  file_path: string
  size_bytes: number
}

/**
 * The raw message of a mail: for staff who see its ticket, and for those who see all tickets. One that brings a code or a link of the desk back is
 * shown to nobody. Throws `OriginalNotFound`.
 */
export async function originalFor(db: Db, actor: Actor, id: number): Promise<Original> {
  if (actor.population !== 'staff') throw OriginalNotFound()
  const [ofTicket] = await seenOriginal(db, deskVisibility(actor), { id })
  const [original] = ofTicket ? [ofTicket] : seesAllTickets(actor) ? await anyOriginal(db, { id }) : []
  if (!original) throw OriginalNotFound()
  return original
}

/** Where it is downloaded: with a bearer token, or by a link. */
export function originalPath(id: number): string {
  return `/uploads/mails/${id}.eml`
}

/** A link to it that works for some minutes without a bearer token, while its maker may see it. Throws `OriginalNotFound`. */
export async function originalLink(services: Services, session: Session, id: number) {
  await originalFor(services.db, session.actor, id)
  return downloadLink(services, session, originalPath(id))
}

const columns = ['mail.id', 'file.file_path', 'mail.size_bytes'] as const

/** A bounce holds the e-mail that came back, with what that says. */
const isNoSecret = sql<boolean>`not exists (select from mail_log where mail_log.mail_id = mail.id and is_secret)`

/** Includes tickets that were merged into the visible ones. */
const seenOriginal = preparedForVisible((tickets, p: { id: number }) =>
  tickets
    .innerJoin('tickets as part', join =>
      join.on(({ eb, ref }) => eb('tickets.id', 'in', [ref('part.id'), ref('part.merged_into_id')]))
    )
    .innerJoin('inbound_mails as mail', 'mail.ticket_id', 'part.id')
    .innerJoin('ticket_attachments as file', 'file.mail_id', 'mail.id')
    .where('mail.id', '=', p.id)
    .where('mail.state', 'in', ['ticket', 'reply', 'bounce'])
    .where(isNoSecret)
    .select(columns)
    .limit(1)
)

const anyOriginal = prepared((db, p: { id: number }) =>
  db
    .selectFrom('inbound_mails as mail')
    .innerJoin('ticket_attachments as file', 'file.mail_id', 'mail.id')
    .where('mail.id', '=', p.id)
    .where(isNoSecret)
    .select(columns)
)
