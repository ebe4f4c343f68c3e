import type { DeskEvent } from '../../core/events/event.ts'
import type { EventCause } from '../../core/tables/events.ts'
import { isoTime, timestamp } from '../../lib/time.ts'

/** The data of an event: its ids and fields, and its text if the webhook includes it. */
interface Data {
  id: number | null
  kind: string
  at: string
  at_iso: string
  subject_type: string
  subject_id: number | null
  ticket_id: number | null
  client_id: number | null
  actor: { type: string; id: number | null; name: string }
  before: object | null
  after: object | null
  cause?: EventCause
  text?: string
  is_cut?: 0 | 1
}

const maxCharacters = 8_000
/** A body stays below 20 KB, as Standard Webhooks recommends. */
const tooManyBytes = 20_000

/** The body of an event, the same at every attempt. */
export function eventBody(event: DeskEvent, text: string | undefined): string {
  return fittingBody(dataOf(event), event.at, text)
}

/** The body with which an admin tests a webhook. */
export function testBody({ at, actor }: { at: Date; actor: Data['actor'] }): string {
  const nothing = { subject_id: null, ticket_id: null, client_id: null, before: null, after: null }
  const data = { id: null, kind: 'webhook.test', ...timesOf(at), subject_type: 'webhook', actor, ...nothing }
  return fittingBody(data, at, undefined)
}

/** The same fields as in the event feed. */
function dataOf({
  id,
  kind,
  at,
  subject_type,
  subject_id,
  ticket_id,
  client_id,
  actor,
  before,
  after,
  cause
}: DeskEvent): Data {
  const event = { id, kind, ...timesOf(at), subject_type, subject_id, ticket_id, client_id, actor, before, after }
  return cause ? { ...event, cause } : event
}

function timesOf(at: Date) {
  return { at: timestamp(at), at_iso: isoTime(at) }
}

/**
 * Text is truncated at a number of characters, and further if these take many bytes, but never within a character. An event that is too large
 * without text contains only its ids.
 */
function fittingBody(data: Data, at: Date, text: string | undefined): string {
  const written = (data: Data) => JSON.stringify({ type: data.kind, timestamp: at.toISOString(), data })
  const isFit = (body: string) => Buffer.byteLength(body) < tooManyBytes
  if (!isFit(written(data))) return written({ ...data, before: null, after: null, is_cut: 1 })
  if (text === undefined) return written(data)

  const characters = [...text.slice(0, 2 * maxCharacters + 2)]
  const withText = (count: number) => {
    const is_cut = count < characters.length ? 1 : 0
    return written({ ...data, text: characters.slice(0, count).join(''), is_cut })
  }
  const wanted = Math.min(characters.length, maxCharacters)
  if (isFit(withText(wanted))) return withText(wanted)
  let [fits, tooMany] = [0, wanted]
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2)
    if (isFit(withText(middle))) fits = middle
    else tooMany = middle
  }
  return withText(fits)
}
