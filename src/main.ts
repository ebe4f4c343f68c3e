import { setTimeout as pause } from 'node:timers/promises'
import { buildApp } from './app.ts'
import type { Config } from './config.ts'
import { type Installation, openInstallation } from './installation.ts'
import { jobHandlers } from './letters/handlers.ts'
import { isLoopback, listen } from './listening.ts'
import { type Log, makeLog } from './platform/log.ts'
import { ensureFirstAdmin } from './staff/first-admin.ts'
import { sweepUploads } from './tickets/sweep-uploads.ts'

// Together they stay below the 10 s in which a supervisor may expect the end.
const answerWithinMilliseconds = 5_000
const jobsWithinMilliseconds = 1_500
const endWithinMilliseconds = 9_500
const hourMilliseconds = 3_600_000
// npm and the terminal both pass on one Ctrl-C: what comes as close as this is not a second one.
const sameSignalMilliseconds = 250

/**
 * Serves until SIGTERM, SIGINT or a fault of ours, and answers the exit code. Whatever keeps it from starting is thrown, with one
 * sentence for the operator as its message; nothing stays open then.
 */
export async function serve(config: Config): Promise<number> {
  const log = makeLog(config.LOG_LEVEL)
  const end = watchForEnd(log)
  const installation = await openInstallation(config, log, { as: 'server', signal: end.signal }).catch(error => {
    if (end.signal.aborted) return undefined
    throw error
  })
  if (!installation) return end.exitCode()

  try {
    if (!end.signal.aborted) await run(installation, end)
  } finally {
    await installation.close()
  }
  log.info('stopped')
  return end.exitCode()
}

async function run({ services }: Installation, end: End): Promise<void> {
  const { config, jobs, log } = services
  await ensureFirstAdmin(services, { isLoopback: isLoopback(config.HOST) })
  if (config.production && new URL(config.BASE_URL).hostname === 'localhost') {
    log.warn('BASE_URL is not set: the links in letters lead to localhost')
  }
  // The embedded database belongs to this process alone: no other can be storing files. A served one may have more of us.
  const swept = await sweepUploads(services, config.DATABASE_URL ? hourMilliseconds : 0)
  if (swept > 0) log.info({ swept }, 'Removed files that no ticket names')
  const app = await buildApp(services)
  const listening = await listen(app, config)
  await jobs.work(jobHandlers(services))

  await end.reason
  await listening.stop(answerWithinMilliseconds)
  await Promise.race([jobs.stop(), pause(jobsWithinMilliseconds)])
}

interface End {
  /** Aborted as soon as the end is asked for. */
  signal: AbortSignal
  reason: Promise<void>
  exitCode(): number
}

/** From here on the process ends when it is told to, in order and in time, or at once when told again. */
function watchForEnd(log: Log): End {
  const controller = new AbortController()
  const { promise: reason, resolve } = Promise.withResolvers<void>()
  let exitCode = 0
  let firstSignalAt = 0

  const begin = () => {
    if (controller.signal.aborted) return
    controller.abort()
    resolve()
    setTimeout(() => {
      log.error('Not everything could be closed in time')
      process.exit(1)
    }, endWithinMilliseconds).unref()
  }
  for (const name of ['SIGTERM', 'SIGINT'] as const) {
    process.on(name, () => {
      if (firstSignalAt > 0 && Date.now() - firstSignalAt > sameSignalMilliseconds) process.exit(1)
      firstSignalAt ||= Date.now()
      log.info(`stopping on ${name}`)
      begin()
    })
  }
  for (const name of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(name, (error: unknown) => {
      log.fatal({ err: error }, `A fault in Deskline (${name}): stopping`)
      exitCode = 1
      begin()
    })
  }
  return { signal: controller.signal, reason, exitCode: () => exitCode }
}
