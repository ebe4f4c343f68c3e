import { sql } from 'kysely'
import type { Db } from '../../core/db.ts'
import { InvalidFields } from '../../kit/errors.ts'
import { unfitText } from '../../kit/input.ts'
import { eventFieldNamed } from '../../tickets/conditions/event-fields.ts'
import { customIdOf, fieldNamed } from '../../tickets/conditions/fields.ts'
import { allFields, type Field } from '../../tickets/fields/fields.ts'

/** A definition with the fields of the API, of which nothing is known yet. */
export type Definition = Readonly<Record<string, unknown>>

/** What the API names by an id and the file by a name: where both are, and what it is called. */
const things = {
  department: { table: 'departments', id: 'deptid', name: 'name', label: 'department' },
  staff: { table: 'staff', id: 'id', name: 'email', isCaseless: true, label: 'member of staff' },
  client: { table: 'clients', id: 'id', name: 'email', isCaseless: true, label: 'client' },
  organisation: { table: 'organisations', id: 'id', name: 'name', label: 'organisation' },
  calendar: { table: 'calendars', id: 'id', name: 'name', label: 'calendar' },
  tag: { table: 'tags', id: 'id', name: 'name', isCaseless: true, label: 'tag' },
  field: { table: 'fields', id: 'id', name: 'key', label: 'custom field' },
  // Its URL may hold a secret.
  webhook: { label: 'webhook' },
  option: { label: 'option' }
} as const satisfies Record<string, Thing>

type Thing = Named | { table?: undefined; label: string }

interface Named {
  table: string
  id: string
  name: string
  /** Whether its name is the same in capitals. */
  isCaseless?: true
  label: string
}

type ThingKind = keyof typeof things

/** A value of a custom field, which is told by its id or key: of a select it is an option, with its own id or label. */
interface OptionRef {
  field: unknown
  value: unknown
}

/** What stands in place of a reference; of an option, for an `OptionRef`. */
export type Translate = (kind: ThingKind, value: unknown) => unknown

/** A definition with each of its references translated. The definition may be anything: what does not fit stays as it is. */
export type References = (definition: Definition, translate: Translate) => Definition

/** The names for the ids in these definitions. What is gone stays an id. */
export async function namesIn(db: Db, definitions: readonly Definition[], references: References): Promise<Translate> {
  const names = new Map<ThingKind, Map<unknown, string>>()
  for (const [kind, values] of valuesIn(definitions, references)) {
    const thing: Thing = things[kind]
    if (!thing.table) continue
    const { table, id, name } = thing
    const ids = values.filter(value => typeof value === 'number')
    const { rows } = await sql<{ id: number; name: string }>`
      select ${sql.ref(id)} as id, ${sql.ref(name)} as name from ${sql.table(table)}
      where ${sql.ref(id)} = any(${ids}::bigint[])`.execute(db)
    names.set(kind, new Map(rows.map(row => [row.id, row.name])))
  }
  const fields = await allFields(db)
  return (kind, value) => {
    if (kind !== 'option') return names.get(kind)?.get(value) ?? value
    const { field, value: id } = value as OptionRef
    return selectWith(fields, field)?.options.find(option => option.id === id)?.label ?? id
  }
}

/** The ids for the names in these definitions. It throws `InvalidFields` for a name that nothing here has, or several things have. */
export async function idsIn(db: Db, definitions: readonly Definition[], references: References): Promise<Translate> {
  const ids = new Map<ThingKind, Map<unknown, number[]>>()
  for (const [kind, values] of valuesIn(definitions, references)) {
    const thing: Thing = things[kind]
    if (!thing.table) continue
    const { table, id, name, isCaseless } = thing
    const named = values.filter(value => typeof value === 'string' && unfitText(value) === undefined)
    const { rows } = await sql<{ id: number; asked: string }>`
      select ${sql.ref(id)} as id, asked from ${sql.table(table)}
      join unnest(${named}::text[]) as asked
        on ${isCaseless ? sql`lower(${sql.ref(name)}) = lower(asked)` : sql`${sql.ref(name)} = asked`}`.execute(db)
    const byName = [...Map.groupBy(rows, ({ asked }) => asked)]
    ids.set(kind, new Map(byName.map(([asked, found]) => [asked, found.map(({ id }) => id)])))
  }
  const fields = await allFields(db)
  return (kind, value) => {
    if (value === null) return null
    if (kind === 'option') return optionNamed(fields, value as OptionRef)
    const { label, table }: Thing = things[kind]
    if (!table) throw refused(`A ${label} has no name that a file could tell: choose it by hand`)
    if (typeof value !== 'string') throw refused(`A ${label} is told by its name here, not by ${JSON.stringify(value)}`)
    const [id, ...others] = ids.get(kind)?.get(value) ?? []
    if (id === undefined) throw refused(`There is no ${label} “${value}” here`)
    if (others.length > 0) throw refused(`Here “${value}” is the name of more than one ${label}`)
    return id
  }
}

/** The id of the option with this label; of another field the value as it is. */
function optionNamed(fields: readonly Field[], { field, value }: OptionRef): unknown {
  const select = selectWith(fields, field)
  if (!select || value === null || value === undefined) return value
  const [option, ...others] = select.options.filter(({ label, is_archived }) => label === value && !is_archived)
  if (!option) throw refused(`The custom field “${select.key}” has no option ${JSON.stringify(value)} here`)
  if (others.length > 0) throw refused(`The custom field “${select.key}” has several options ${JSON.stringify(value)}`)
  return option.id
}

