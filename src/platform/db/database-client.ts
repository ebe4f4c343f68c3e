import pg from 'pg'
import { countOfForgottenNames, nameOf } from './prepared.ts'
import { type ReadRow, rowReaderOf } from './row-reader.ts'
import { backOff, isTransactionConflict } from './transaction-conflict.ts'

/** The settings of every session, by their PostgreSQL names. */
export type Session = Readonly<Record<string, string>>

export type DatabaseClientConfig = pg.ClientConfig & { session?: Session }

/**
 * After these errors the connection is useless, while another may reach a working server: the server is read-only (25006), is out of memory or
 * over its limits (53200, 53400), its database was dropped or its session timed out (57P04, 57P05), or its disk fails (58).
 */
const isUseless = /^(25006|53200|53400|57P04|57P05|58...)$/

/** The server ends the session with these: it is shutting down, has crashed, or is starting. */
const endsSession = /^57P0[123]$/

/** Matches a statement that opens a transaction, alone or before others in the same text. */
const opensTransaction = /^\s*begin\b/i

/** Each prepared statement takes memory in every server session. This is more than there are fixed queries without kinds. */
const maxStatements = 300

/**
 * A connection that sets up its session and knows when it is useless; the pool then drops it after its transaction. Fixed queries are prepared
 * by name: parsed and planned once per connection. Everything else is sent as it is. A single statement that lost a deadlock or serialization
 * conflict is sent once more.
 */
export class DatabaseClient extends pg.Client {
  readonly #session: Session
  readonly #types: pg.CustomTypesConfig
  #isUseless = false
  #hasEnded = false
  #isInTransaction = false
  /** By their names, least recently used first. */
  readonly #statements = new Map<string, PreparedStatement>()
  #forgottenNames = 0

  constructor(config: DatabaseClientConfig = {}) {
    super(config)
    this.#session = config.session ?? {}
    // pg's own object for the types is another one on each connection, so nothing could be known by it.
    this.#types = config.types ?? pg.types
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

  /**
   * Within a transaction the rollback still has to be sent, unless the session has ended: the next query would get this connection before the
   * socket closes.
   */
  #letGo(): void {
    if (this.#hasEnded || (this.#isUseless && !this.#isInTransaction)) this._queryable = false
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
    const send = () => (name ? this.#named(name, text, values) : super.query(...(args as [string])))
    // A statement outside of a transaction is undone whole; one inside aborts the transaction, which `transaction` repeats.
    const isAlone = !this.#isInTransaction && !(!name && typeof text === 'string' && opensTransaction.test(text))
    const answer: unknown = send()
    if (!(answer instanceof Promise)) return answer
    const drop = (error: Error) => dropSilent(this, error)
    return answer.catch(error =>
      isAlone && isTransactionConflict(error) ? backOff().then(send).catch(drop) : drop(error)
    )
  }

  /** The same as `query({ name, text, values })`, without the copy that pg makes. */
  #named(name: string, text: string, values: unknown[]): Promise<pg.QueryResult> {
    const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult>()
    const query = new NamedQuery(text, values, (error, result) => (error ? reject(error) : resolve(result)))
    const unused = this.#use(name, text)
    if (unused.length > 0) query.submit = this.#submitAfterClosing(query, unused)
    super.query(Object.assign(query, { name, parsers: this.#types, statement: this.#statements.get(name) }))
    return promise
  }

  /** Marks a statement as used, and returns the names of those to close. */
  #use(name: string, text: string): string[] {
    const statements = this.#statements
    const statement = statements.get(name) ?? { text, columns: [] }
    statements.delete(name)
    statements.set(name, statement)
    const unused =
      statements.size > maxStatements ? [...statements.keys()].slice(0, statements.size - maxStatements) : []
    if (this.#forgottenNames !== countOfForgottenNames()) {
      this.#forgottenNames = countOfForgottenNames()
      for (const [name, { text }] of statements) if (!nameOf(text)) unused.push(name)
    }
    for (const name of unused) statements.delete(name)
    return unused
  }

  /** Closes statements right before `query` is sent: any earlier, other queries on the connection could still need them. */
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

/** Drops a connection whose response does not come in time: its server may have vanished, and the system would wait for a quarter of an hour. */
function dropSilent(client: pg.Client, error: Error): never {
  if (error.message === 'Query read timeout') client.connection.stream.destroy(error)
  // The stack of the caller, instead of that of the socket's callback.
  Error.captureStackTrace(error)
  throw error
}

interface PreparedStatement {
  text: string
  columns: pg.FieldDef[]
  /** Known once the server has described its columns on this connection. */
  read?: ReadRow
}

/** A named query, whose rows are read by the function that was compiled for its statement. It always has a single result. */
class NamedQuery extends pg.Query {
  declare name: string
  declare parsers: pg.CustomTypesConfig
  declare statement: PreparedStatement

  /**
   * The server describes the columns of a prepared statement once: it refuses to execute one whose columns have changed. For a page of the
   * queue, describing them takes the database and this process as long as two rows.
   */
  override prepare(connection: pg.Connection): void {
    const { columns, read } = this.statement
    if (read && connection.parsedStatements[this.name] !== undefined) {
      this.#readBy(read, columns)
      connection.describe = describeNothing
      try {
        super.prepare(connection)
      } finally {
        connection.describe = pg.Connection.prototype.describe
      }
    } else super.prepare(connection)
  }

  override handleRowDescription(message: { fields: pg.FieldDef[] }): void {
    const read = rowReaderOf(this.name, message.fields, this.parsers)
    if (read) {
      Object.assign(this.statement, { columns: message.fields, read })
      this.#readBy(read, message.fields)
    } else super.handleRowDescription(message)
  }

  #readBy(read: ReadRow, columns: pg.FieldDef[]): void {
    const result = this._result
    result.fields = columns
    result.parseRow = read
    this._accumulateRows = true
  }
}

function describeNothing(): void {}
