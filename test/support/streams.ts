import assert from 'node:assert/strict'

/** One server-sent event; `id` where it has one. */
export interface StreamEvent {
  id: string | undefined
  event: string
  // biome-ignore lint/suspicious/noExplicitAny: data of every shape.
  data: any
}

export interface StreamListener {
  status: number
  headers: Headers
  /** All events received so far, without comments. */
  told: StreamEvent[]
  /** The number of comments received. */
  comments(): number
  /** The id of the last event that had one. */
  lastId(): string | undefined
  /** Resolves with the first event that fits, received or yet to come. */
  first(fits: (told: StreamEvent) => boolean, what?: string): Promise<StreamEvent>
  /** Resolves when the stream has ended; `cut` if it did not end in order. */
  ended: Promise<'ended' | 'cut'>
  /** Closes the connection. */
  close(): void
}

export interface ListenOptions {
  token: string
  /** The stream of staff, unless another is given. */
  path?: string
  body?: object
  lastEventId?: string | undefined
}

const timeoutMilliseconds = 60_000

/** Listens to a stream until it ends or is closed; every event must be well-formed. */
export async function listen(url: string, options: ListenOptions): Promise<StreamListener> {
  const { token, path = '/api/admin/events/stream', body = {}, lastEventId } = options
  const abort = new AbortController()
  const response = await fetch(url + path, {
    method: 'POST',
    signal: abort.signal,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId })
    },
    body: JSON.stringify(body)
  })
  const told: StreamEvent[] = []
  let comments = 0
  const waiting = new Set<() => void>()
  let state = `status ${response.status}`
  const look = () => {
    for (const each of waiting) each()
  }

  async function read(): Promise<'ended' | 'cut'> {
    let text = ''
    const decoder = new TextDecoder()
    try {
      for await (const chunk of response.body!) {
        text += decoder.decode(chunk, { stream: true })
        const blocks = text.split('\n\n')
        text = blocks.pop()!
        for (const block of blocks) {
          if (block.startsWith(':')) comments++
          else told.push(parseEvent(block))
        }
        look()
      }
      state = 'ended'
      return 'ended'
    } catch {
      state = 'cut'
      return 'cut'
    } finally {
      look()
    }
  }

  return {
    status: response.status,
    headers: response.headers,
    told,
    comments: () => comments,
    lastId: () => told.findLast(({ id }) => id !== undefined)?.id,
    first(fits, what = 'an event that fits') {
      return new Promise((resolve, reject) => {
        const late = setTimeout(() => {
          waiting.delete(each)
          reject(
            new Error(`${what} did not come; there came ${JSON.stringify(told.map(({ event }) => event))} (${state})`)
          )
        }, timeoutMilliseconds)
        const each = () => {
          const found = told.find(fits)
          if (!found) return
          clearTimeout(late)
          waiting.delete(each)
          resolve(found)
        }
        waiting.add(each)
        each()
      })
    },
    ended: response.ok
      ? read()
      : response.text().then(
          () => 'ended' as const,
          () => 'cut' as const
        ),
    close: () => abort.abort()
  }
}

function parseEvent(block: string): StreamEvent {
  const fields = new Map(
    block.split('\n').map(line => {
      const parts = /^(id|event|data): (.*)$/.exec(line)
      assert.ok(parts, `no line of a stream: ${line}`)
      return [parts[1]!, parts[2]!]
    })
  )
  return { id: fields.get('id'), event: fields.get('event')!, data: JSON.parse(fields.get('data')!) }
}
