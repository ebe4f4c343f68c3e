import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { beginAuditLog, sealEvents } from '../core/audit/audit-chain.ts'
import { movableClock } from '../core/clock/desk-clock.ts'
import type { Config } from '../core/config.ts'
import { postgresEventChannel } from '../core/events/event-channel.ts'
import { openEventTail, type RunningTail } from '../core/events/tail.ts'
import { type JobRunner, openJobs } from '../core/jobs.ts'
import { makeKeys } from '../core/keys.ts'
import { makeMetrics } from '../core/metrics.ts'
import type { Services } from '../core/services.ts'
import type { Tables } from '../core/tables/tables.ts'
import { routedMail } from '../mail/mailboxes/routed-mail.ts'
import { canOpenSecrets } from '../people/auth/sealed-secrets.ts'
import { systemClock } from '../platform/clock.ts'
import { identify, locationOf } from '../platform/db/installation-id.ts'
import { type DatabaseOptions, neededSettings, openDatabase } from '../platform/db/open.ts'
import { refuseUnfitPooler } from '../platform/db/pooler.ts'
import { DatabaseFault, displayUrl } from '../platform/db/wait-for-database.ts'
import { diskFileStore } from '../platform/files/disk.ts'
import type { FileStore } from '../platform/files/file-store.ts'
import type { FileOwner } from '../platform/files/sweep.ts'
import type { Log } from '../platform/log.ts'
import type { DkimKey } from '../platform/mail/dkim.ts'
import { mailFolder } from '../platform/mail/outbox-folder.ts'
import { type SmtpMail, smtpMail } from '../platform/mail/smtp.ts'
import { mailReader } from '../platform/mail-reading/mail-reader.ts'
import { outboxFolder } from '../platform/outbox-file.ts'
import { outgoingHttp } from '../platform/outgoing/outgoing.ts'
import { attachEmbedded, startEmbedded } from '../platform/postgres/embedded.ts'
import { clamdScanner } from '../platform/scanner/clamd.ts'
import { commandScanner } from '../platform/scanner/command.ts'
import type { Scanner } from '../platform/scanner/scanner.ts'
import { KeyFileFault, keyFileSecret } from '../platform/secrets/key-file.ts'
import { makePasswords } from '../platform/secrets/passwords.ts'
import { textFolder } from '../platform/texts/outbox-folder.ts'
import type { Texts } from '../platform/texts/texts.ts'
import { makeDataFolder } from './data-folder.ts'
import { prepareDatabase } from './prepare-database.ts'

export interface Installation {
  services: Services & { jobs: JobRunner; events: RunningTail }
  /** The database itself, bypassing any pooler. */
  direct: Connection
  /** Closes everything in reverse order. */
  close(): Promise<void>
}

export interface InstallationOptions {
  /**
   * A `server` has the data folder for itself; a `visitor`, such as a CLI command, uses the database of a running server, or starts it
   * temporarily; a `guest` needs a running one; a `child` is a guest whose parent has migrated the database.
   */
  as: 'server' | 'visitor' | 'guest' | 'child'
  /**
   * What to do with a schema older than this code: migrate it, wait for another process to do so, or refuse it. An empty database, which nobody
   * can be using, is migrated by `require` too, unless MIGRATE is "never". A `child` finds it done.
   */
  schema: 'migrate' | 'await' | 'require'
  /** Stops the opening: the creation of a database, and waiting for one that does not respond. */
  signal?: AbortSignal
  /** Labels of every metric. */
  labels?: Record<string, string>
}

type Connection = DatabaseOptions['connection']

const closeWithinMilliseconds = 1_000
/** In addition to the server's own statement timeout. */
const silenceMilliseconds = 5_000

/**
 * Opens everything that verbs need: the data folder, the keys, the migrated database, the queues. Errors that the operator can fix are thrown
 * with one sentence; nothing stays open then.
 */
