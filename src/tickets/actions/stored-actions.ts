import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { NamedThing } from '../../core/definitions/uses.ts'
import { InvalidFields } from '../../kit/errors.ts'
import { tagsInAction, withTagsInActions } from '../conditions/tags-in-actions.ts'
import { tagsNamed } from '../desk/tag-refs.ts'
import { allFields, type Field } from '../fields/fields.ts'
import { judgeValues } from '../fields/judge-values.ts'
import { actionKinds } from './action-kinds.ts'
import { type Action, type ActionKind, entryOf, mailActions } from './action-values.ts'
import { type NamedKind, statesOf } from './named-states.ts'
import { fieldFault } from './placeholder-values.ts'
import { isForClient, textsOf } from './schemas.ts'

/** What an action names, and where in its definition: `actions.0.add_tags`. */
export interface ActionUse extends NamedThing {
  kind: NamedKind
}

/**
 * Actions as definitions store them: tags by id, so that one that is renamed goes along. Refuses what names something that does not exist or is out
 * of use (`InvalidFields`, with the place of each); an action that `former` has already may stay as it is. What they name is locked against
 * deletion until the transaction ends.
 */
export async function storedActions(
  db: Db,
  given: readonly Action[],
  { former = [], isOfMail = false }: { former?: readonly Action[]; isOfMail?: boolean } = {}
): Promise<Action[]> {
  const fields = given.some(isAboutField) ? await allFields(db) : []
  const stored = withFields(await withTagIds(db, given), key => fields.find(field => field.key === key)?.id)
  const uses = usesOfActions(stored)
  const states = await statesOf(db, uses, { isLocked: true })
  const faults = new Map<string, string>()
  for (const [place, action] of stored.entries()) {
    const { kind } = entryOf(action)
    const where = `actions.${place}.${kind}`
    if (!isOfMail && mailActions.includes(kind))
      faults.set(where, `${where} is done by rules that follow mail.received alone`)
    if (isOfMail && !onMail.has(kind)) faults.set(where, `${where} is not done by rules that follow mail.received`)
    const names = tagsInAction(action).filter(tag => typeof tag === 'string')
    if (names.length > 0) faults.set(where, `${where} names tags that do not exist: ${names.join(', ')}`)
    if (former.some(other => isDeepStrictEqual(other, action))) continue
    const fault = 'set_field' in action ? faultOfField(fields, action.set_field) : undefined
    if (fault) faults.set(where, `${where} ${fault}`)
    const unknown = await fieldFault(db, Object.values(textsOf(action)), { isForClient: isForClient(action) })
    if (unknown) faults.set(where, `${where} ${unknown}`)
    for (const use of uses.filter(use => use.where === where)) {
      const state = states(use)
      if (state !== 'fine') faults.set(where, `${where} names a ${use.kind} that ${inWords[state]}`)
    }
  }
  if (faults.size === 0) return stored
  throw InvalidFields({ message: [...faults.values()].join('; '), errors: [...faults.keys()] })
}

/** Refuses to split off a message where none sets the actions off. Throws `InvalidFields`. */
export function refuseSplits(actions: readonly Action[]): void {
  const errors = actions.flatMap((action, place) => ('split_off' in action ? [`actions.${place}.split_off`] : []))
  if (errors.length === 0) return
  const message = errors.map(error => `${error} is for rules on ticket.replied alone`).join('; ')
  throw InvalidFields({ message, errors })
}

/** What a rule may do about an e-mail that arrives, and then to its ticket: nothing that writes to people or ends the matter. */
const onMail: ReadonlySet<ActionKind> = new Set([
  ...mailActions,
  ...(['move_to', 'set_priority', 'add_tags', 'remove_tags', 'assign', 'set_field', 'note', 'watch'] as const)
])

export const inWords = { gone: 'does not exist', out_of_use: 'is out of use' } as const

/** Stored actions as the API shows them, in the same order: tags by name. A tag that is gone stays an id. */
export async function namedActions(db: Db, stored: readonly (readonly Action[])[]): Promise<Action[][]> {
  const ids = stored
    .flat()
    .flatMap(tagsInAction)
    .filter(tag => typeof tag === 'number')
  const names = new Map(ids.length > 0 ? (await tagsWithIds(db, { ids })).map(({ id, name }) => [id, name]) : [])
  const fields = stored.flat().some(isAboutField) ? await allFields(db) : []
  return stored.map(actions =>
    withFields(
      withTagsInActions(actions, tag => (typeof tag === 'number' ? (names.get(tag) ?? tag) : tag)),
      id => fields.find(field => field.id === id)?.key
    )
  )
}

/** What stored actions name, for `definition_uses`. */
export function usesOfActions(stored: readonly Action[]): ActionUse[] {
  return stored.flatMap((action, place) => {
    const { kind, value } = entryOf(action)
    const where = `actions.${place}.${kind}`
    const names = actionKinds[kind].names as ((value: unknown) => { kind: NamedKind; id: number }[]) | undefined
    const tags = tagsInAction(action).flatMap(id => (typeof id === 'number' ? [{ kind: 'tag' as const, id }] : []))
    return [...(names?.(value) ?? []), ...tags].map(named => ({ ...named, where }))
  })
}

/** The same actions with the fields named otherwise; one for which there is no other name keeps its own. */
function withFields(
  actions: readonly Action[],
  change: (key: string | number) => string | number | undefined
): Action[] {
  return actions.map(action => {
    const { kind, value } = entryOf(action)
    return kind === 'set_field' ? { set_field: { ...value, key: change(value.key) ?? value.key } } : action
  })
}

function isAboutField(action: Action): boolean {
  return 'set_field' in action
}

/** What is wrong with the value that is to be set. An archived field is told by its state. */
function faultOfField(fields: readonly Field[], { key: id, value }: { key: string | number; value: unknown }) {
  const field = fields.find(field => field.id === id)
  if (!field) return `names a field that does not exist: ${id}`
  const { faults } = judgeValues([{ ...field, is_archived: false }], { [field.key]: value })
  return faults[0] && `: ${field.key} ${faults[0].fault}`
}

/** A name that no tag has stays a name. */
async function withTagIds(db: Db, actions: readonly Action[]): Promise<Action[]> {
  const names = actions.flatMap(tagsInAction).filter(tag => typeof tag === 'string')
  if (names.length === 0) return [...actions]
  const ids = new Map((await tagsNamed(db, names)).map(({ id, name }) => [name.toLowerCase(), id]))
  return withTagsInActions(actions, tag => (typeof tag === 'string' ? (ids.get(tag.trim().toLowerCase()) ?? tag) : tag))
}

const tagsWithIds = prepared((db, p: { ids: readonly number[] }) =>
  db.selectFrom('tags').where('id', '=', sql<number>`any(${p.ids}::bigint[])`).select(['id', 'name'])
)
