import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { MailOutcome } from '../../core/tables/mail-log.ts'
import type { Authentication, MailChannel } from '../../core/tables/mails.ts'
import { withoutKey } from '../support-addresses/signed-address.ts'
import { asSteps, type NewStep, stepOf, withSteps } from './mail-steps.ts'

/** An e-mail that came in, as far as it is known before anybody has read it. */
export interface IncomingMail {
  outcome: 'received' | 'refused'
  reason?: string | null
  via: MailChannel
  sender: string | null
  recipients: readonly string[]
  subject: string
  messageRef: string | null
  sizeBytes: number | null
  mailId: number | null
}

/** Logs an e-mail that came in, or that was refused before it was taken. */
export async function logIncoming(db: Db, mail: IncomingMail, now: Date): Promise<void> {
  const steps: NewStep[] = [
    { step: 'received' },
    ...(mail.outcome === 'refused' ? [stepOf('refused', mail.reason)] : [])
  ]
  await insertIncoming(db, {
    ...mail,
    reason: mail.reason ?? null,
    recipients: lines(mail.recipients),
    now,
    steps: asSteps(steps, now)
  })
}

/** Logs that an e-mail came once more; it says the same as the first. */
export async function logDuplicate(
  db: Db,
  mail: Omit<IncomingMail, 'outcome' | 'reason'> & { mailId: number; sizeBytes: number },
  now: Date
): Promise<void> {
  const steps = asSteps([{ step: 'received' }, { step: 'duplicate' }], now)
  const row = { ...mail, recipients: lines(mail.recipients), now, steps }
  const [copy] = await insertDuplicate(db, row)
  // The first is not in the log any more.
  if (!copy) await insertIncoming(db, { ...row, outcome: 'duplicate', reason: null })
}

/** What became of an e-mail that came in, and what is known of it since it was read. */
export interface LoggedDecision {
  mailId: number
  outcome: MailOutcome
  reason: string | null
  sender: string | null
  /** Undefined: as logged before. */
  recipients: readonly string[] | undefined
  subject: string | null
  authentication: Authentication | null
  clientId: number | null
  ticketId: number | null
  /** The message of the outbox that it is about. */
  aboutMessageId: number | null
  steps: readonly NewStep[]
}

/** Logs the decision on an e-mail; its duplicates say the same from then on, and stay duplicates. */
export async function logDecision(db: Db, decided: LoggedDecision, now: Date): Promise<void> {
  const { authentication, steps, recipients, aboutMessageId, ...rest } = decided
  const [about] = aboutMessageId === null ? [] : await outgoing(db, { messageId: aboutMessageId })
  await updateIncoming(db, {
    ...rest,
    recipients: recipients ? lines(recipients) : null,
    authentication: authentication && JSON.stringify(authentication),
    aboutId: about?.id ?? null,
    isSecret: about?.is_secret ?? false,
    steps: asSteps(steps, now)
  })
}

/** Logs what staff have done with e-mails that were held: the outcome and one more step. */
export async function logOutcome(
  db: Db,
  mailIds: readonly number[],
  { outcome, reason }: { outcome: MailOutcome; reason: string | null },
  step: NewStep,
  now: Date
): Promise<void> {
  await setOutcome(db, { mailIds, outcome, reason, steps: asSteps([step], now) })
}

/** The row of an e-mail that came in, by its mail; null if it is not in the log any more. */
export async function logIdOf(db: Db, mailId: number): Promise<number | null> {
  return (await rowOf(db, { mailId }))[0]?.id ?? null
}

/** Whether an e-mail that came in brings one of ours back that carried a code or a link. */
export async function bringsSecret(db: Db, mailId: number): Promise<boolean> {
  return (await secretOf(db, { mailId })).length > 0
}

const maxRecipients = 100

function lines(addresses: readonly string[]): string {
  return [...new Set(addresses.map(shown))].filter(Boolean).slice(0, maxRecipients).join('\n')
}

function shown(address: string): string {
  const line = address.replaceAll(/[\0-\x1f]/g, '').toWellFormed()
  return withoutKey(line.slice(0, 500))
}

interface NewRow {
  outcome: MailOutcome
  reason: string | null
  via: MailChannel
  sender: string | null
  recipients: string
  subject: string
  messageRef: string | null
  sizeBytes: number | null
  mailId: number | null
  now: Date
  steps: string
}

