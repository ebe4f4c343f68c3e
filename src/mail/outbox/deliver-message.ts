import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { OutboxRow } from '../../core/tables/outbox.ts'
import { secondsAfter } from '../../lib/time.ts'
import { outerTransaction } from '../../platform/db/outer-transaction.ts'
import type { Attempt } from '../../platform/jobs/jobs.ts'
import { refusalIn } from '../../platform/mail-reading/bounce.ts'
import { outboxFolder, removeFromOutbox } from '../../platform/outbox-file.ts'
import { PermanentFailure } from '../../platform/permanent-failure.ts'
import { deliveryOf, deliveryStep } from '../log/log-outgoing.ts'
import { MailboxCannotSend } from '../mailboxes/routed-mail.ts'
import type { EmailContent } from './compose-email.ts'
import { carriesNoSecret, openedContent, redactedResponse, refOf, type StoredContent, type Thread } from './content.ts'
import { mailMessageOf } from './mail-message.ts'
import { AddressUndeliverable, recordDelivery } from './record-delivery.ts'
import { withReturnAddress } from './return-address.ts'
import { undeliverableAddress } from './undeliverable-addresses.ts'

/** About 15 minutes. If sending with files has failed that often, for example because the file store is missing, they are left out. */
const attemptsWithFiles = 6

/** This attempt to deliver has failed. The error contains nothing of the content. */
class MessageNotDelivered extends Error {}

type TakenMessage = Pick<
  OutboxRow,
  'id' | 'channel' | 'kind' | 'recipient' | 'sealed_content' | 'request_id' | 'created_at'
>

/** The services needed to deliver. */
export type DeliveryServices = Pick<
  Services,
  'config' | 'db' | 'clock' | 'realClock' | 'log' | 'keys' | 'jobs' | 'mail' | 'texts' | 'files' | 'metrics'
>

/**
 * Sends a queued e-mail or text and deletes its content. Throws `MessageNotDelivered` if it should be tried again; after the last attempt, or if
 * it was refused permanently, it is `failed` instead.
 *
 * However often this runs, the recipient sees the e-mail once. An attempt claims it by one conditional update that writes the attempt's number,
 * so two workers with the same attempt never both send, and no transaction or lock is held while a server is slow. The next attempt starts only
 * when the previous one has failed or its process counts as dead. If that had sent the e-mail, the next one has the same Message-ID.
 */
export async function deliverMessage(services: DeliveryServices, messageId: number, attempt: Attempt): Promise<void> {
  const { db, keys, log } = services
  const email = await takenMessage(db, messageId, attempt)
  if (!email) return await forgetIfErased(services, { id: messageId })

  let content: StoredContent | undefined
  let answer: string
  try {
    content = openedContent(keys, email.sealed_content!)
    if (email.channel === 'mail') await refuseUndeliverable(db, email.recipient)
    answer = await send(services, email, content, { withFiles: attempt.number <= attemptsWithFiles })
  } catch (error) {
    const reason = redactedResponse(error instanceof Error ? error.message : String(error), content)
    if (error instanceof MailboxCannotSend && attempt.isLast && (await waitsOn(services, email, reason))) return
    const isLast = attempt.isLast || error instanceof PermanentFailure
    try {
      return await noteFailure(services, email, attempt, reason, error instanceof PermanentFailure)
    } finally {
      await recordDelivery(services, sentAs(email, content), { error, isLast, isFirst: attempt.number === 1 })
    }
  }
  if (!(await settle(services, email, 'sent', redactedResponse(answer, content), {}))) {
    await forgetIfErased(services, { id: email.id, thread: content.thread })
  }
  log.info(marksOf(email, attempt), 'An e-mail was sent')
  await recordDelivery(services, sentAs(email, content), 'sent')
}

/** The reference of its row in `sent_emails`. Texts have none, nor does content that cannot be decrypted. */
function sentAs({ id }: TakenMessage, content: StoredContent | undefined) {
  return content ? refOf(content, id) : ''
}

/** If servers have said for good that an address does not exist, nothing more is sent there. Throws `AddressUndeliverable`. */
async function refuseUndeliverable(db: Db, recipient: string): Promise<void> {
  const known = await undeliverableAddress(db, recipient)
  if (known?.is_permanent) throw new AddressUndeliverable(known.reason)
}

function takenMessage(db: Db, messageId: number, attempt: Attempt): Promise<TakenMessage | undefined> {
  return db
    .updateTable('outbox_messages')
    .set({ attempts: attempt.number })
    .where('id', '=', messageId)
    .where('state', '=', 'queued')
    .where('attempts', '<', attempt.number)
    .returning(['id', 'channel', 'kind', 'recipient', 'sealed_content', 'request_id', 'created_at'])
    .executeTakeFirst()
}

async function send(
  services: DeliveryServices,
  email: TakenMessage,
  content: StoredContent,
  { withFiles }: { withFiles: boolean }
): Promise<string> {
  const { mail, texts } = services
  const reference = `message-${email.id}.${content.nonce}`
  const { recipient: to, created_at: date } = email
  if (email.channel === 'text') return await texts.send({ reference, to, text: content.text, date })

  const stored = content as StoredContent & EmailContent
  const messageWith = async (given: { withFiles: boolean }) =>
    await withReturnAddress(services, email, await mailMessageOf(services, email, stored, given))
  try {
    return await mail.send(await messageWith({ withFiles }))
  } catch (error) {
    // Too large for the server: send the text without the files, which can be downloaded from the desk.
    const isTooLarge = error instanceof PermanentFailure && /\b55[24]\b|\b5\.3\.4\b/.test(error.message)
    if (!isTooLarge || !withFiles || !stored.files?.length) throw error
    return await mail.send(await messageWith({ withFiles: false }))
  }
}

