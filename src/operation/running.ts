import { setTimeout as pause } from 'node:timers/promises'
import type { Config } from '../core/config.ts'
import type { Log } from '../platform/log.ts'
import { type Installation, type InstallationOptions, openInstallation } from './installation.ts'

// All parts stop at the same time and stay below the 10 s that a supervisor may allow.
export const answerWithinMilliseconds = 5_000
export const jobsWithinMilliseconds = 6_500
/** How long worker processes get from the beginning of a stop until they are killed. */
export const processesWithinMilliseconds = 8_500
const endWithinMilliseconds = 9_500
// npm and the terminal both pass on one Ctrl-C: a signal this soon is not a second one.
const sameSignalMilliseconds = 250

/** The stop of a process: on request, or because of an error of ours. */
export interface StopRequest {
  /** Aborted as soon as a stop is requested. */
  signal: AbortSignal
  reason: Promise<void>
  /** Requests a stop; `exitCode` is the exit code of the process. */
  begin(exitCode?: number): void
  /** Resolves when requests need not be served any more: at once, or READY_DRAIN_SECONDS after the stop was requested. */
  drained: Promise<void>
  exitCode(): number
}

/**
 * Opens an installation, runs `run` until a stop is requested, and closes it; returns the exit code. Errors at the start are thrown with one
 * sentence for the operator; nothing stays open then.
 */
export async function runUntilStopped(
  config: Config,
  log: Log,
  options: InstallationOptions,
  run: (installation: Installation, end: StopRequest) => Promise<void>
): Promise<number> {
  const end = watchForEnd(log, config.READY_DRAIN_SECONDS * 1000)
  const installation = await openInstallation(config, log, { ...options, signal: end.signal }).catch(error => {
    if (end.signal.aborted) return undefined
    throw error
  })
  try {
    if (installation && !end.signal.aborted) await run(installation, end)
  } finally {
    // What was begun beside stops also if this could not: otherwise it would miss the database and log that.
    end.begin()
    await installation?.close()
  }
  log.info('stopped')
  return end.exitCode()
}

/** From here on signals stop the process, in order and in time, or at once when repeated. */
function watchForEnd(log: Log, drainMilliseconds: number): StopRequest {
  const controller = new AbortController()
  const { promise: reason, resolve } = Promise.withResolvers<void>()
  let exitCode = 0
  let firstSignalAt = 0

  const begin = (code = 0) => {
    exitCode ||= code
    if (controller.signal.aborted) return
    controller.abort()
    resolve()
    setTimeout(() => {
      log.error('Not everything could be closed in time')
      process.exit(1)
    }, drainMilliseconds + endWithinMilliseconds).unref()
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
      begin(1)
    })
  }
  return {
    signal: controller.signal,
    reason,
    begin,
    drained: reason.then(() => pause(drainMilliseconds)),
    exitCode: () => exitCode
  }
}
