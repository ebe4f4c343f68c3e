import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import { skipReasons } from '../actions/skip-reasons.ts'
import { ticketRecipient } from '../ticket/client-access.ts'

/** R7: how much rules may do by themselves. */
const runsPerTicketAndHour = 20
const emailsPerClientAndDay = 5
const emailsPerHour = 2_000
/** More than runs at the same time send together. */
const nearlyUsedUp = 100

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

interface Asked {
  rule: number
  ticket: number
  sendsEmails: boolean
  now: Date
}

/**
 * What of its budgets a rule has left for one more run on this locked ticket. Runs that send e-mails to one client wait for each other until they are
 * committed, so that none overlooks what the others send; all wait for each other where the hour is nearly used up.
 */
export async function budgetsInTurn(db: Db, asked: Asked): Promise<Budgets> {
  if (!asked.sendsEmails) return await budgetsOf(db, asked)
  await turnOfClient(db, asked)
  const budgets = await budgetsOf(db, asked)
  if (budgets.emailsLeft > nearlyUsedUp) return budgets
  await turnOfDesk(db, {})
  return await budgetsOf(db, asked)
}

/** Keeps the e-mails of a run in the counts, also if its rule is deleted. */
export async function countEmails(
  db: Db,
  { ticket, now, client_emails, emails }: Pick<Asked, 'ticket' | 'now'> & { client_emails: number; emails: number }
): Promise<void> {
  await insertEmails(db, { ticket, at: now, client_emails, emails })
}

/** What of its budgets a rule has left for one more run on this ticket. */
export async function budgetsOf(db: Db, { rule, ticket, sendsEmails, now }: Asked): Promise<Budgets> {
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
  db.selectNoFrom([
    sql<number>`(select coalesce(sum(emails), 0)::integer from rule_emails where at > ${p.lastHour})`.as('of_desk'),
    sql<number>`(select coalesce(sum(client_emails), 0)::integer from rule_emails
        where client_id = (select client_id from tickets where id = ${p.ticket}) and at > ${p.lastDay})`.as('of_client')
  ])
)

const insertEmails = prepared((db, p: { ticket: number; at: Date; client_emails: number; emails: number }) =>
  db
    .insertInto('rule_emails')
    .columns(['at', 'client_id', 'client_emails', 'emails'])
    .expression(
      sql`select ${p.at}::timestamptz, client_id, ${p.client_emails}::integer, ${p.emails}::integer
        from tickets where id = ${p.ticket}`
    )
)

const turnOfClient = prepared((db, p: { ticket: number }) =>
  db.selectNoFrom(
    sql<null>`pg_advisory_xact_lock((select hashtextextended('e-mails by rules to client ' || client_id, 0)
      from tickets where id = ${p.ticket}))`.as('turn')
  )
)

const turnOfDesk = prepared(db =>
  db.selectNoFrom(sql<null>`pg_advisory_xact_lock(hashtextextended('e-mails by rules', 0))`.as('turn'))
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