const insertIncoming = prepared((db, p: NewRow) =>
  db.insertInto('mail_log').values({
    direction: 'in',
    at: p.now,
    outcome: p.outcome,
    reason: p.reason,
    via: p.via,
    sender: p.sender,
    recipients: p.recipients,
    subject: p.subject,
    message_ref: p.messageRef,
    size_bytes: p.sizeBytes,
    mail_id: p.mailId,
    steps: p.steps
  })
)

interface Duplicate {
  mailId: number
  via: MailChannel
  recipients: string
  sizeBytes: number
  now: Date
  steps: string
}

const copied = ['sender', 'subject', 'message_ref', 'authentication', 'ticket_id', 'client_id', 'is_secret'] as const

const insertDuplicate = prepared((db, p: Duplicate) =>
  db
    .insertInto('mail_log')
    .columns([
      ...(['direction', 'at', 'outcome', 'via', 'recipients', 'size_bytes', 'mail_id', 'steps'] as const),
      ...copied
    ])
    .expression(db =>
      db
        .selectFrom('mail_log')
        .where('mail_id', '=', p.mailId)
        .select([
          sql.lit('in' as const).as('direction'),
          sql<Date>`${p.now}::timestamptz`.as('at'),
          sql.lit('duplicate' as const).as('outcome'),
          sql<MailChannel>`${p.via}::text`.as('via'),
          sql<string>`coalesce(nullif(${p.recipients}::text, ''), recipients)`.as('recipients'),
          sql<number>`${p.sizeBytes}::bigint`.as('size_bytes'),
          'mail_id',
          sql<string>`${p.steps}::jsonb`.as('steps')
        ])
        .select(copied)
        .orderBy('id')
        .limit(1)
    )
    .returning('id')
)

interface Decision {
  mailId: number
  outcome: MailOutcome
  reason: string | null
  sender: string | null
  recipients: string | null
  subject: string | null
  authentication: string | null
  clientId: number | null
  ticketId: number | null
  aboutId: number | null
  isSecret: boolean
  steps: string
}

const isDuplicate = sql<boolean>`outcome = 'duplicate'`

const updateIncoming = prepared((db, p: Decision) =>
  db
    .updateTable('mail_log')
    .where('mail_id', '=', p.mailId)
    .set({
      outcome: sql`case when ${isDuplicate} then outcome else ${p.outcome} end`,
      reason: sql`case when ${isDuplicate} then reason else ${p.reason} end`,
      steps: sql`case when ${isDuplicate} then steps else ${withSteps(p.steps)} end`,
      sender: sql`coalesce(${p.sender}, sender)`,
      recipients: sql<string>`coalesce(${p.recipients}, recipients)`,
      subject: sql<string>`coalesce(${p.subject}, subject)`,
      authentication: sql`${p.authentication}::jsonb`,
      client_id: p.clientId,
      ticket_id: p.ticketId,
      // Whoever releases it does not read it again: what was known of it stays.
      about_id: sql<number | null>`coalesce(${p.aboutId}::bigint, about_id)`,
      is_secret: sql<boolean>`is_secret or ${p.isSecret}::boolean`
    })
)

const setOutcome = prepared(
  (db, p: { mailIds: readonly number[]; outcome: MailOutcome; reason: string | null; steps: string }) =>
    db
      .updateTable('mail_log')
      .where('mail_id', '=', sql<number>`any(${p.mailIds}::bigint[])`)
      .where('outcome', '<>', sql.lit('duplicate' as const))
      .set({ outcome: p.outcome, reason: p.reason, steps: withSteps(p.steps) })
)

const outgoing = prepared((db, p: { messageId: number }) =>
  db.selectFrom('mail_log').where('outbox_message_id', '=', p.messageId).select(['id', 'is_secret']).limit(1)
)

const secretOf = prepared((db, p: { mailId: number }) =>
  db.selectFrom('mail_log').where('mail_id', '=', p.mailId).where('is_secret', '=', true).select('id').limit(1)
)

const rowOf = prepared((db, p: { mailId: number }) =>
  db.selectFrom('mail_log').where('mail_id', '=', p.mailId).select('id').orderBy('id').limit(1)
)
