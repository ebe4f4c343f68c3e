import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { Type } from 'typebox'
import type { DeskActor } from '../../core/actor.ts'
import { doAndUndo } from '../../core/acts/do-and-undo.ts'
import type { Origin } from '../../core/audit/audit-actor.ts'
import { prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { AnyEndpoint } from '../../kit/endpoint.ts'
import { Failure, InvalidFields, MissingFields } from '../../kit/errors.ts'
import { inputPlan, readInput, refuseUnknown } from '../../kit/input.ts'
import { inOneTransaction } from '../../platform/db/outer-transaction.ts'
import type { Config } from './config-schemas.ts'
import { fieldsOf, type KindOfDefinition, kindsOfDefinitions, type Shown } from './definitions.ts'
import { exported } from './export-config.ts'
import { type Definition, idsIn, isObject, type Translate } from './references.ts'

export const changes = ['created', 'updated'] as const

/** What became of the definitions of a file, in its order. */
export interface Imported {
  created: number
  updated: number
  unchanged: number
  changes: { kind: string; name: string; outcome: (typeof changes)[number] }[]
  refused: { kind: string; name: string; reason: string }[]
}

type Outcome = (typeof changes)[number] | 'unchanged'

/** What became of one definition. */
type Result = { kind: string; name: string } & ({ outcome: Outcome } | { outcome: undefined; reason: string })

interface Import {
  services: Services
  actor: DeskActor
  caller: Origin
}

/**
 * Makes the definitions of this desk what the file says, each as by hand: those with a name that is known here are changed, others are created, and
 * what the file does not name stays. What is refused leaves the others as they are. A dry run does all of it, and undoes it.
 */
export async function importConfig(
  { services, ...by }: Import,
  { config, isDryRun }: { config: Config; isDryRun: boolean }
): Promise<Imported> {
  const { db } = services
  const work = async (db: Services['db']) => {
    await turnOfImport(db, {})
    const results: Result[] = []
    for (const kind of kindsOfDefinitions) {
      results.push(...(await importKind({ ...by, services: { ...services, db } }, kind, config[kind.list] ?? [])))
    }
    return results
  }
  return imported(isDryRun ? await doAndUndo(db, work) : await inOneTransaction(db, work))
}

/** Names of most definitions are not unique: of two imports at once, each would find none of the other's, and make its own. */
const turnOfImport = prepared(db =>
  db.selectNoFrom(sql<null>`pg_advisory_xact_lock(hashtextextended('import of definitions', 0))`.as('turn'))
)

function imported(results: readonly Result[]): Imported {
  const of = (outcome: Outcome) => results.filter(result => result.outcome === outcome)
  return {
    created: of('created').length,
    updated: of('updated').length,
    unchanged: of('unchanged').length,
    changes: results.flatMap(({ kind, name, outcome }) =>
      outcome && outcome !== 'unchanged' ? [{ kind, name, outcome }] : []
    ),
    refused: results.flatMap(result => {
      if (result.outcome) return []
      const { kind, name, reason } = result
      return [{ kind, name, reason }]
    })
  }
}

async function importKind(by: Import, kind: KindOfDefinition, definitions: readonly Definition[]): Promise<Result[]> {
  if (definitions.length === 0) return []
  const names = definitions.map(definition => nameOf(kind, definition))
  const results = new Map<Definition, Result>()
  // What one was refused for, another one may have changed by then: the default calendar, or the last active department.
  for (const _ of ['first', 'again']) {
    const left = definitions.filter(definition => results.get(definition)?.outcome === undefined)
    if (left.length === 0) break
    const here = await definitionsHere(by, kind)
    const toIds = kind.references && (await idsIn(by.services.db, left, kind.references))
    for (const definition of left) {
      const name = nameOf(kind, definition)
      const isTwice = names.indexOf(name) !== names.lastIndexOf(name)
      const result = await outcomeOr(() => importOne(by, kind, { definition, name, isTwice, here, toIds }))
      const isByAnother = results.has(definition) && result.outcome === 'unchanged'
      results.set(definition, { kind: kind.kind, name, ...result, ...(isByAnother && { outcome: 'updated' }) })
    }
  }
  const done = definitions.map(definition => results.get(definition)!)
  return kind.reorder ? await reorder(by, kind, kind.reorder, done) : done
}

/** Only what a caller could be told is a refusal. */
async function outcomeOr(work: () => Promise<Outcome>) {
  try {
    return { outcome: await work() }
  } catch (error) {
    if (error instanceof Failure) return { outcome: undefined, reason: error.message }
    throw error
  }
}

interface Here {
  name: unknown
  id: number
  version: number
  isArchived: boolean
  shown: Shown
  exported: Definition
}

async function definitionsHere({ services: { db } }: Import, kind: KindOfDefinition): Promise<Here[]> {
  const shown = await kind.shown(db)
  const definitions = await exported(db, kind, shown)
  return shown.map((each, at) => ({
    ...{ id: each.id, version: each.version, isArchived: each.is_archived === 1, shown: each },
    ...{ name: each[kind.namedBy], exported: definitions[at]! }
  }))
}

interface One {
  definition: Definition
  name: string
  isTwice: boolean
  here: readonly Here[]
  toIds: Translate | undefined
}

async function importOne(
  by: Import,
  kind: KindOfDefinition,
  { definition, name, isTwice, here, toIds }: One
): Promise<Outcome> {
  if (name === '') throw MissingFields({ message: `Missing required fields: ${kind.namedBy}` })
  if (isTwice) throw InvalidFields({ message: 'The file has this name more than once' })
  const found = here.filter(each => each.name === name)
  const [former, ...others] = found.filter(({ isArchived }) => !isArchived)
  if (others.length > 0) throw InvalidFields({ message: 'More than one has this name here' })
  if (!former && found.length > 0) throw InvalidFields({ message: 'One with this name is archived here' })
  if (former && isDeepStrictEqual(former.exported, definition)) return 'unchanged'

  refuseUnknown(inputPlan({ body: fileFields(kind) }), { fields: sent(definition), unread: [] })
  const given = { ...(toIds ? kind.references!(definition, toIds) : definition), ...kind.always }
  if (!former) {
    await call(by, kind.create, given)
    return 'created'
  }
  const changes = kind.toUpdate?.(given, former.shown) ?? given
  const version = await call(by, kind.update, { ...changes, id: former.id })
  return version === former.version ? 'unchanged' : 'updated'
}

/** Calls an endpoint as a request would be that has the right to. Returns the version in its answer. */
async function call(
  { services, actor, caller }: Import,
  endpoint: AnyEndpoint,
  given: Definition
): Promise<number | undefined> {
  const body = readInput(inputPlan(endpoint), sent(given), undefined)
  const answer = await endpoint.handle({ body, actor, caller, services })
  const data = 'data' in answer && isObject(answer.data) ? Object.values(answer.data) : []
  return data.find((each): each is { version: number } => isObject(each) && 'version' in each)?.version
}

/** The fields of a definition as they come in a request. */
function sent(definition: Definition) {
  return new Map(Object.entries(definition).map(([name, value]) => [name, [{ value, isText: false }]]))
}

function fileFields(kind: KindOfDefinition) {
  const known = [...fieldsOf(kind), ...(kind.mayHave ?? [])]
  const { properties } = Type.Object({ ...kind.update.body!.properties, ...kind.create.body!.properties })
  return Type.Object(Object.fromEntries(Object.entries(properties).filter(([name]) => known.includes(name))))
}

/** Gives those in the file, in its order, the places that they have among all. */
async function reorder(
  { services, actor, caller }: Import,
  kind: KindOfDefinition,
  endpoint: AnyEndpoint,
  results: readonly Result[]
): Promise<Result[]> {
  const names = results.flatMap(({ name, outcome }) => (outcome ? [name] : []))
  const shown = (await kind.shown(services.db)).filter(({ is_archived }) => !is_archived)
  const placeOf = new Map(shown.map((each, at) => [each[kind.namedBy], at]))
  const places = names.map(name => placeOf.get(name)!)
  const free = places.toSorted((one, other) => one - other)
  const moved = new Set(names.filter((_, at) => places[at] !== free[at]))
  if (moved.size === 0) return [...results]

  const ids = shown.map(({ id }) => id)
  for (const [at, place] of free.entries()) ids[place] = shown[places[at]!]!.id
  await endpoint.handle({ body: { ids }, actor, caller, services })
  return results.map(result =>
    result.outcome === 'unchanged' && moved.has(result.name) ? { ...result, outcome: 'updated' } : result
  )
}

function nameOf({ namedBy }: KindOfDefinition, definition: Definition): string {
  const name = definition[namedBy]
  return typeof name === 'string' ? name.trim().toWellFormed().slice(0, 200) : ''
}
