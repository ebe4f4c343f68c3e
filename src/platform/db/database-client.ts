import pg from 'pg'
import { gaveWay, makeWay } from './gave-way.ts'
import { forgottenNames, nameOf } from './prepared.ts'

/** The settings that every session of ours has, by their names in PostgreSQL. */
export type Session = Readonly<Record<string, string>>

export type DatabaseClientConfig = pg.ClientConfig & { session?: Session }

/**
 * After these errors this way to the database is of no use, while another may lead to a server that works: it takes no writes (25006), is
 * out of memory or over its limits (53200, 53400), its database is gone or it has hung up (57P04, 57P05), its disk fails (58).
 */
const isUseless = /^(25006|53200|53400|57P04|57P05|58...)$/

/** With these the server ends the session, whatever it was doing: it is told to, crashes, or starts up. */
const endsSession = /^57P0[123]$/

/** By itself, or before others of the same text. */
const opensTransaction = /^\s*begin\b/i

/** Each prepared statement costs the server memory, on every connection. More than there are that do not come in kinds. */
const maxStatements = 300

/**
 * A connection that sets its session and knows when it is of no use any more; whoever pools it then lets it go when its transaction is
 * over. Fixed queries travel by name: parsed and planned once a connection. Everything else goes as it is. A single statement that had to
 * give way to others is sent once more.
 */
export class DatabaseClient extends pg.Client {
  readonly #session: Session
  #isUseless = false
  #hasEnded = false
  #isInTransaction = false
  /** What is prepared here: its text by its name, in the order in which they were last used. */
  readonly #statements = new Map<string, string>()
  #forgottenNames = 0

  constructor(config: DatabaseClientConfig = {}) {
    super(config)
    this.#session = config.session ?? {}
    this.connection.on('errorMessage', ({ code = '' }: { code?: string }) => {
      this.#isUseless ||= isUseless.test(code)
      this.#hasEnded ||= endsSession.test(code)
      this.#letGo()
    })
    this.connection.on('readyForQuery', ({ status }: { status: string }) => {
      this.#isInTransaction = status !== 'I'
      this.#letGo()
    })
  }

  /** As long as a transaction is open its rollback is still to come, unless the session is over: the next one would be given it before the socket closes. */
  #letGo(): void {
    if (this.#hasEnded || (this.#isUseless && !this.#isInTransaction)) this._queryable = false
  }

  // biome-ignore lint/suspicious/noExplicitAny: pg answers nothing to who brings a callback, else a promise.
  override connect(callback?: (...args: any[]) => void): any {
    const connected = this.#connect()
    return callback ? void connected.then(() => callback(null, this), callback) : connected
  }

  async #connect(): Promise<pg.Client> {
    // Until the connection is handed over nobody listens, and an error that nobody hears ends the process.
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
   * Sets the session by a query, not by the options of the connection: an address may bring options of its own, and poolers drop them.
   * A database that takes no writes can still be read, but the connection serves once only: the next one may meet a better server.
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
    const send = () => (name ? this.#named(name, text, values) : super.query(...(args as [string])))
    // A statement of its own is undone whole; one of a transaction takes the others with it, for `transaction` to do again.
    const isAlone = !this.#isInTransaction && !(!name && typeof text === 'string' && opensTransaction.test(text))
    const answer: unknown = send()
    if (!(answer instanceof Promise)) return answer
    const drop = (error: Error) => dropSilent(this, error)
    return answer.catch(error => (isAlone && gaveWay(error) ? makeWay().then(send).catch(drop) : drop(error)))
  }

  /** As `query({ name, text, values })`, of which pg would make a copy first. */
  #named(name: string, text: string, values: unknown[]): Promise<pg.QueryResult> {
    const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult>()
    const query = new pg.Query(text, values, (error, result) => (error ? reject(error) : resolve(result)))
    const unused = this.#use(name, text)
    if (unused.length > 0) query.submit = this.#submitAfterClosing(query, unused)
    super.query(Object.assign(query, { name }))
    return promise
  }

  /** Notes that a statement is used, and answers those that are not kept any longer. */
  #use(name: string, text: string): string[] {
    const statements = this.#statements
    statements.delete(name)
    statements.set(name, text)
    const unused =
      statements.size > maxStatements ? [...statements.keys()].slice(0, statements.size - maxStatements) : []
    if (this.#forgottenNames !== forgottenNames()) {
      this.#forgottenNames = forgottenNames()
      for (const [name, text] of statements) if (!nameOf(text)) unused.push(name)
    }
    for (const name of unused) statements.delete(name)
    return unused
  }

  /** Closes statements when the turn of `query` has come: in between it would meet what other queries have on the way. */
  #submitAfterClosing(query: pg.Query, names: string[]): pg.Query['submit'] {
    const { submit } = query
    return connection => {
      for (const name of names) {
        connection.close({ type: 'S', name })
        delete connection.parsedStatements[name]
        delete connection.submittedNamedStatements[name]
      }
      return submit.call(query, connection)
    }
  }
}

/** A connection on which no answer comes in time is dropped: its server may be gone without a word, and the system would wait for it for a quarter of an hour. */
function dropSilent(client: pg.Client, error: Error): never {
  if (error.message === 'Query read timeout') client.connection.stream.destroy(error)
  // Who asked, instead of the socket on which the answer came.
  Error.captureStackTrace(error)
  throw error
}
