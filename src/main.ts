import { setTimeout as pause } from 'node:timers/promises'
import manifest from '../package.json' with { type: 'json' }
import { buildApp } from './app.ts'
import { followClock } from './core/clock/desk-clock.ts'
import { keepDoingDueWork } from './core/clock/due-work.ts'
import type { Config } from './core/config.ts'
import { followLog } from './core/events/follow-log.ts'
import { misspeltSettings } from './core/misspelt-settings.ts'
import type { Services } from './core/services.ts'
import { csatReader } from './insight/csat/csat-reader.ts'
import { reportReader } from './insight/facts/report-reader.ts'
import { keepAddingUp } from './insight/facts/report-work.ts'
import { keepFetching } from './intake/mailbox/keep-fetching.ts'
import { keepProcessing } from './intake/mailbox/keep-processing.ts'
import { listenForMail } from './intake/mailbox/listen-for-mail.ts'
import { removeHandOverSocket, takeHandedOver } from './intake/mailbox/take-handed-over.ts'
import { watchMails } from './intake/mailbox/watch-mails.ts'
import { keepNotifyingOfMailboxes } from './intake/mailbox-setup/notify-of-mailboxes.ts'
import { watchMailboxes } from './intake/mailbox-setup/watch-mailboxes.ts'
import { jobHandlers } from './job-handlers.ts'
import { isLoopback } from './lib/loopback.ts'
import { watchOutbox } from './mail/outbox/watch-outbox.ts'
import { dueWork } from './operation/clock/timed-work.ts'
import { buildMonitoringApp } from './operation/health/monitoring-app.ts'
import { type Monitoring, monitoringOf } from './operation/health/monitoring-routes.ts'
import { openTracing } from './operation/health/tracing.ts'
import { watchReaders } from './operation/health/watch-readers.ts'
import { watchRuleTimers } from './operation/health/watch-rule-timers.ts'
import { watchTickets } from './operation/health/watch-tickets.ts'
import { insecureSettings, localhostLinks } from './operation/insecure-settings.ts'
import type { Installation } from './operation/installation.ts'
import { type Listening, listen, monitoringAddress, refuseTakenAddresses } from './operation/listening.ts'
import {
  answerWithinMilliseconds,
  jobsWithinMilliseconds,
  runUntilStopped,
  type StopRequest
} from './operation/running.ts'
import { startupMessage } from './operation/startup-message.ts'
import { keepDelivering } from './outward/webhooks/keep-delivering.ts'
import { watchWebhooks } from './outward/webhooks/watch-webhooks.ts'
import { defaultPasswordWarning, ensureFirstAdmin } from './people/staff/first-admin.ts'
import { clockSkew } from './platform/db/clock-skew.ts'
import { makeLog } from './platform/log.ts'
import { watchPool, watchProcess } from './platform/metrics/metrics.ts'
import { terminalAt } from './platform/terminal.ts'
import { maxRequestMilliseconds, sweepUploads } from './tickets/attachments/sweep-uploads.ts'
import { watchFiles } from './tickets/attachments/watch-files.ts'
import { keepSending } from './tickets/notifications/keep-sending.ts'
import { ruleReader } from './tickets/rules/rule-reader.ts'
import { initializeSearchLanguage } from './tickets/search/language.ts'
import { keepSendingReplies } from './tickets/sending/keep-sending-replies.ts'
import { slaReader } from './tickets/sla/clock-reader.ts'
import { recountByTimeZoneData } from './tickets/sla/time-zone-data.ts'

/** The roles of a process: serve requests, run jobs. */
export interface Roles {
  requests: boolean
  jobs: boolean
}

/** The time to sequence the last events; otherwise another process does, or the next start. */
const eventsWithinMilliseconds = 1_000

/** Serves requests, and runs jobs unless told otherwise, until SIGTERM, SIGINT or an error of ours; returns the exit code. */
export async function serve(config: Config, { jobs }: Pick<Roles, 'jobs'>): Promise<number> {
  await refuseTakenAddresses(config)
  return await runUntilStopped(
    config,
    makeLog(config.LOG_LEVEL, 'stdout', terminalAt(1, process.env)),
    { as: 'server', schema: schemaOf(config) },
    async (installation, end) => {
      await prepareToServe(installation.services, end.signal)
      await runRoles(installation, end, { requests: true, jobs })
    }
  )
}

/** Only runs jobs, beside processes that serve requests, until SIGTERM, SIGINT or an error of ours; returns the exit code. */
export async function workOnJobs(config: Config): Promise<number> {
  return await runUntilStopped(
    config,
    makeLog(config.LOG_LEVEL, 'stdout', terminalAt(1, process.env)),
    { as: 'guest', schema: 'await' },
    async (installation, end) => {
      await runRoles(installation, end, { requests: false, jobs: true })
    }
  )
}

/** What a serving process does with an older schema. */
export function schemaOf({ MIGRATE }: Config): 'migrate' | 'await' {
  return MIGRATE === 'auto' ? 'migrate' : 'await'
}

/**
 * The preparations before serving, once per installation: an admin, and warnings for the operator. Leftovers of interrupted requests are swept
 * while others are already served.
 */
