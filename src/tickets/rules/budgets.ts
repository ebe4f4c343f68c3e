import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import { ticketRecipient } from '../ticket/client-access.ts'

/** R7: how much rules may do by themselves. */
const runsPerTicketAndHour = 20
const emailsPerClientAndDay = 5
const emailsPerHour = 2_000

const hour = 3_600_000

export interface Budgets {
  /** The run may be made. */
  mayRun: boolean
  /** How many e-mails its client may still get today; 0 for an address that answers by itself (R6). */
  clientEmails: number
}

/** What of its budgets a rule has left for one more run on this ticket. */
export async function budgetsOf(
  db: Db,
  { rule, ticket, sendsEmails, now }: { rule: number; ticket: number; sendsEmails: boolean; now: Date }
): Promise<Budgets> {
  const lastHour = new Date(now.getTime() - hour)
  const [runs] = await runsOf(db, { rule, ticket, since: lastHour })
  if (!sendsEmails) return { mayRun: runs!.count < runsPerTicketAndHour, clientEmails: 0 }
  const lastDay = new Date(now.getTime() - 24 * hour)
  const [sent] = await emailsSent(db, { ticket, lastHour, lastDay })
  const [looping] = await answersByItself(db, { ticket })
  return {
    mayRun: runs!.count < runsPerTicketAndHour && sent!.of_desk < emailsPerHour,
    clientEmails: looping ? 0 : Math.max(0, emailsPerClientAndDay - sent!.of_client)
  }
}

/** Runs that changed nothing do not count, nor do those that only watched. */
const runsOf = prepared((db, p: { rule: number; ticket: number; since: Date }) =>
  db
    .selectFrom('rule_runs')
    .where('ticket_id', '=', p.ticket)
    .where('rule_id', '=', p.rule)
    .where('at', '>', p.since)
    .where('is_change', '=', sql.lit(true))
    .select(({ fn }) => fn.countAll<number>().as('count'))
)

const emailsSent = prepared((db, p: { ticket: number; lastHour: Date; lastDay: Date }) =>
  db
    .selectFrom('rule_runs')
    .where('emails', '>', sql.lit(0))
    .where('at', '>', p.lastDay)
    .select([
      sql<number>`coalesce(sum(emails) filter (where at > ${p.lastHour}), 0)::integer`.as('of_desk'),
      sql<number>`coalesce(sum(client_emails) filter (where ticket_id in (select id from tickets as theirs
        where theirs.client_id = (select client_id from tickets where id = ${p.ticket}))), 0)::integer`.as('of_client')
    ])
)

/** R6: an address from which an automatic mail has come within a day, by the clock that dates mails. */
const answersByItself = prepared((db, p: { ticket: number }) =>
  db
    .selectFrom('inbound_mails')
    .where('is_automatic', '=', sql.lit(true))
    .where('received_at', '>', sql<Date>`now() - interval '1 day'`)
    .where(
      sql`lower(sender)`,
      '=',
      db
        .selectFrom('tickets')
        .innerJoin('clients', 'clients.id', 'tickets.client_id')
        .where('tickets.id', '=', p.ticket)
        .select(sql<string>`lower(${ticketRecipient})`.as('email'))
    )
    .select('id')
    .limit(1)
)
