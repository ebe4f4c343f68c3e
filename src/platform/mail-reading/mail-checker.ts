import type { Readable } from 'node:stream'
import { Worker } from 'node:worker_threads'
import pLimit from 'p-limit'
import type { Checks, ReceivedMail } from './check-authenticity.ts'

/** The mail was not checked, because that takes too long or too much memory. */
export class MailNotChecked extends Error {}

/** Authenticates mails in separate threads, so that a mail with slow servers delays few others. */
export interface MailChecker {
  /** Throws `MailNotChecked`, and errors of the stream. */
  check(raw: Readable, sent: ReceivedMail): Promise<Checks>
  close(): Promise<void>
}

const maxThreads = 3
/** DNS lookups take 12 seconds at most; the rest is computing. */
const limitMilliseconds = 20_000
/** On a busy machine a thread is slow to load its modules. */
const startMilliseconds = 120_000
const limits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 }

/** Threads start on demand and are kept; one that fails or ends is not used again. */
export function mailChecker(): MailChecker {
  const limit = pLimit(maxThreads)
  const idle: Worker[] = []

  async function check(raw: Readable, sent: ReceivedMail): Promise<Checks> {
    try {
      const worker = idle.pop() ?? (await started(forget))
      const checks = await checkedBy(worker, raw, sent)
      idle.push(worker)
      return checks
    } finally {
      raw.destroy()
    }
  }

  function forget(worker: Worker): void {
    const at = idle.indexOf(worker)
    if (at >= 0) idle.splice(at, 1)
  }

  return {
    check: (raw, sent) => limit(check, raw, sent),
    async close() {
      await Promise.all(idle.splice(0).map(worker => worker.terminate()))
    }
  }
}

type Told = 'ready' | 'more' | { checks: Checks } | { failure: string }

async function started(onExit: (worker: Worker) => void): Promise<Worker> {
  const worker = new Worker(new URL('./checker-thread.ts', import.meta.url), {
    resourceLimits: limits,
    stdout: true,
    stderr: true
  })
  // Between two mails nobody else listens, and an unhandled error would end the process.
  worker.on('error', () => {}).once('exit', () => onExit(worker))
  worker.unref()
  await heardFrom(worker, startMilliseconds, hearing => hearing.next())
  return worker
}

async function checkedBy(worker: Worker, raw: Readable, sent: ReceivedMail): Promise<Checks> {
  return await heardFrom(worker, limitMilliseconds, async hearing => {
    worker.postMessage({ sent })
    for await (const chunk of raw as AsyncIterable<Buffer>) {
      worker.postMessage({ chunk })
      const told = await hearing.next()
      if (told !== 'more') return checksIn(told)
    }
    worker.postMessage('end')
    return checksIn(await hearing.next())
  })
}

/** Runs `work`, which hears the messages of a thread. The thread ends if that fails. */
async function heardFrom<R>(
  worker: Worker,
  withinMilliseconds: number,
  work: (hearing: ReturnType<typeof hear>) => Promise<R>
): Promise<R> {
  const hearing = hear(worker, withinMilliseconds)
  try {
    return await work(hearing)
  } catch (error) {
    await worker.terminate()
    throw error
  } finally {
    hearing.stop()
  }
}

function checksIn(told: Told): Checks {
  if (typeof told === 'object' && 'checks' in told) return told.checks
  throw new MailNotChecked(typeof told === 'object' ? told.failure : told)
}

/** The messages of a thread, within a time limit. Fails with `MailNotChecked` if the thread ends or the time is over. */
function hear(worker: Worker, withinMilliseconds: number) {
  const heard: Told[] = []
  let failure: Error | undefined
  let wake = () => {}
  const take = (told: Told) => {
    heard.push(told)
    wake()
  }
  const fail = (reason: unknown) => {
    failure = new MailNotChecked(`The thread ended: ${reason}`)
    wake()
  }
  const timer = setTimeout(() => fail('it took too long'), withinMilliseconds)
  worker.on('message', take).on('error', fail).on('exit', fail)
  worker.ref()
  return {
    async next(): Promise<Told> {
      while (heard.length === 0) {
        if (failure) throw failure
        const { promise, resolve } = Promise.withResolvers<void>()
        wake = resolve
        await promise
      }
      return heard.shift()!
    },
    stop() {
      clearTimeout(timer)
      worker.off('message', take).off('error', fail).off('exit', fail)
      worker.unref()
    }
  }
}