export async function prepareToServe(services: Services, signal: AbortSignal): Promise<void> {
  const { config, log } = services
  await removeHandOverSocket(services)
  const { isDefaultPasswordInUse } = await ensureFirstAdmin(services, { isLoopback: isLoopback(config.HOST) })
  if (isDefaultPasswordInUse) log.warn(defaultPasswordWarning)
  await initializeSearchLanguage(services)
  for (const sentence of [...misspeltSettings(process.env), ...insecureSettings(config)]) log.warn(sentence)
  const misleading = localhostLinks(config)
  if (misleading) log.warn(misleading)
  const clock = await clockSkew({ db: services.db, clock: services.realClock })
  if (clock) log[clock.isSevere ? 'error' : 'warn'](clock.text)
  if (config.production && !config.SMTP_URL) {
    log.warn('SMTP_URL is not set: e-mails are not sent, only written to DATA_DIR/outbox')
  }
  if (config.production && !config.SMS_URL) {
    log.warn('SMS_URL is not set: text messages are not sent, only written to DATA_DIR/outbox')
  }
  // Listing a bucket is left to the job: it costs money, and every process would do it.
  if (!config.S3_BUCKET) sweepMeanwhile(services, signal)
}

function sweepMeanwhile(services: Services, signal: AbortSignal): void {
  const { log } = services
  sweepUploads(services, { olderThanMilliseconds: maxRequestMilliseconds(services), signal }).catch(error => {
    if (!signal.aborted) log.warn({ err: error }, 'The file cleanup failed, and will be retried at night')
  })
}

/** Runs its roles until the end. `given` are the health and metrics, by default of this process only. */
export async function runRoles(
  { services }: Installation,
  end: StopRequest,
  roles: Roles,
  given?: Monitoring
): Promise<void> {
  const { config, jobs, log } = services
  watchPool(services.metrics, services.pool)
  watchOutbox(services)
  watchFiles(services)
  watchReaders(services)
  watchRuleTimers(services)
  watchTickets(services)
  watchWebhooks(services)
  watchMails(services)
  watchMailboxes(services)
  watchProcess(services.metrics, { version: manifest.version, node: process.versions.node })
  const tracing = await openTracing(process.env)
  const signals = given ?? monitoringOf(services, end.signal, { onlyJobs: !roles.requests })

  await services.events.start()
  const listening = roles.requests
    ? await listen(await buildApp(services, { signals, tracing, ending: end.signal }), config)
    : undefined
  const mail = roles.requests ? await listenForMail(services) : undefined
  const handedOver = roles.requests ? await takeHandedOver(services) : undefined
  const watched = await listenForMonitoring(services, signals)
  if (roles.jobs) {
    await recountByTimeZoneData(services, process.versions.tz).catch(error =>
      log.warn({ err: error }, 'Whether Node has other time zone data was not checked, and will be at the next start')
    )
    const handlers = jobHandlers(services)
    await jobs.work(tracing?.traced(handlers) ?? handlers, end.signal)
  }
  const following = followClock(services, end.signal)
  const doing = roles.jobs ? keepDoingDueWork(services, dueWork(services), end.signal) : undefined
  const counting = roles.jobs ? followLog(services, slaReader(services), end.signal) : undefined
  const ruling = roles.jobs ? followLog(services, ruleReader(services), end.signal) : undefined
  const replying = roles.jobs ? keepSendingReplies(services, end.signal) : undefined
  const reporting = roles.jobs ? followLog(services, reportReader(services), end.signal) : undefined
  const asking = roles.jobs ? followLog(services, csatReader(), end.signal) : undefined
  const addingUp = roles.jobs ? keepAddingUp(services, end.signal) : undefined
  const telling = roles.jobs ? keepSending(services, end.signal) : undefined
  const delivering = roles.jobs ? keepDelivering(services, end.signal) : undefined
  const warning = roles.jobs ? keepNotifyingOfMailboxes(services, end.signal) : undefined
  const settling = roles.jobs ? keepProcessing(services, end.signal) : undefined
  const fetching = roles.jobs ? keepFetching(services, end.signal) : undefined
  log.info({ pid: process.pid, roles: Object.keys(roles).filter(role => roles[role as keyof Roles]) }, 'working')
  // With workers the primary prints it.
  if (listening && !given) await printStartupMessage(services, listening.port)

  await end.reason
  const mailStopped = Promise.all([mail?.stop(), handedOver?.stop()])
  const stopped = Promise.race([
    Promise.all([
      jobs.stop(),
      following,
      doing,
      counting,
      ruling,
      replying,
      reporting,
      asking,
      addingUp,
      telling,
      delivering,
      settling,
      warning,
      fetching,
      mailStopped
    ]),
    pause(jobsWithinMilliseconds)
  ])
  await end.drained
  await listening?.stop(answerWithinMilliseconds)
  await stopped
  await Promise.race([services.events.stop(), pause(eventsWithinMilliseconds)])
  await watched?.stop(0)
}

/** Prints the URLs for whoever has started this at a terminal. */
export async function printStartupMessage(services: Services, port: number): Promise<void> {
  const terminal = terminalAt(1, process.env)
  if (terminal) process.stdout.write(await startupMessage(services, port, terminal))
}

/** Serves health and metrics on METRICS_PORT, if set. */
export async function listenForMonitoring(services: Services, signals: Monitoring): Promise<Listening | undefined> {
  const place = monitoringAddress(services.config)
  return place && (await listen(buildMonitoringApp(services, signals), services.config, place))
}
