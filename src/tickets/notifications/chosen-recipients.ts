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

/** Which recipients were chosen for the answers among these events. */
export async function choicesFor(db: Db, events: readonly PendingEvent[]): Promise<Chosen> {
  const answers = events.filter(isAnswer)
  if (answers.length === 0) return new Map()
  return await recipientsOf(
    db,
    answers.flatMap(({ message_id }) => message_id ?? [])
  )
}

/** The events with what stands below each answer that leaves from this address. */
export async function signedEvents(
  db: Db,
  events: readonly PendingEvent[],
  chosen: Chosen,
  address: string | undefined
): Promise<PendingEvent[]> {
  const writers = events.filter(isAnswer).flatMap(({ actor_id }) => actor_id ?? [])
  if (writers.length === 0) return [...events]
  const signatures = await signaturesOf(db, writers, address)
  return events.map(event => {
    const { signature = 'both' } = chosen.get(event.message_id ?? 0) ?? {}
    const below = isAnswer(event) && signature !== 'none' ? signatures.get(event.actor_id ?? 0)?.[signature] : undefined
    return below ? { ...event, signature: below } : event
  })
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
