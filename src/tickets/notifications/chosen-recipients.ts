import type { Db } from '../../core/db.ts'
import type { Recipients } from '../../core/tables/sending.ts'
import { signaturesOf } from '../../mail/signatures/signatures.ts'
import { recipientsOf } from '../followers/recipients.ts'
import type { PendingEvent } from './pending-events.ts'

/** The recipients that were chosen for answers, by message id. */
export type Chosen = ReadonlyMap<number, Recipients>

export function isAnswer({ actor_type, message_id }: PendingEvent): boolean {
  return actor_type === 'staff' && message_id !== null
}

/** Which recipients were chosen for the answers among these events, and the events with what stands below each answer. */
export async function withChoices(
  db: Db,
  events: readonly PendingEvent[]
): Promise<{ chosen: Chosen; events: PendingEvent[] }> {
  const answers = events.filter(isAnswer)
  if (answers.length === 0) return { chosen: new Map(), events: [...events] }
  const chosen = await recipientsOf(
    db,
    answers.flatMap(({ message_id }) => message_id ?? [])
  )
  const own = await signaturesOf(
    db,
    answers.flatMap(({ actor_id }) => actor_id ?? [])
  )
  const signed = (event: PendingEvent) => {
    const { signature = 'both' } = chosen.get(event.message_id ?? 0) ?? {}
    return isAnswer(event) && signature === 'both' ? { ...event, signature: own.get(event.actor_id ?? 0) } : event
  }
  return { chosen, events: events.map(signed) as PendingEvent[] }
}

/** What was chosen for the last answer: it decides for an e-mail with several. */
export function lastChoice(chosen: Chosen, events: readonly PendingEvent[]): Recipients | undefined {
  return chosen.get(events.findLast(isAnswer)?.message_id ?? 0)
}

/** Whom an e-mail names as its recipients: the client and those in copy see each other, and nobody sees who gets a blind copy. */
export function shownRecipients(client: string, chosen: Recipients | undefined) {
  if (!chosen || (chosen.cc === null && chosen.to.length === 0)) return {}
  const cc = chosen.cc ?? []
  const to = [...(chosen.client ? [client] : []), ...chosen.to]
  return to.length > 0 ? { shownTo: to, shownCc: cc } : { shownTo: cc }
}
