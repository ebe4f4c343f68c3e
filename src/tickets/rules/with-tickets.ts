import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'

interface OfTicketOrMail {
  ticket_id: number | null
  mail_id?: number | null
}

/** The same runs or trials, each with the number and the subject of its ticket, or with the subject of its e-mail if that became none. */
export async function withTickets<Of extends OfTicketOrMail>(db: Db, all: readonly Of[]) {
  const ids = [...new Set(all.flatMap(({ ticket_id }) => ticket_id ?? []))]
  const tickets = new Map((await ticketsOf(db, { ids })).map(({ id, ...ticket }) => [id, ticket]))
  const mailIds = all.flatMap(({ ticket_id, mail_id }) => (ticket_id === null ? (mail_id ?? []) : []))
  const mails = new Map((mailIds.length > 0 ? await mailsOf(db, { ids: mailIds }) : []).map(mail => [mail.id, mail]))
  // A ticket that is gone takes its runs along.
  type Named = Of & { ticket_number: string | null; subject: string }
  return all.flatMap((each): Named[] => {
    if (each.ticket_id === null)
      return [{ ...each, ticket_number: null, subject: mails.get(each.mail_id ?? 0)?.subject ?? '' }]
    const ticket = tickets.get(each.ticket_id)
    return ticket ? [{ ...each, ...ticket }] : []
  })
}

const ticketsOf = prepared((db, p: { ids: readonly number[] }) =>
  db
    .selectFrom('tickets')
    .where('id', '=', sql<number>`any(${p.ids}::bigint[])`)
    .select(['id', 'ticket_number', 'subject'])
)

const mailsOf = prepared((db, p: { ids: readonly number[] }) =>
  db.selectFrom('mail_log').where('id', '=', sql<number>`any(${p.ids}::bigint[])`).select(['id', 'subject'])
)