export async function openInstallation(
  config: Config,
  log: Log,
  { as, schema, signal, labels }: InstallationOptions
): Promise<Installation> {
  const closers: (() => Promise<void>)[] = []
  const close = async () => {
    for (let closer = closers.pop(); closer; closer = closers.pop()) await closer()
  }
  try {
    await makeDataFolder(config.DATA_DIR)
    const keys = makeKeys(config.APP_SECRET ?? [await keyFileSecret(keyFilePath(config))])

    const { connection, direct, stop } = await connectionFor(config, log, as, signal)
    closers.push(stop)
    signal?.throwIfAborted()
    const jobs = openJobs({ connection: direct, log })
    if (as !== 'child') {
      await prepareDatabase({ config, log, connection: direct, jobs, name: databaseName(config), signal }, schema)
      await refuseUnfitConnection(config)
    }
    const database = open(config, log, connection, as)
    // Closing waits for busy connections; a running query must not keep the server from stopping.
    closers.push(() => Promise.race([database.close(), pause(closeWithinMilliseconds)]))

    await beginAuditLog(keys, database.db)
    // LISTEN does not work behind a pooler in transaction mode.
    const channel = config.DATABASE_DIRECT_URL === undefined ? postgresEventChannel(direct) : undefined
    const events = openEventTail({ db: database.db, log, seal: (db, events) => sealEvents(keys, db, events), channel })
    closers.push(events.stop)
    const owner = await identify(database.db, await locationOf(database.db, clusterFolder(config)))
    const smtp = smtpOf(config)
    if (smtp) closers.push(async () => smtp.close())
    const routed = routedMail(
      { config, db: database.db, keys, realClock: systemClock, log },
      { mail: smtp ?? mailFolder(outboxPath(config), log), isServer: smtp !== undefined },
      dkimKeysOf(config)
    )
    closers.push(async () => routed.close())
    const reader = mailReader()
    closers.push(reader.close)
    const services = {
      config,
      db: database.db,
      probe: database.probe,
      pool: database.load,
      events,
      clock: config.TEST_CLOCK ? movableClock(database.db, systemClock) : systemClock,
      realClock: systemClock,
      log,
      keys,
      passwords: makePasswords(),
      files: await fileStoreFor(config, owner),
      scanner: scannerOf(config),
      jobs,
      mail: routed,
      mailReader: reader,
      texts: await textsOf(config, log),
      outgoing: outgoingHttp({ allowed: config.WEBHOOK_ALLOW_PRIVATE }),
      pictureServers: outgoingHttp({ allowed: [] }),
      metrics: makeMetrics(labels)
    }
    await refuseMismatchedKeys(services)
    await services.clock.follow?.()
    return { services, direct, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** The folder of the embedded cluster, if that is the database. */
export function clusterFolder({ DATABASE_URL, DATA_DIR }: Config): string | undefined {
  return DATABASE_URL ? undefined : join(DATA_DIR, 'postgres')
}

/** The file store: the configured bucket, else the data folder. Sends no request yet. */
export async function fileStoreFor(config: Config, owner: FileOwner): Promise<FileStore> {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY: accessKeyId, S3_SECRET_KEY: secretAccessKey } = config
  if (!bucket) return diskFileStore(config.DATA_DIR, owner)
  // Amazon's client takes a third of a second to load.
  const { s3FileStore } = await import('../platform/files/s3.ts')
  return s3FileStore({
    bucket,
    region: config.S3_REGION,
    endpoint: config.S3_ENDPOINT,
    publicEndpoint: config.S3_PUBLIC_ENDPOINT,
    pathStyle: config.S3_PATH_STYLE,
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined,
    prefix: config.S3_PREFIX,
    presignedDownloads: config.S3_PRESIGNED_DOWNLOADS,
    owner
  })
}

/** The virus scanner; undefined if none is configured. */
export function scannerOf({ CLAMD_SOCKET, SCAN_COMMAND, SCAN_TIMEOUT_SECONDS }: Config): Scanner | undefined {
  if (CLAMD_SOCKET) return clamdScanner(CLAMD_SOCKET, SCAN_TIMEOUT_SECONDS)
  if (!SCAN_COMMAND) return undefined
  const { PATH, HOME, LANG, TMPDIR } = process.env
  return commandScanner({
    command: SCAN_COMMAND,
    timeoutSeconds: SCAN_TIMEOUT_SECONDS,
    environment: { PATH, HOME, LANG, TMPDIR }
  })
}

/** The configured mail server, not connected yet; undefined if e-mails go to the outbox folder. */
export function smtpOf(config: Config): SmtpMail | undefined {
  const { SMTP_URL } = config
  return SMTP_URL && smtpMail({ address: SMTP_URL, dkim: dkimKeysOf(config) })
}

function dkimKeysOf(config: Config): readonly DkimKey[] {
  const { DKIM_DOMAIN: domain, DKIM_SELECTOR: selector, DKIM_PRIVATE_KEY: privateKey, DKIM_KEYS = [] } = config
  return [...(domain && selector && privateKey ? [{ domain, selector, privateKey }] : []), ...DKIM_KEYS]
}

async function textsOf(config: Config, log: Log): Promise<Texts> {
  const { SMS_URL: address, SMS_SECRET: secret = '', DEFAULT_COUNTRY: defaultCountry } = config
  if (!address) return textFolder(outboxPath(config), log)
  // Its data on phone numbers takes 50 ms to load.
  const { smsTexts } = await import('../platform/texts/sms.ts')
  return smsTexts({ address, secret, defaultCountry, clock: systemClock })
}

/** The folder for e-mails and texts when no server or gateway is configured. */
export function outboxPath(config: Config): string {
  return outboxFolder(config.DATA_DIR)
}

export function keyFilePath(config: Config): string {
  return join(config.DATA_DIR, 'app.key')
}

/** Throws `KeyFileFault` if the keys do not decrypt the database's secrets. */
export async function refuseMismatchedKeys(services: Pick<Services, 'config' | 'db' | 'keys'>): Promise<void> {
  if (!(await canOpenSecrets(services))) throw new KeyFileFault(keyMismatch(services.config))
}

/** The sentence for an operator whose secrets do not match the database. */
export function keyMismatch(config: Config): string {
  const source = config.APP_SECRET ? 'APP_SECRET' : `The key file ${keyFilePath(config)}`
  return `${source} is not what the secrets in the database were encrypted with: bring the former one back (as the last of several in APP_SECRET).`
}

/** The name of the database in messages. */
export function databaseName({ DATABASE_URL, DATABASE_DIRECT_URL }: Config): string {
  if (DATABASE_DIRECT_URL) return `DATABASE_DIRECT_URL ${displayUrl(DATABASE_DIRECT_URL)}`
  return DATABASE_URL ? `DATABASE_URL ${displayUrl(DATABASE_URL)}` : 'The embedded database'
}

/** The database connection, and how to close it. `direct` bypasses any pooler: migrations, jobs and copying need a session of their own. */
export async function connectionFor(
  config: Config,
  log: Log,
  as: InstallationOptions['as'],
  signal?: AbortSignal
): Promise<Way> {
  const { DATABASE_URL, DATABASE_DIRECT_URL = DATABASE_URL } = config
  if (DATABASE_URL) return { connection: DATABASE_URL, direct: DATABASE_DIRECT_URL!, stop: async () => {} }
  const running = as === 'server' ? undefined : await attachEmbedded(config.DATA_DIR)
  if (running) return { connection: running, direct: running, stop: async () => {} }
  if (as === 'guest' || as === 'child') {
    throw new DatabaseFault(`No Deskline serves ${config.DATA_DIR}: start "deskline serve" first, or set DATABASE_URL.`)
  }
  const { connection, stop } = await startEmbedded({ dataDir: config.DATA_DIR, log, signal })
  return { connection, direct: connection, stop }
}

interface Way {
  connection: Connection
  direct: Connection
  stop(): Promise<void>
}

/** Throws `DatabaseFault` if DATABASE_URL leads through an unfit pooler. */
export async function refuseUnfitConnection(config: Config): Promise<void> {
  const { DATABASE_URL: url, DATABASE_DIRECT_URL, STATEMENT_TIMEOUT_SECONDS } = config
  if (!url) return
  const session = neededSettings(STATEMENT_TIMEOUT_SECONDS * 1000)
  const name = `DATABASE_URL ${displayUrl(url)}`
  await refuseUnfitPooler({ url, name, session, hasDirect: DATABASE_DIRECT_URL !== undefined })
}

function open(config: Config, log: Log, connection: Connection, as: InstallationOptions['as']) {
  const statementTimeoutMilliseconds = config.STATEMENT_TIMEOUT_SECONDS * 1000
  // Commands work on large amounts of data, and their user sees if they hang.
  return openDatabase<Tables>({
    connection,
    maxConnections: config.DATABASE_POOL,
    statementTimeoutMilliseconds,
    answerTimeoutMilliseconds: as === 'visitor' ? undefined : statementTimeoutMilliseconds + silenceMilliseconds,
    connectTimeoutMilliseconds: 10_000,
    onIdleError: error => log.warn({ err: error }, 'A database connection was lost')
  })
}
