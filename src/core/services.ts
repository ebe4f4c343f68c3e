import type { Clock } from '../platform/clock.ts'
import type { PoolCounts } from '../platform/db/open.ts'
import type { FileStore } from '../platform/files/file-store.ts'
import type { Log } from '../platform/log.ts'
import type { Mail } from '../platform/mail/mail.ts'
import type { MailReader } from '../platform/mail-reading/mail-reader.ts'
import type { Outgoing } from '../platform/outgoing/outgoing.ts'
import type { Scanner } from '../platform/scanner/scanner.ts'
import type { Passwords } from '../platform/secrets/passwords.ts'
import type { Texts } from '../platform/texts/texts.ts'
import type { Config } from './config.ts'
import type { Db } from './db.ts'
import type { EventTail } from './events/tail.ts'
import type { Jobs } from './jobs.ts'
import type { Keys } from './keys.ts'
import type { Metrics } from './metrics.ts'

/** The dependencies of verbs: the outside world and the secrets, created once by `main.ts` or by a test. */
export interface Services {
  config: Config
  db: Db
  /** One connection of its own, to tell whether the database works, however many wait for `db`. */
  probe: Db
  /** The load of `db`. */
  pool: PoolCounts
  /** The event log as this process follows it. */
  events: EventTail
  /** The desk's time, of all that people see: that of the machine, unless an admin has set it (`TEST_CLOCK`). */
  clock: Clock
  /** The machine's time: of sessions, tokens, codes, rate limits, idempotency keys, leases and deliveries. */
  realClock: Clock
  log: Log
  keys: Keys
  passwords: Passwords
  files: FileStore
  /** Scans files before they are sent; undefined without a scanner. */
  scanner: Scanner | undefined
  jobs: Jobs
  mail: Mail
  /** Parses incoming e-mails; its thread starts with the first. */
  mailReader: MailReader
  texts: Texts
  /** Requests to URLs that users enter. */
  outgoing: Outgoing
  /** Requests to URLs that strangers wrote in e-mails: only to public addresses, whatever the operator allows of those that users enter. */
  pictureServers: Pick<Outgoing, 'refusal' | 'send'>
  metrics: Metrics
}