/** How long e-mails wait for the server of a mailbox that cannot send. */
const longestWaitSeconds = 5 * 86_400

/** An e-mail outlives its attempts while the server of its mailbox is broken: it begins anew. False if it has waited for too long. */
async function waitsOn(services: DeliveryServices, email: TakenMessage, reason: string): Promise<boolean> {
  const { db, clock, jobs } = services
  if (clock.now() > secondsAfter(email.created_at, longestWaitSeconds)) return false
  return await outerTransaction(db, { isRepeatable: true }, async db => {
    const [waiting] = await db
      .updateTable('outbox_messages')
      .set({ attempts: 0, last_answer: reason })
      .where('id', '=', email.id)
      .where('state', '=', 'queued')
      .returning('id')
      .execute()
    if (waiting) await jobs.send(db, 'deliver-message', { messageId: email.id })
    return true
  })
}

async function noteFailure(
  services: DeliveryServices,
  email: TakenMessage,
  attempt: Attempt,
  reason: string,
  forGood: boolean
) {
  const { db, log, metrics } = services
  const failure = `${email.kind} ${email.id} was not delivered: ${reason}`
  const said = { reason: refusalIn(reason).reason, detail: reason }
  if (attempt.isLast || forGood) {
    await settle(services, email, 'failed', reason, { ...said, forGood })
    log.error(marksOf(email, attempt), failure)
    return
  }
  const deferred = deliveryStep('deferred', said, services.clock.now())
  await noteAnswer(db, { id: email.id, attempt: attempt.number, answer: reason, ...deferred })
  metrics.deliveries.inc({ channel: email.channel, outcome: 'retried' })
  log.warn(marksOf(email, attempt), failure)
  throw new MessageNotDelivered(failure)
}

/**
 * The content is deleted, since nobody with access to the database may find codes in it; that of an e-mail without any stays sealed, so that it can be
 * sent again. The same statement writes the log, which so never says
 * "sent" of what may be sent again. False if the e-mail was no longer queued.
 */
async function settle(
  { db, clock, metrics }: DeliveryServices,
  email: TakenMessage,
  state: 'sent' | 'failed',
  answer: string,
  { forGood, ...said }: { reason?: string; detail?: string; forGood?: boolean }
): Promise<boolean> {
  const now = clock.now()
  const outcome = state === 'sent' ? 'sent' : forGood ? 'refused' : 'bounced'
  const delivery = deliveryStep(outcome, state === 'sent' ? { detail: answer } : said, now)
  const isKept = email.channel === 'mail' && carriesNoSecret(email.kind)
  const settled = await settleMessage(db, { id: email.id, state, answer, now, isKept, ...delivery })
  if (settled.length === 0) return false
  metrics.deliveries.inc({ channel: email.channel, outcome: state })
  return true
}

type Delivery = ReturnType<typeof deliveryStep>

const settleMessage = prepared(
  (db, p: Delivery & { id: number; state: 'sent' | 'failed'; answer: string; now: Date; isKept: boolean }) =>
    db
      .with('settled', db =>
        db
          .updateTable('outbox_messages')
          .set({ state: p.state, last_answer: p.answer, settled_at: p.now })
          .set({ sealed_content: sql`case when ${p.isKept} then sealed_content end` })
          .where('id', '=', p.id)
          .where('state', '=', 'queued')
          .returning('id')
      )
      .with('logged', db =>
        db
          .updateTable('mail_log')
          .from('settled')
          .whereRef('mail_log.outbox_message_id', '=', 'settled.id')
          .set(deliveryOf(p))
      )
      .selectFrom('settled')
      .select('settled.id')
)

const noteAnswer = prepared((db, p: Delivery & { id: number; attempt: number; answer: string }) =>
  db
    .with('noted', db =>
      db
        .updateTable('outbox_messages')
        .set({ last_answer: p.answer })
        .where('id', '=', p.id)
        .where('state', '=', 'queued')
        .where('attempts', '=', p.attempt)
        .returning('id')
    )
    .updateTable('mail_log')
    .from('noted')
    .whereRef('mail_log.outbox_message_id', '=', 'noted.id')
    .set(deliveryOf(p))
)

/** If the client was erased during sending, the row is gone; then the file must be deleted too. */
async function forgetIfErased(
  { db, config }: DeliveryServices,
  { id, thread }: { id: number; thread?: Thread }
): Promise<void> {
  const row = await db.selectFrom('outbox_messages').where('id', '=', id).select('id').executeTakeFirst()
  if (row) return
  await removeFromOutbox(outboxFolder(config.DATA_DIR), [`message-${id}`, ...(thread?.opens ? [thread.id] : [])])
}

/** The log fields of an e-mail; its request logs with the same id. */
function marksOf({ id, kind, request_id }: TakenMessage, attempt: Attempt): object {
  return { messageId: id, kind, attempt: attempt.number, ...(request_id ? { requestId: request_id } : {}) }
}
