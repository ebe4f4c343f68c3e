import { createHash } from 'node:crypto'
import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler
} from 'kysely'
import type { AnyDb } from './any-db.ts'

class Placeholder {
  readonly key: string
  constructor(key: string) {
    this.key = key
  }
}

const names = new Map<string, string>()

/** The name under which a fixed query is prepared; undefined for other texts. */
export function nameOf(text: string): string | undefined {
  return names.get(text)
}

const compiler: AnyDb = new Kysely({
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
export function prepared<T, P extends object, R>(
  build: (db: Kysely<T>, parameters: P) => { compile(): CompiledQuery<R> }
): (db: Kysely<T>, parameters: P) => Promise<R[]> {
  return fixedQuery(build).ask
}

interface FixedQuery<T, P, R> {
  ask(db: Kysely<T>, parameters: P): Promise<R[]>
  /** Removes the name of its text. */
  forget(): void
}

function fixedQuery<T, P extends object, R>(
  build: (db: Kysely<T>, parameters: P) => { compile(): CompiledQuery<R> }
): FixedQuery<T, P, R> {
  let text: CompiledQuery<R> | undefined
  let name = ''
  let order: (string | undefined)[] = []

  return {
    async ask(db, parameters) {
      if (!text) {
        const query = build(compiler, new Proxy({}, { get: (_, key) => new Placeholder(String(key)) }) as P)
        text = query.compile()
        order = text.parameters.map(parameter => (parameter instanceof Placeholder ? parameter.key : undefined))
        name = `q_${createHash('sha256').update(text.sql).digest('base64url').slice(0, 16)}`
      }
      // Another query with the same text may have been forgotten.
      if (!names.has(text.sql)) names.set(text.sql, name)
      const fixed = text.parameters
      const values = order.map((key, at) => (key === undefined ? fixed[at] : parameters[key as keyof P]))
      const result = await db.executeQuery<R>({ ...text, parameters: values })
      return result.rows
    },

    forget() {
      if (text) names.delete(text.sql)
    }
  }
}

/** The most kinds of one query: each takes memory in the process, and on every connection that sends it. */
const maxKinds = 100

/**
 * A query with several kinds, as lists have by filter and order: each kind is built once and prepared like any other. Of more than a hundred,
 * the least recently used is forgotten. `kind` must contain everything that the text depends on; `build` sees only the parameters.
 */
export function preparedByKind<T, P extends object, R>(): (
  db: Kysely<T>,
  parameters: P,
  kind: string,
  build: (db: Kysely<T>, parameters: P) => { compile(): CompiledQuery<R> }
) => Promise<R[]> {
  // Least recently used first.
  const kinds = new Map<string, FixedQuery<T, P, R>>()
  return (db, parameters, kind, build) => {
    const query = kinds.get(kind) ?? fixedQuery(build)
    kinds.delete(kind)
    kinds.set(kind, query)
    if (kinds.size > maxKinds) {
      const [unused] = kinds.keys()
      kinds.get(unused!)!.forget()
      kinds.delete(unused!)
    }
    return query.ask(db, parameters)
  }
}
