import type { ClientBase } from 'pg'
import { DatabaseClient, type Session } from './database-client.ts'
import { DatabaseFault, reasonOf } from './wait-for-database.ts'

export interface PoolingOptions {
  /** The `postgres://` URL to check for a pooler. */
  url: string
  /** The name that the operator knows it by. */
  name: string
  /** The required settings of every session. */
  session: Session
  /** Whether there is another URL for work that needs a session of its own. */
  hasDirect: boolean
}

const withinMilliseconds = 5_000
/** With this many connections at once, one gets the server that another has just left, unless each keeps its own. */
const holders = 3

/**
 * Throws `DatabaseFault` if `url` leads through an unfit pooler in transaction mode: it must support prepared statements, its sessions must have
 * our settings, and another URL must bypass it. In session mode a pooler is like a server.
 */
export async function refuseUnfitPooler({ url, name, session, hasDirect }: PoolingOptions): Promise<void> {
  const clients: DatabaseClient[] = []
  const connect = async () => {
    const config = {
      connectionString: url,
      connectionTimeoutMillis: withinMilliseconds,
      query_timeout: withinMilliseconds
    }
    const client = new DatabaseClient(config)
    clients.push(client)
    await client.connect()
    return client
  }
  try {
    const client = await connect()
    if (await isServerItself(client)) return
    if (!(await sharesItsServer(client, connect))) return

    const pooler = `${name} is a pooler in transaction mode`
    if (!hasDirect) {
      throw new DatabaseFault(
        `${pooler}: set DATABASE_DIRECT_URL to the address of the server itself, which migrations and jobs need.`
      )
    }
    if (!(await tracksStatements(client))) {
      throw new DatabaseFault(
        `${pooler} that does not track prepared statements: use PgBouncer 1.21 or newer with max_prepared_statements, or session mode.`
      )
    }
    const missing = await missingSettings(client, session)
    if (missing) throw new DatabaseFault(`${pooler}, where sessions keep no settings: run "${missing}".`)
  } catch (error) {
    if (error instanceof DatabaseFault) throw error
    throw new DatabaseFault(`${name} cannot be used: ${reasonOf(error)}.`)
  } finally {
    await Promise.all(clients.map(client => client.end()))
  }
}

/** A pooler reports a number of its own in place of the server's process id. */
async function isServerItself(client: DatabaseClient): Promise<boolean> {
  return (await backendOf(client)) === client.processID
}

/** Whether others get the server of `client` between its statements. */
async function sharesItsServer(client: ClientBase, connect: () => Promise<ClientBase>): Promise<boolean> {
  const first = await backendOf(client)
  try {
    for (let holder = 0; holder < holders; holder++) {
      const other = await connect()
      await other.query('begin')
      if ((await backendOf(other)) === first) return true
    }
  } catch {
    // Each client keeps its server, and there are no more.
    return false
  }
  return (await backendOf(client)) !== first
}

async function backendOf(client: ClientBase): Promise<number> {
  return (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!.pid
}

/** A pooler that tracks prepared statements renames them, since clients may use the same name for different ones. */
async function tracksStatements(client: ClientBase): Promise<boolean> {
  const name = `deskline_${crypto.randomUUID()}`
  const text = 'select from pg_prepared_statements where name = $1'
  return (await client.query({ name, text, values: [name] })).rowCount === 0
}

/** The statements that set the missing settings for every session; settings of the current session do not count. */
async function missingSettings(client: ClientBase, session: Session): Promise<string> {
  const { rows } = await client.query<{ name: string; value: string; target: string }>(
    `select wanted.name, wanted.value, format('alter role %I in database %I', current_user, current_database()) as target
     from unnest($1::text[], $2::text[]) as wanted (name, value)
     left join pg_settings on lower(pg_settings.name) = wanted.name
     where reset_val is distinct from wanted.value`,
    [Object.keys(session), Object.values(session)]
  )
  return rows.map(({ name, value, target }) => `${target} set ${name} = '${value}'`).join('; ')
}
