import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { type MailChecker, mailChecker } from './mail-checker.ts'
import type { Envelope, ReadMail } from './read-mail.ts'

/** The mail was not parsed: it takes too long or too much memory, or is no message. `message` is the reason, as a slug. */
export class MailNotRead extends Error {
  readonly detail: string
  constructor(reason: string, detail = '') {
    super(reason)
    this.detail = detail
  }
}

/** Parses mails in a separate thread, one at a time, and authenticates them in others. */
export interface MailReader extends Pick<MailChecker, 'check'> {
  /** Transfers the buffer, which is empty afterwards. Throws `MailNotRead`. */
  read(raw: Uint8Array<ArrayBuffer>, envelope: Envelope): Promise<ReadMail>
  close(): Promise<void>
}

const limitMilliseconds = 2_000
const limitMillisecondsPerMegabyte = 100
/** On a busy machine a thread gets less than one core. */
const timeoutFactor = 10
const pollMilliseconds = 100
const startMilliseconds = 120_000
const limits = { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 64, stackSizeMb: 4 }

/** The thread starts with the first mail and is kept; one that was stopped is replaced. */
export function mailReader(): MailReader {
  let thread: Promise<Worker> | undefined
  let last: Promise<unknown> = Promise.resolve()
  const checker = mailChecker()

  async function read(raw: Uint8Array<ArrayBuffer>, envelope: Envelope): Promise<ReadMail> {
    thread ??= start()
    const worker = await thread
    try {
      return await answerOf(worker, raw, envelope)
    } catch (error) {
      if (!(error instanceof MailNotRead) || error.detail === '') {
        thread = undefined
        await worker.terminate()
      }
      throw error
    }
  }

  /** A thread that cannot start, or ends, is forgotten. */
  function start(): Promise<Worker> {
    const starting = started()
    const forget = () => {
      if (thread === starting) thread = undefined
    }
    starting.then(worker => worker.once('exit', forget), forget)
    return starting
  }

  return {
    check: checker.check,
    read(raw, envelope) {
      const reading = last.then(() => read(raw, envelope))
      last = reading.catch(() => {})
      return reading
    },
    async close() {
      await last
      const worker = await thread?.catch(() => undefined)
      thread = undefined
      await worker?.terminate()
      await checker.close()
    }
  }
}

async function started(): Promise<Worker> {
  const worker = new Worker(new URL('./reader-thread.ts', import.meta.url), {
    resourceLimits: limits,
    stdout: true,
    stderr: true
  })
  // Between two mails nobody else listens, and an unhandled error would end the process.
  worker.on('error', () => {})
  worker.unref()
  try {
    await messageOf(worker, startMilliseconds)
    return worker
  } catch (error) {
    await worker.terminate()
    throw error
  }
}

type Answer = { mail: ReadMail } | { reason: string; detail: string }

async function answerOf(worker: Worker, raw: Uint8Array<ArrayBuffer>, envelope: Envelope): Promise<ReadMail> {
  const allowed = limitMilliseconds + (raw.byteLength / 1_048_576) * limitMillisecondsPerMegabyte
  const own = raw.byteLength === raw.buffer.byteLength ? raw.buffer : raw.slice().buffer
  const answer = messageOf(worker, allowed * timeoutFactor, allowed)
  worker.postMessage({ raw: own, envelope }, [own])
  const message = (await answer) as Answer
  if ('mail' in message) return message.mail
  throw new MailNotRead(message.reason, message.detail || 'read')
}

/** The next message of a thread. Throws `MailNotRead` if the thread ends first, or exceeds its time. */
async function messageOf(
  worker: Worker,
  timeoutMilliseconds: number,
  workMilliseconds = timeoutMilliseconds
): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  const done = new AbortController()
  const fail = (error: Error) => {
    const isMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    reject(new MailNotRead(isMemory ? 'takes_too_much_memory' : 'not_readable'))
  }
  const exit = () => reject(new MailNotRead('not_readable'))
  worker.once('message', resolve).once('error', fail).once('exit', exit)
  watchWork(worker, { timeoutMilliseconds, workMilliseconds, signal: done.signal }).then(
    isTooLong => isTooLong && reject(new MailNotRead('takes_too_long')),
    reject
  )
  try {
    worker.ref()
    return await promise
  } finally {
    done.abort()
    worker.off('message', resolve).off('error', fail).off('exit', exit)
    worker.unref()
  }
}

/** Resolves to true when the thread has used too much CPU time or real time. */
async function watchWork(
  worker: Worker,
  {
    timeoutMilliseconds,
    workMilliseconds,
    signal
  }: { timeoutMilliseconds: number; workMilliseconds: number; signal: AbortSignal }
): Promise<boolean> {
  const before = performance.now()
  const idle = await worker.cpuUsage().catch(() => undefined)
  while (!signal.aborted) {
    await pause(pollMilliseconds, undefined, { signal }).catch(() => {})
    if (signal.aborted) return false
    const used = idle && (await Promise.race([worker.cpuUsage(idle).catch(() => undefined), pause(pollMilliseconds)]))
    const worked = used ? (used.user + used.system) / 1_000 : 0
    if (worked > workMilliseconds || performance.now() - before > timeoutMilliseconds) return true
  }
  return false
}
