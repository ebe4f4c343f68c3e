import type { Db } from '../platform/db/open.ts'
import type { LetterRow } from '../platform/db/tables.ts'
import type { Attempt } from '../platform/jobs/jobs.ts'
import { outboxFolder, removeFromOutbox } from '../platform/outbox-file.ts'
import { RefusedForGood } from '../platform/refused-for-good.ts'
import type { Services } from '../services.ts'
import { openedContent, presentable, type StoredContent, type Thread } from './content.ts'
import type { LetterContent } from './words.ts'

/** A letter could not be delivered this time; the message has nothing of its content. */
class LetterNotDelivered extends Error {}

type TakenLetter = Pick<
  LetterRow,
  'id' | 'channel' | 'kind' | 'recipient' | 'sealed_content' | 'request_id' | 'created_at'
>

/** What it takes to deliver. */
export type Postman = Pick<Services, 'config' | 'db' | 'clock' | 'log' | 'keys' | 'mail' | 'texts' | 'metrics'>

/**
 * Sends a queued letter and forgets its content. Throws `LetterNotDelivered` when it should be tried again; after the
 * last try, and when it is refused for good, the letter is `failed` instead.
 *
 * However often this runs, the letter is sent once in effect. An attempt takes the letter by writing its own number
 * into the row, which only the first to come can do, so two workers with the same attempt never both send, and no
 * transaction or lock is held while the world is slow to answer. A later attempt exists only once the one before has
 * failed or has been given up for dead. If that one did reach the other side before its process died, the second
 * carries the same Message-ID.
 */
export async function deliverLetter(services: Postman, letterId: number, attempt: Attempt): Promise<void> {
  const { db, keys, log } = services
  const letter = await takenLetter(db, letterId, attempt)
  if (!letter) return await forgetIfErased(services, { id: letterId })

  let content: StoredContent | undefined
  let answer: string
  try {
    content = openedContent(keys, letter.sealed_content!)
    answer = await send(services, letter, content)
  } catch (error) {
    const reason = presentable(error instanceof Error ? error.message : String(error), content)
    return await noteFailure(services, letter, attempt, reason, error instanceof RefusedForGood)
  }
  if (!(await settle(services, letter, 'sent', presentable(answer, content)))) {
    await forgetIfErased(services, { id: letter.id, thread: content.thread })
  }
  log.info(marksOf(letter, attempt), 'A letter was sent')
}

function takenLetter(db: Db, letterId: number, attempt: Attempt): Promise<TakenLetter | undefined> {
  return db
    .updateTable('letters')
    .set({ attempts: attempt.number })
    .where('id', '=', letterId)
    .where('state', '=', 'queued')
    .where('attempts', '<', attempt.number)
    .returning(['id', 'channel', 'kind', 'recipient', 'sealed_content', 'request_id', 'created_at'])
    .executeTakeFirst()
}

function send(services: Postman, letter: TakenLetter, content: StoredContent): Promise<string> {
  const { config, mail, texts } = services
  const reference = `letter-${letter.id}.${content.nonce}`
  const { recipient: to, created_at: date, request_id: requestId } = letter
  if (letter.channel === 'text') return texts.send({ reference, to, text: content.text, date })

  const { subject, text, html } = content as LetterContent
  const { hostname } = new URL(config.BASE_URL)
  return mail.send({
    ...idsOf(content, `<${reference}@${hostname}>`, hostname),
    from: config.MAIL_FROM,
    replyTo: config.MAIL_REPLY_TO,
    to,
    subject,
    text,
    html,
    // No holiday notice should come back (RFC 3834).
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(requestId ? { 'X-Request-Id': requestId } : {}),
      ...stopHeaders(content)
    },
    date
  })
}

/** A letter in a thread answers the first one there, whether or not its recipient got that. */
function idsOf({ thread }: StoredContent, messageId: string, hostname: string) {
  if (!thread) return { messageId }
  const first = `<${thread.id}@${hostname}>`
  return thread.opens ? { messageId: first } : { messageId, inReplyTo: first, references: first }
}

function stopHeaders({ stopUrl }: StoredContent): Record<string, string> {
  if (!stopUrl) return {}
  return { 'List-Unsubscribe': `<${stopUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
}

async function noteFailure(services: Postman, letter: TakenLetter, attempt: Attempt, reason: string, forGood: boolean) {
  const { db, log, metrics } = services
  const failure = `${letter.kind} ${letter.id} was not delivered: ${reason}`
  if (attempt.isLast || forGood) {
    await settle(services, letter, 'failed', reason)
    log.error(marksOf(letter, attempt), failure)
    return
  }
  await db
    .updateTable('letters')
    .set({ last_answer: reason })
    .where('id', '=', letter.id)
    .where('state', '=', 'queued')
    .where('attempts', '=', attempt.number)
    .execute()
  metrics.letters.inc({ channel: letter.channel, outcome: 'retried' })
  log.warn(marksOf(letter, attempt), failure)
  throw new LetterNotDelivered(failure)
}

/**
 * The content goes in any case: whoever has the database must not find codes in it. False where the letter was no longer queued.
 */
async function settle(
  { db, clock, metrics }: Postman,
  letter: TakenLetter,
  state: 'sent' | 'failed',
  answer: string
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('letters')
    .set({ state, last_answer: answer, sealed_content: null, settled_at: clock.now() })
    .where('id', '=', letter.id)
    .where('state', '=', 'queued')
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return false
  metrics.letters.inc({ channel: letter.channel, outcome: state })
  return true
}

/** Where the client was erased while the letter was on its way, its row is gone: then its file must not stay either. */
async function forgetIfErased({ db, config }: Postman, { id, thread }: { id: number; thread?: Thread }): Promise<void> {
  const row = await db.selectFrom('letters').where('id', '=', id).select('id').executeTakeFirst()
  if (row) return
  await removeFromOutbox(outboxFolder(config.DATA_DIR), [`letter-${id}`, ...(thread?.opens ? [thread.id] : [])])
}

/** What a log line says of a letter; its request has lines of its own under the same id. */
function marksOf({ id, kind, request_id }: TakenLetter, attempt: Attempt): object {
  return { letterId: id, kind, attempt: attempt.number, ...(request_id ? { requestId: request_id } : {}) }
}
