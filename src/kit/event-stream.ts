import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** What an answer that never ends on its own is written to: server-sent events, to one reader. */
export interface EventStream {
  /** Whether nobody reads any more, or it was ended. */
  readonly isOver: boolean
  /** Whether so little is unread that more can be sent at once. */
  readonly hasRoom: boolean
  /** Sends one event, as `eventText` makes it. A reader who leaves more than `maxBufferedBytes` unread is dropped. */
  send(text: string): void
  /** Resolves once what was sent has been taken, or the stream is over. */
  taken(): Promise<void>
  /** Ends it in order: the reader sees that it is over, and comes again where they left off. */
  end(): void
}

/** Called with the stream once its headers are on their way; what it answers is called when the stream is over, for whatever reason. */
export type BeginStream = (stream: EventStream) => () => void

/** What waits in our memory for one reader at most. */
export const maxBufferedBytes = 256 * 1024
/** So that nobody on the way takes an idle stream for a dead one. */
const commentSeconds = 15
const comment = ':\n\n'
const lingerMilliseconds = 2_000
/** Emitted by the response of a stream when it begins: the request is answered by then, though the answer goes on. */
export const streaming = 'deskline:streaming'

/** The streams of an app, with the second of fifteen in which each is sent its comment. */
const open = new WeakMap<FastifyInstance, Set<OpenStream>>()
const responses = new WeakSet<ServerResponse>()

type OpenStream = EventStream & { commentsAt: number }

/** Whether this answer goes on for as long as its reader wants: no time limit of answers is meant for it. */
export function isEventStream(response: ServerResponse): boolean {
  return responses.has(response)
}

/** Keeps the streams of an app alive, and ends them before it closes. */
export function keepEventStreams(app: FastifyInstance): void {
  const streams = new Set<OpenStream>()
  open.set(app, streams)
  let second = 0
  const timer = setInterval(() => {
    second = (second + 1) % commentSeconds
    for (const stream of streams) if (stream.commentsAt === second) stream.send(comment)
  }, 1000).unref()
  app.addHook('preClose', done => {
    clearInterval(timer)
    for (const stream of streams) stream.end()
    done()
  })
}

/** One event: `id` where the stream can be taken up again behind it. */
export function eventText({ id, event, data }: { id?: string; event: string; data: string }): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`
}

export function beginEventStream(reply: FastifyReply, begin: BeginStream): FastifyReply {
  const { raw: response, server } = reply
  const streams = open.get(server as FastifyInstance)!
  const { socket } = response
  reply.code(200).headers({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
    connection: 'close'
  })
  reply.hijack()
  responses.add(response)
  // It idles for as long as nothing happens.
  socket?.setTimeout(0)
  for (const [name, value] of Object.entries(reply.getHeaders())) response.setHeader(name, value as string)
  response.writeHead(reply.statusCode)
  response.emit(streaming)

  const stream: OpenStream = {
    commentsAt: Math.floor(Math.random() * commentSeconds),
    get isOver() {
      return response.writableEnded || response.destroyed
    },
    get hasRoom() {
      return response.writableLength < maxBufferedBytes / 2
    },
    send(text) {
      if (this.isOver) return
      response.write(text)
      if (response.writableLength > maxBufferedBytes) response.destroy()
    },
    taken() {
      if (this.isOver || !response.writableNeedDrain) return Promise.resolve()
      return new Promise(resolve => {
        const done = () => {
          response.off('drain', done).off('close', done)
          resolve()
        }
        response.on('drain', done).on('close', done)
      })
    },
    end() {
      if (this.isOver) return
      response.end()
      // Whoever does not read would hear of it only when they have read all that waits for them.
      setTimeout(() => response.destroy(), lingerMilliseconds).unref()
    }
  }
  streams.add(stream)
  stream.send(comment)
  const over = begin(stream)
  const close = () => {
    streams.delete(stream)
    over()
  }
  if (response.closed) close()
  else response.once('close', close)
  return reply
}
