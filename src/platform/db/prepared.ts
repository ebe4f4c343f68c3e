import { createHash } from 'node:crypto'
import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler
} from 'kysely'
import type { Db } from './open.ts'
import type { Tables } from './tables.ts'

class Placeholder {
  readonly key: string
  constructor(key: string) {
    this.key = key
  }
}

const names = new Map<string, string>()

/** The name under which a fixed query is prepared, or undefined for any other text. */
export function nameOf(text: string): string | undefined {
  return names.get(text)
}

const compiler = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: db => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler()
  }
})

/**
 * A query compiled once, at first use, and prepared by name on each connection. `build` sees placeholders where
 * its parameters will stand, so it must not look at their values.
 *
 *     const clientByEmail = prepared((db, p: { email: string }) => db.selectFrom('clients').where('email', '=', p.email)…)
 *     const [client] = await clientByEmail(db, { email })
 */
export function prepared<P extends object, R>(
  build: (db: Db, parameters: P) => { compile(): CompiledQuery<R> }
): (db: Db, parameters: P) => Promise<R[]> {
  let text: CompiledQuery<R> | undefined
  let order: (string | undefined)[] = []

  return async (db, parameters) => {
    if (!text) {
      const query = build(compiler, new Proxy({}, { get: (_, key) => new Placeholder(String(key)) }) as P)
      text = query.compile()
      order = text.parameters.map(parameter => (parameter instanceof Placeholder ? parameter.key : undefined))
      names.set(text.sql, `q_${createHash('sha256').update(text.sql).digest('base64url').slice(0, 16)}`)
    }
    const fixed = text.parameters
    const values = order.map((key, at) => (key === undefined ? fixed[at] : parameters[key as keyof P]))
    const result = await db.executeQuery<R>({ ...text, parameters: values })
    return result.rows
  }
}
