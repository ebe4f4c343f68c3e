import pg from 'pg'
import { nameOf } from './prepared.ts'
import { isReadOnlyError } from './read-only.ts'
import { backOff, isTransactionConflict } from './transaction-conflict.ts'

/** The settings of every session, by their PostgreSQL names. */
export type Session = Readonly<Record<string, string>>

export type DatabaseClientConfig = pg.ClientConfig & { session?: Session }

/**
 * After these errors the connection is useless, while another may reach a working server: the server is out of memory or
 * over its limits (53200, 53400), it is shutting down, has crashed or is starting (57P01 to 57P03), its database was dropped or its session timed
 * out (57P04, 57P05), or its disk fails (58). The same is true of a read-only server.
 */
const isUseless = /^(53200|53400|57P0[1-5]|58...)$/

/** Matches a statement that opens a transaction, alone or before others in the same text. */
const opensTransaction = /^\s*begin\b/i

/**
 * Each prepared statement takes memory in the server's session until it ends. A connection that has prepared so many is replaced after its
 * transaction. This is more than there are fixed queries without kinds.
 */
const maxStatements = 500

type Release = (error?: Error | boolean) => void

/**
 * A connection that sets up its session and knows when it has to be replaced; the pool drops it when it comes back. Fixed queries are prepared
 * by name: parsed and planned once per connection. Everything else is sent as it is. A single statement that lost a deadlock or serialization
 * conflict is sent once more.
 */
export class DatabaseClient extends pg.Client {
  readonly #session: Session
  readonly #statements = new Set<string>()
  #isUseless = false
  #release: Release = () => {}
  /** The number of the server's process, which pg does not describe. A pooler tells one of its own. */
  declare readonly processID: number

  constructor(config: DatabaseClientConfig = {}) {
    super(config)
    this.#session = config.session ?? {}
  }

  /** The pool sets it each time it lends the connection; with an error the pool drops it. */
  get release(): Release {
    return this.#release
  }

  set release(release: Release) {
    this.#release = error => release(error || this.#isUseless || this.#statements.size > maxStatements)
  }

  // biome-ignore lint/suspicious/noExplicitAny: pg answers nothing to who brings a callback, else a promise.
  override connect(callback?: (...args: any[]) => void): any {
    const connected = this.#connect()
    return callback ? void connected.then(() => callback(null, this), callback) : connected
  }

  async #connect(): Promise<pg.Client> {
    // Until the connection is handed over it has no listener, and an unhandled error would end the process.
    this.on('error', () => {})
    await super.connect()
    try {
      await this.#setSession()
      return this
    } catch (error) {
      this.connection.stream.destroy()
      throw error
    }
  }

  /**
   * Sets up the session by a query, not by connection options: the URL may have options of its own, and poolers drop them. A read-only database
   * can still be read, but the connection is used only once: the next one may reach a better server.
   */
  async #setSession(): Promise<void> {
    const settings = Object.entries(this.#session)
    const set = settings.map((_, at) => `, set_config($${2 * at + 1}, $${2 * at + 2}, false)`)
    const { rows } = await super.query(
      `select current_setting('transaction_read_only') = 'on' as is_read_only${set.join('')}`,
      settings.flat()
    )
    this.#isUseless ||= rows[0].is_read_only
  }

  // biome-ignore lint/suspicious/noExplicitAny: pg overloads `query` ten times; all pass through.
  override query(...args: any[]): any {
    const [text, values] = args
    const name = typeof text === 'string' ? nameOf(text) : undefined
    if (name) this.#statements.add(name)
    const send = () => (name ? super.query({ name, text, values }) : super.query(...(args as [string])))
    // A statement outside of a transaction is undone whole; one inside aborts the transaction, which `transaction` repeats.
    const isInTransaction = this.getTransactionStatus() !== 'I'
    const isAlone = !isInTransaction && !(!name && typeof text === 'string' && opensTransaction.test(text))
    const answer: unknown = send()
    if (!(answer instanceof Promise)) return answer
    const fail = (error: Error) => this.#fail(error)
    return answer.catch(error =>
      isAlone && isTransactionConflict(error) ? backOff().then(send).catch(fail) : fail(error)
    )
  }

  /** A server that does not answer in time may have vanished, and the system would wait for a quarter of an hour. */
  #fail(error: Error & { code?: string }): never {
    if (error.message === 'Query read timeout') this.connection.stream.destroy(error)
    this.#isUseless ||= isUseless.test(error.code ?? '') || isReadOnlyError(error)
    throw error
  }
}
