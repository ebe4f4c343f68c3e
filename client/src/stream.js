import { backoff, delay, withTimeout } from './delays-and-timeouts.js'
import { DesklineError, networkFailure } from './deskline-error.js'
import { serverSentEvents } from './server-sent-events.js'

/**
 * The events as they happen, for as long as somebody asks for the next one. A connection that breaks is made anew, and goes on after
 * the last event that came. The first one is tried as often as any call.
 *
 * @param {(init: object, transport: import('./transport.js').Transport) => Promise<{ data: ReadableStream<Uint8Array>, response: Response }>} open
 * @param {import('./index.js').StreamOptions} options
 * @returns {AsyncGenerator<any, void, undefined>}
 */
export async function* streamOf(open, { after, signal, onOpen, idleMilliseconds = 25_000, ...fields }) {
  let last = ''
  let failures = 0
  let wasOpen = false
  while (true) {
    const connection = new AbortController()
    const signals = signal ? [signal, connection.signal] : [connection.signal]
    let wait = 0
    try {
      const init = {
        body: { ...fields, ...(last || after === undefined ? {} : { after }) },
        headers: last ? { 'Last-Event-ID': last } : {},
        signal: AbortSignal.any(signals),
        ...(wasOpen ? { tries: 0 } : {})
      }
      const { data: stream, response } = await open(init, (fetch, url, sent) =>
        withTimeout(fetch(url, sent), idleMilliseconds)
      )
      wasOpen = true
      // The position to resume from if it breaks before the first event.
      last ||= response.headers.get('last-event-id') ?? ''
      onOpen?.(last)
      for await (const { id, event, data, retry } of serverSentEvents(chunksOf(stream, idleMilliseconds))) {
        failures = 0
        wait = retry ?? wait
        last = id || last
        if (data !== '') yield { kind: event, ...JSON.parse(data) }
      }
    } catch (error) {
      signal?.throwIfAborted()
      if (!wasOpen) throw error
      wait = passing(error)
    } finally {
      connection.abort()
    }
    await delay(Math.max(wait, backoff(failures++, 30_000)), signal)
  }
}

/**
 * Milliseconds after which it is worth another try; throws what no other try will change. There may be too many streams for a moment,
 * since the service finds out late that ours is broken.
 *
 * @param {unknown} error
 */
function passing(error) {
  if (!(error instanceof DesklineError)) throw error
  const { status, retryAfterSeconds = 0 } = error
  if (status === 0 || status >= 500 || status === 429) return retryAfterSeconds * 1000
  throw error
}

/**
 * @param {ReadableStream<Uint8Array>} stream
 * @param {number} idleMilliseconds
 */
async function* chunksOf(stream, idleMilliseconds) {
  const reader = stream.getReader()
  try {
    while (true) {
      const { done, value } = await withTimeout(reader.read(), idleMilliseconds).catch(error => {
        throw networkFailure(error)
      })
      if (done) return
      yield value
    }
  } finally {
    // It may be broken already.
    await reader.cancel().catch(() => {})
  }
}
