import type { Db } from '../platform/db/open.ts'
import type { LetterRow } from '../platform/db/tables.ts'
import type { Attempt } from '../platform/jobs/jobs.ts'
import type { Services } from '../services.ts'
import { openedContent, presentable, type StoredContent } from './content.ts'
import type { LetterContent } from './words.ts'

/** A letter could not be delivered this time; the message has nothing of its content. */
class LetterNotDelivered extends Error {}

/** What it takes to deliver. */
export type Postman = Pick<Services, 'config' | 'db' | 'clock' | 'log' | 'keys' | 'mail' | 'texts'>

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
  if (!letter) return

  let content: StoredContent | undefined
  let answer: string
  try {
    content = openedContent(keys, letter.sealed_content!)
    answer = await send(services, letter, content)
  } catch (error) {
    const reason = presentable(error instanceof Error ? error.message : String(error), content)
    return await noteFailure(services, letter, attempt, reason, isRefusedForGood(error))
  }
  await settle(services, letter, 'sent', presentable(answer, content))
  log.info({ letterId, kind: letter.kind, attempt: attempt.number }, 'A letter was sent')
}

function takenLetter(db: Db, letterId: number, attempt: Attempt): Promise<LetterRow | undefined> {
  return db
    .updateTable('letters')
    .set({ attempts: attempt.number })
    .where('id', '=', letterId)
    .where('state', '=', 'queued')
    .where('attempts', '<', attempt.number)
    .returningAll()
    .executeTakeFirst()
}

function send(services: Postman, letter: LetterRow, content: StoredContent): Promise<string> {
  const { config, mail, texts } = services
  const reference = `letter-${letter.id}.${content.nonce}`
  const { recipient: to, created_at: date } = letter
  if (letter.channel === 'text') return texts.send({ reference, to, text: content.text, date })

  const { subject, text, html } = content as LetterContent
  return mail.send({
    messageId: `<${reference}@${new URL(config.BASE_URL).hostname}>`,
    from: config.MAIL_FROM,
    to,
    subject,
    text,
    html,
    // No holiday notice should come back (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
    date
  })
}

async function noteFailure(services: Postman, letter: LetterRow, attempt: Attempt, reason: string, forGood: boolean) {
  const { db, log } = services
  const failure = `${letter.kind} ${letter.id} was not delivered: ${reason}`
  if (attempt.isLast || forGood) {
    await settle(services, letter, 'failed', reason)
    log.error({ letterId: letter.id, kind: letter.kind, attempt: attempt.number }, failure)
    return
  }
  await db
    .updateTable('letters')
    .set({ last_answer: reason })
    .where('id', '=', letter.id)
    .where('state', '=', 'queued')
    .where('attempts', '=', attempt.number)
    .execute()
  throw new LetterNotDelivered(failure)
}

/** The content goes in any case: whoever has the database must not find codes in it. */
async function settle({ db, clock }: Postman, letter: LetterRow, state: 'sent' | 'failed', answer: string) {
  await db
    .updateTable('letters')
    .set({ state, last_answer: answer, sealed_content: null, settled_at: clock.now() })
    .where('id', '=', letter.id)
    .where('state', '=', 'queued')
    .execute()
}

/** A server's "never" (5xx), as against its "not now" (4xx) and a failed connection. */
function isRefusedForGood(error: unknown): boolean {
  const code = (error as { responseCode?: unknown } | null)?.responseCode
  return typeof code === 'number' && code >= 500
}