function selectWith(fields: readonly Field[], idOrKey: unknown): Field | undefined {
  return fields.find(({ id, key, kind }) => (id === idOrKey || key === idOrKey) && kind.endsWith('select'))
}

/** All values that the definitions refer to, by kind. */
function valuesIn(definitions: readonly Definition[], references: References): Map<ThingKind, unknown[]> {
  const values = new Map<ThingKind, unknown[]>()
  for (const definition of definitions) {
    references(definition, (kind, value) => {
      values.set(kind, [...new Set(values.get(kind)).add(value)])
      return value
    })
  }
  return values
}

/** References at these paths: `targets.*.calendar_id`. */
export function referencesAt(paths: Readonly<Record<string, ThingKind>>): References {
  return (definition, translate) =>
    Object.entries(paths).reduce(
      (changed, [path, kind]) =>
        changedAt(changed, path, value => (isObject(value) ? value : translate(kind, value))) as Definition,
      definition
    )
}

/** References in the values of the conditions at this path; tags stand there by name already. */
export function referencesInConditions(path: string): References {
  return (definition, translate) =>
    changedAt(definition, `${path}.all.*.any.*`, condition => {
      const { field } = (isObject(condition) ? condition : {}) as { field?: unknown }
      if (typeof field === 'string' && isCustom(field)) {
        const own = byKey.exec(field)?.[2] ?? customIdOf(field)
        const named = { ...(condition as Definition), field: customName(field, translate) }
        return changedAt(named, 'value', value => withOptions(own, value, translate))
      }
      const kind = typeof field === 'string' ? (fieldNamed(field) ?? eventFieldNamed(field))?.names : undefined
      if (!kind || kind === 'tag') return condition
      return changedAt(condition, 'value', value =>
        Array.isArray(value) ? value.map(each => translate(kind, each)) : translate(kind, value)
      )
    }) as Definition
}

/** Each option that a value of a custom field names. */
function withOptions(field: unknown, value: unknown, translate: Translate): unknown {
  const each = (value: unknown) => translate('option', { field, value })
  return Array.isArray(value) ? value.map(each) : each(value)
}

const byKey = /^(event\.(?:before|after)\.)?fields\.([a-z][a-z0-9_]*)$/

function isCustom(field: string): boolean {
  return customIdOf(field) !== undefined || byKey.test(field)
}

/** A custom field, which conditions name by its id (`f12`) and the file by its key (`fields.contract`). */
function customName(field: string, translate: Translate): string {
  const [, before = '', key] = byKey.exec(field) ?? []
  if (key !== undefined) {
    const id = translate('field', key)
    return typeof id === 'number' ? `${before}f${id}` : field
  }
  const name = translate('field', customIdOf(field))
  return typeof name === 'string' ? field.replace(/f\d+$/, `fields.${name}`) : field
}

/** References in `actions`; tags stand there by name already. */
export function referencesInActions(): References {
  const plain = referencesAt({
    'actions.*.move_to': 'department',
    'actions.*.assign': 'staff',
    'actions.*.assign.round_robin': 'department',
    'actions.*.snooze.calendar_id': 'calendar',
    'actions.*.email_client.calendar_id': 'calendar',
    'actions.*.watch': 'staff',
    'actions.*.webhook': 'webhook'
  })
  return (definition, translate) => {
    const told = changedAt(plain(definition, translate), 'actions.*.notify_staff.who', who =>
      // Anything else is a word such as `assignee`.
      typeof who === 'number' || String(who).includes('@') ? translate('staff', who) : who
    )
    return changedAt(told, 'actions.*.set_field', set =>
      isObject(set) ? { ...set, value: withOptions(set.key, set.value, translate) } : set
    ) as Definition
  }
}

/** References in the `items` of a form; the options first, since the id or key of their field tells them. */
export function referencesInItems(): References {
  const fields = referencesAt({ 'items.*.field_id': 'field', 'items.*.show_if.field_id': 'field' })
  return (definition, translate) => {
    const told = changedAt(definition, 'items.*.show_if', showIf =>
      isObject(showIf) ? changedAt(showIf, 'in', values => withOptions(showIf.field_id, values, translate)) : showIf
    )
    return fields(told as Definition, translate)
  }
}

/** One after the other. */
export function allReferences(...all: References[]): References {
  return (definition, translate) => all.reduce((changed, each) => each(changed, translate), definition)
}

/** The value with a change at this path, where `*` is every entry of a list; without the path it stays as it is. */
function changedAt(value: unknown, path: string, change: (value: unknown) => unknown): unknown {
  if (path === '') return change(value)
  const [step = '', ...steps] = path.split('.')
  const within = (each: unknown) => changedAt(each, steps.join('.'), change)
  if (step === '*') return Array.isArray(value) ? value.map(within) : value
  return isObject(value) && Object.hasOwn(value, step) ? { ...value, [step]: within(value[step]) } : value
}

export function isObject(value: unknown): value is Definition {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function refused(message: string) {
  return InvalidFields({ message: message.toWellFormed().slice(0, 300) })
}
