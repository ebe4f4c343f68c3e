import { stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import type { Config } from '../../core/config.ts'
import type { Db } from '../../core/db.ts'
import { openJobs } from '../../core/jobs.ts'
import { backlogDifference } from '../../insight/facts/reconcile-backlog.ts'
import { type Clock, systemClock } from '../../platform/clock.ts'
import { openDatabase } from '../../platform/db/open.ts'
import { reasonOf, waitForDatabase } from '../../platform/db/wait-for-database.ts'
import type { Log } from '../../platform/log.ts'
import { keyFilePermissions, keyFileSecret } from '../../platform/secrets/key-file.ts'
import { countMismatches } from '../../tickets/queue/recount-tickets.ts'
import { makeDataFolder, refuseUnmakeableFolder } from '../data-folder.ts'
import {
  connectionFor,
  databaseName,
  fileStoreFor,
  keyFilePath,
  outboxPath,
  refuseUnfitConnection,
  scannerOf,
  smtpOf
} from '../installation.ts'
import { checkFileOwner } from './doctor-files.ts'
import { checkConnectedMailboxes, checkIncomingMail, checkTokenMailboxes } from './doctor-mail.ts'
import { checkPasskeys } from './doctor-passkeys.ts'
import { checkReaders } from './doctor-readers.ts'
import { checkSchema, checkStart, existingKeys } from './doctor-start.ts'
import { checkWebhooks } from './doctor-webhooks.ts'
import { type Finding, findingOf } from './finding.ts'

const gigabyte = 1024 ** 3
const scarceBytes = 2 * gigabyte
const tooFewBytes = gigabyte / 4

export async function* checkDataFolder({ DATA_DIR }: Config): AsyncGenerator<Finding> {
  const about = 'data folder'
  if (!(await exists(DATA_DIR))) {
    yield await findingOf(about, async () => {
      await refuseUnmakeableFolder(DATA_DIR)
      return `${DATA_DIR} is made at the first start`
    })
    return
  }
  yield await findingOf(about, async () => {
    await makeDataFolder(DATA_DIR)
    return `${DATA_DIR} can be written`
  })
  const { bavail, bsize } = await statfs(DATA_DIR)
  const free = bavail * bsize
  const verdict = free < tooFewBytes ? 'fail' : free < scarceBytes ? 'warn' : 'ok'
  yield { verdict, about: 'disk', text: `${(free / gigabyte).toFixed(1)} GiB are free for DATA_DIR` }
}

/** Stores a file and removes it, and has the scanner look into a harmless text. */
export async function* checkFiles(config: Config): AsyncGenerator<Finding> {
  if (config.S3_BUCKET || (await exists(join(config.DATA_DIR, 'uploads')))) {
    yield await findingOf('files', async () => {
      const store = await fileStoreFor(config, { id: 'doctor', formerIds: [], copiedFrom: [] })
      await store.check()
      return `they can be stored ${config.S3_BUCKET ? `in the bucket ${config.S3_BUCKET}` : 'in DATA_DIR'}`
    })
  }
  const scanner = scannerOf(config)
  if (!scanner) return
  yield await findingOf('scanner', async () => {
    const { isClean, answer } = await scanner.scan(Readable.from([Buffer.from('Deskline looks whether it is there.')]))
    if (!isClean) throw new Error(`it reports a harmless text as ${answer}`)
    return `it scans every file before it can be downloaded (${answer})`
  })
}

export async function* checkKeys(config: Config): AsyncGenerator<Finding> {
  const about = 'keys'
  const path = keyFilePath(config)
  if (config.APP_SECRET) {
    yield { verdict: 'ok', about, text: 'they come from APP_SECRET' }
  } else if (!(await exists(path))) {
    yield { verdict: 'ok', about, text: `${path} is made at the first start` }
  } else {
    yield await findingOf(about, async () => {
      await keyFileSecret(path)
      return `they come from ${path}`
    })
    const exposure = await keyFilePermissions(path)
    if (exposure) {
      yield { verdict: 'warn', about, text: `${path} can be used by others (${exposure}): make it 0600` }
    }
  }
}

/** Logs in to the mail server. A gateway for texts can only be tried by sending one. */
export async function* checkTransports(config: Config): AsyncGenerator<Finding> {
  const smtp = smtpOf(config)
  const intoFiles = config.production ? 'warn' : 'ok'
  if (smtp && config.SMTP_URL) {
    const { host, port } = config.SMTP_URL
    yield await findingOf('mail', async () => {
      await smtp.verify()
      return `${host}:${port} lets us in`
    })
  } else {
    yield {
      verdict: intoFiles,
      about: 'mail',
      text: `SMTP_URL is not set: e-mails become files in ${outboxPath(config)}`
    }
  }
  yield config.SMS_URL
    ? { verdict: 'ok', about: 'texts', text: `they go to ${new URL(config.SMS_URL.url).host}` }
    : { verdict: intoFiles, about: 'texts', text: `SMS_URL is not set: texts become files in ${outboxPath(config)}` }
}

export async function* checkDatabase(config: Config, log: Log, clock: Clock = systemClock): AsyncGenerator<Finding> {
  const about = 'database'
  const name = databaseName(config)
  if (!config.DATABASE_URL && !(await exists(join(config.DATA_DIR, 'postgres')))) {
    yield { verdict: 'ok', about, text: `${name} is made at the first start` }
    return
  }
  const closers: (() => Promise<void>)[] = []
  try {
    const { direct: connection, stop } = await connectionFor(config, log, 'visitor')
    closers.push(stop)
    const jobs = openJobs({ connection, log })
    const { db, close } = openDatabase({
      connection,
      maxConnections: 1,
      statementTimeoutMilliseconds: 5_000,
      connectTimeoutMilliseconds: 3_000,
      onIdleError: () => {}
    })
    closers.push(close)
    const version = await waitForDatabase(db, { name, withinMilliseconds: 0 })
    yield { verdict: 'ok', about, text: `${name} answers, PostgreSQL ${version}` }
    await refuseUnfitConnection(config)
    const schema = await checkSchema(config, db, jobs)
    yield schema.finding
    if (!schema.isUsable) return
    yield* checkStart(config, db, clock)
    yield* checkContent(db, config, clock)
    yield* checkIncomingMail(config, db, clock)
    const keys = await existingKeys(config)
    yield* checkTokenMailboxes({ config, db, realClock: clock, log, keys })
    yield* checkConnectedMailboxes({ config, db, realClock: clock, keys })
    yield await checkPasskeys(config, db)
    yield* checkFileOwner(config, db)
  } catch (error) {
    yield { verdict: 'fail', about, text: reasonOf(error) }
  } finally {
    for (const close of closers.reverse()) await close()
  }
}

async function* checkContent(db: Db, { MAX_OUTBOX_AGE_SECONDS }: Config, clock: Clock): AsyncGenerator<Finding> {
  const { rows } = await sql<{
    admins: number
    late: number
    untried_seconds: number
    failed: number
    unchecked: number
    infected: number
  }>`select
    (select count(*) from staff where role = 'admin' and is_active) as admins,
    (select count(*) from outbox_messages where state = 'queued' and created_at < now() - interval '10 minutes') as late,
    (select coalesce(extract(epoch from now() - min(created_at)), 0)::int from outbox_messages
      where state = 'queued' and attempts = 0) as untried_seconds,
    (select count(*) from outbox_messages where state = 'failed' and settled_at > now() - interval '7 days') as failed,
    (select count(*) from ticket_attachments
      where scan_state = 'pending' and created_at < now() - interval '10 minutes') as unchecked,
    (select count(*) from ticket_attachments
      where scan_state = 'infected' and scanned_at > now() - interval '7 days') as infected`.execute(db)
  const { admins, late, untried_seconds, failed, unchecked, infected } = rows[0]!
  const isNobodyThere = MAX_OUTBOX_AGE_SECONDS > 0 && untried_seconds > MAX_OUTBOX_AGE_SECONDS
  yield admins > 0
    ? { verdict: 'ok', about: 'admins', text: `${admins} can log in` }
    : { verdict: 'warn', about: 'admins', text: 'there is none: run "deskline create-admin"' }
  yield {
    verdict: isNobodyThere ? 'fail' : late + failed > 0 ? 'warn' : 'ok',
    about: 'outbox',
    text:
      (isNobodyThere ? `nobody has tried to deliver one for ${untried_seconds} s: no worker runs; ` : '') +
      `${late} have waited for more than 10 minutes, ${failed} could not be delivered in the last 7 days` +
      (late + failed > 0 ? ' ("deskline outbox" tells why)' : '')
  }
  yield {
    verdict: unchecked > 0 ? 'warn' : 'ok',
    about: 'attachments',
    text: `${unchecked} have waited for the scanner for more than 10 minutes, ${infected} were quarantined in the last 7 days`
  }
  yield await checkReaders(db, clock)
  yield await checkWebhooks(db)
  yield await findingOf('counts', async () => {
    if ((await countMismatches(db)) > 0) throw new Error('those of tickets are wrong: run "deskline recount"')
    return 'those of tickets are right'
  })
  yield await findingOf('reports', async () => {
    const [state] = await backlogDifference(db, {})
    if (state!.backlog_difference === 0) return 'they agree with the tickets that are open'
    throw new Error(`they differ from the tickets by ${state!.backlog_difference}: run "deskline reports rebuild"`)
  })
}

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false
  )
}
