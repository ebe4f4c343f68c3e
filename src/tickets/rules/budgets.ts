import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import { skipReasons } from '../actions/skip-reasons.ts'
import { ticketRecipient } from '../ticket/client-access.ts'

/** R7: how much rules may do by themselves. */
const runsPerTicketAndHour = 20
const emailsPerClientAndDay = 5
const emailsPerHour = 2_000

const hour = 3_600_000

/** How many e-mails the client of a ticket may still get by rules, and why no more. */
export interface EmailsLeft {
  left: number
  why: string
}

export const noEmails: EmailsLeft = { left: 0, why: skipReasons.tooManyEmails }

export interface Budgets {
  /** The run may be made. */
  mayRun: boolean
  /** How many e-mails all rules may still send within the hour. */
  emailsLeft: number
  clientEmails: EmailsLeft
}

/** What of its budgets a rule has left for one more run on this ticket. */
export async function budgetsOf(
  db: Db,
  { rule, ticket, sendsEmails, now }: { rule: number; ticket: number; sendsEmails: boolean; now: Date }
): Promise<Budgets> {
  const lastHour = new Date(now.getTime() - hour)
  const [runs] = await runsOf(db, { rule, ticket, since: lastHour })
  const mayRun = runs!.count < runsPerTicketAndHour
  if (!sendsEmails) return { mayRun, emailsLeft: 0, clientEmails: noEmails }
  const lastDay = new Date(now.getTime() - 24 * hour)
  const [sent] = await emailsSent(db, { ticket, lastHour, lastDay })
  const [looping] = await answersByItself(db, { ticket, since: lastDay })
  const emailsLeft = emailsPerHour - sent!.of_desk
  return {
    mayRun: mayRun && emailsLeft > 0,
    emailsLeft,
    clientEmails: looping
      ? { left: 0, why: skipReasons.answersByItself }
      : { left: Math.max(0, emailsPerClientAndDay - sent!.of_client), why: skipReasons.tooManyEmails }
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

/** R6: an address from which an automatic mail has come since then. */
const answersByItself = prepared((db, p: { ticket: number; since: Date }) =>
  db
    .selectFrom('inbound_mails')
    .where('is_automatic', '=', sql.lit(true))
    .where('received_at', '>', p.since)
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
