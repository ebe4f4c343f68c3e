import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** A response of server-sent events (SSE) to one reader. */
export interface EventStream {
  /** Whether the reader has disconnected or the stream was ended. */
  readonly isOver: boolean
  /** Whether little enough is buffered to send more at once (no backpressure). */
  readonly hasRoom: boolean
  /** Sends one event, as formatted by `eventText`. A reader with more than `maxBufferedBytes` unread is disconnected. */
  send(text: string): void
  /** Resolves when the buffer has drained, or the stream is over. */
  taken(): Promise<void>
  /** Ends the stream cleanly: the reader notices the end and reconnects where it stopped. */
  end(): void
}

/** Called with the stream once its headers have been sent; the function that it returns is called when the stream is over, for any reason. */
export type BeginStream = (stream: EventStream) => () => void

/** The maximum that is buffered in memory for one reader. */
export const maxBufferedBytes = 256 * 1024
/** The interval of the heartbeat, so that no proxy closes an idle stream. */
const commentSeconds = 15
const comment = ':\n\n'
const lingerMilliseconds = 2_000
/** Emitted by the response when a stream begins: the request counts as answered then, although the response goes on. */
export const streamStarted = 'deskline:streaming'

const apps = new WeakMap<FastifyInstance, Streams>()
const responses = new WeakSet<ServerResponse>()

/** The streams of an app. */
interface Streams {
  open: Set<OpenStream>
  isClosing: boolean
}

/** `commentsAt` is the second (of fifteen) in which the heartbeat is sent. */
type OpenStream = EventStream & { commentsAt: number }

/** Whether this response is an event stream: the time limits of responses do not apply to it. */
export function isEventStream(response: ServerResponse): boolean {
  return responses.has(response)
}

/** Keeps the streams of an app alive, and ends them before it closes. */
export function manageEventStreams(app: FastifyInstance): void {
  const streams: Streams = { open: new Set(), isClosing: false }
  apps.set(app, streams)
  let second = 0
  const timer = setInterval(() => {
    second = (second + 1) % commentSeconds
    for (const stream of streams.open) if (stream.commentsAt === second) stream.send(comment)
  }, 1000).unref()
  app.addHook('preClose', done => {
    clearInterval(timer)
    streams.isClosing = true
    for (const stream of streams.open) stream.end()
    done()
  })
}

/** Formats one event; with an `id` if the stream can be resumed after it. */
export function eventText({ id, event, data }: { id?: string; event: string; data: string }): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`
}

export function beginEventStream(reply: FastifyReply, begin: BeginStream): FastifyReply {
  const { raw: response, server } = reply
  const streams = apps.get(server as FastifyInstance)!
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
  response.emit(streamStarted)

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
      // A reader that does not read what is buffered would otherwise keep the connection open.
      setTimeout(() => response.destroy(), lingerMilliseconds).unref()
    }
  }
  streams.open.add(stream)
  stream.send(comment)
  const over = begin(stream)
  const close = () => {
    streams.open.delete(stream)
    over()
  }
  if (response.closed) close()
  else response.once('close', close)
  // Its request was still being handled when the app ended the other streams.
  if (streams.isClosing) stream.end()
  return reply
}
