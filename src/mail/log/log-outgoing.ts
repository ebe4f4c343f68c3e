import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { MailOutcome } from '../../core/tables/mail-log.ts'
import { asSteps, type NewStep, withSteps } from './mail-steps.ts'

/** An e-mail that goes out. */
export interface OutgoingMail {
  messageId: number
  kind: string
  sender: string
  recipient: string
  subject: string
  messageRef: string
  sizeBytes: number
  clientId: number | null
  ticketId: number | null
  isSecret: boolean
}

/** Logs an e-mail that is queued. Returns the id of its row. */
export async function logOutgoing(db: Db, mail: OutgoingMail, now: Date): Promise<number> {
  const [row] = await insertOutgoing(db, { ...mail, now, steps: asSteps([{ step: 'queued' }], now) })
  return row!.id
}

export type DeliveryOutcome = 'sent' | 'delivered' | 'deferred' | 'bounced' | 'refused'

/**
 * Logs what became of an e-mail that goes out, by the id of its message. What was sent stays so until somebody reports on it; what came back, or was
 * delivered, is not sent or deferred any more.
 */
export async function logDelivery(
  db: Db,
  messageId: number,
  outcome: DeliveryOutcome,
  step: Pick<NewStep, 'reason' | 'detail'>,
  now: Date
): Promise<void> {
  await setDelivery(db, { messageId, ...deliveryStep(outcome, step, now) })
}

/** The parameters of `deliveryOf`. */
export function deliveryStep(outcome: DeliveryOutcome, step: Pick<NewStep, 'reason' | 'detail'>, now: Date): Delivery {
  return { outcome, reason: step.reason ?? null, steps: asSteps([{ step: outcome, ...step }], now) }
}

/** Notes one more step in a row. */
export async function logStep(db: Db, id: number, step: NewStep, now: Date): Promise<void> {
  await addStep(db, { id, steps: asSteps([step], now) })
}

/** Notes in the row of an e-mail that came back that staff know of it. */
export async function logDismissed(db: Db, messageId: number, staffId: number, now: Date): Promise<void> {
  await addStepByMessage(db, { messageId, steps: asSteps([{ step: 'dismissed', staff_id: staffId }], now) })
}

/** Says of which e-mail an e-mail is: the one that was sent again by it. */
export async function linkAbout(db: Db, id: number, aboutId: number): Promise<void> {
  await setAbout(db, { id, aboutId })
}

/** Of those who send an e-mail again at once, one after the other does. */
export async function lockLogged(db: Db, id: number): Promise<void> {
  await locked(db, { id })
}

const locked = prepared((db, p: { id: number }) =>
  db.selectFrom('mail_log').where('id', '=', p.id).select('id').forUpdate()
)

/** The e-mail by which this one was sent again to an address and that is on its way, or was queued since then. */
export async function sentAgainTo(
  db: Db,
  again: { id: number; recipient: string; since: Date }
): Promise<number | undefined> {
  return (await sentAgain(db, again))[0]?.id
}

const sentAgain = prepared((db, p: { id: number; recipient: string; since: Date }) =>
  db
    .selectFrom('mail_log')
    .where('about_id', '=', p.id)
    .where('direction', '=', 'out')
    .where(sql`lower(recipients)`, '=', sql`lower(${p.recipient})`)
    .where(({ eb, or }) => or([eb('outcome', 'in', ['queued', 'deferred']), eb('at', '>', p.since)]))
    .select('id')
    .orderBy('id', 'desc')
    .limit(1)
)

const insertOutgoing = prepared((db, p: OutgoingMail & { now: Date; steps: string }) =>
  db
    .insertInto('mail_log')
    .values({
      direction: 'out',
      at: p.now,
      outcome: 'queued',
      kind: p.kind,
      sender: p.sender,
      recipients: p.recipient,
      subject: p.subject,
      message_ref: p.messageRef,
      size_bytes: p.sizeBytes,
      client_id: p.clientId,
      ticket_id: p.ticketId,
      outbox_message_id: p.messageId,
      is_secret: p.isSecret,
      steps: p.steps
    })
    .returning('id')
)

interface Delivery {
  outcome: DeliveryOutcome
  reason: string | null
  steps: string
}

/** What is set in the row of an e-mail whose delivery got on. */
export function deliveryOf(p: Delivery) {
  return {
    outcome: sql<MailOutcome>`case when ${p.outcome} in ('sent', 'deferred') and mail_log.outcome in ('delivered', 'bounced', 'refused')
      then mail_log.outcome else ${p.outcome} end`,
    reason: p.reason,
    steps: withSteps(p.steps)
  }
}

const setDelivery = prepared((db, p: Delivery & { messageId: number }) =>
  db.updateTable('mail_log').where('outbox_message_id', '=', p.messageId).set(deliveryOf(p))
)

const addStep = prepared((db, p: { id: number; steps: string }) =>
  db
    .updateTable('mail_log')
    .where('id', '=', p.id)
    .set({ steps: withSteps(p.steps) })
)

const addStepByMessage = prepared((db, p: { messageId: number; steps: string }) =>
  db
    .updateTable('mail_log')
    .where('outbox_message_id', '=', p.messageId)
    .set({ steps: withSteps(p.steps) })
)

const setAbout = prepared((db, p: { id: number; aboutId: number }) =>
  db.updateTable('mail_log').where('id', '=', p.id).set({ about_id: p.aboutId })
)
