import type { Config } from './config.ts'
import type { Db } from './db.ts'
import type { EventTail } from './events/tail.ts'
import type { Jobs } from './jobs.ts'
import type { Keys } from './keys.ts'
import type { Metrics } from './metrics.ts'
import type { Clock } from './platform/clock.ts'
import type { PoolCounts } from './platform/db/open.ts'
import type { FileStore } from './platform/files/file-store.ts'
import type { Log } from './platform/log.ts'
import type { Mail } from './platform/mail/mail.ts'
import type { MailReader } from './platform/mail-reading/mail-reader.ts'
import type { Outgoing } from './platform/outgoing/outgoing.ts'
import type { Scanner } from './platform/scanner/scanner.ts'
import type { Passwords } from './platform/secrets/passwords.ts'
import type { Texts } from './platform/texts/texts.ts'

/** What the verbs work on: the outside world and the secrets, made once by `main.ts` or by a test. */
export interface Services {
  config: Config
  db: Db
  /** How busy `db` is. */
  pool: PoolCounts
  /** The log of all that happens, as this process follows it. */
  events: EventTail
  clock: Clock
  log: Log
  keys: Keys
  passwords: Passwords
  files: FileStore
  /** Looks into files before they are given out; undefined where nothing does. */
  scanner: Scanner | undefined
  jobs: Jobs
  mail: Mail
  /** Reads e-mails that came in; its thread is started with the first. */
  mailReader: MailReader
  texts: Texts
  /** Requests to addresses that people name. */
  outgoing: Outgoing
  metrics: Metrics
}
