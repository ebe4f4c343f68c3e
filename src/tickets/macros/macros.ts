import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import type { DeskActor } from '../../core/actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import { permissionSlugs } from '../../core/permissions.ts'
import type { MacroRow } from '../../core/tables/macros.ts'
import { failure } from '../../kit/errors.ts'
import { Flag, Id, LongText, Name, Nullable, OneOf, OutputText, Timestamp } from '../../kit/schemas.ts'
import { Version } from '../../kit/versions.ts'
import { bit } from '../../lib/bit.ts'
import type { Page } from '../../lib/page.ts'
import { timestamp } from '../../lib/time.ts'
import type { Action } from '../actions/action-values.ts'
import { attentionOf } from '../actions/attention.ts'
import { missingPermissions } from '../actions/permissions-of-actions.ts'
import { Actions } from '../actions/schemas.ts'
import { namedActions } from '../actions/stored-actions.ts'

export const MacroNotFound = failure(404, 'macro_not_found', 'There is no such macro')
export const CannedReplyNotFound = failure(404, 'canned_reply_not_found', 'There is no such canned reply')

/** A macro as it is stored. */
export type Macro = Omit<MacroRow, 'actions'> & { actions: Action[] }

/** Which macros are meant: all, or canned replies, which are those without actions. */
export type MacroKind = 'macro' | 'canned_reply'

const notFound = { macro: MacroNotFound, canned_reply: CannedReplyNotFound }

/** A page of the actor's own and the shared macros whose name or text contains `search`, by name, and their number; `deptid`: of those offered there. */
export async function macrosOf(
  db: Db,
  actor: DeskActor,
  kind: MacroKind,
  { search, deptid = null }: { search?: string | undefined; deptid?: number | null | undefined },
  { limit, offset }: Page
): Promise<{ macros: Macro[]; total: number }> {
  const pattern = `%${(search ?? '').replaceAll(/[\\%_]/g, '\\$&')}%`
  const scope = { kind, staff: actor.id, pattern, deptid }
  const [macros, [counted]] = await Promise.all([page(db, { ...scope, limit, offset }), count(db, scope)])
  return { macros: macros as Macro[], total: counted!.total }
}

/** The macro with this id, if it is the actor's own or shared. Throws `MacroNotFound`, or `CannedReplyNotFound`. */
export async function macroOf(db: Db, actor: DeskActor, kind: MacroKind, id: number): Promise<Macro> {
  const [macro] = await byId(db, { kind, id, staff: actor.id })
  if (!macro) throw notFound[kind]()
  return macro as Macro
}

/** The same, locked until the transaction ends. */
export async function lockedMacro(db: Db, actor: DeskActor, kind: MacroKind, id: number): Promise<Macro> {
  const [macro] = await byIdLocked(db, { kind, id, staff: actor.id })
  if (!macro) throw notFound[kind]()
  return macro as Macro
}

export const macroFields = {
  name: Name(100, 'Send to Billing'),
  actions: Actions,
  reply_text: LongText(20_000, 'Hello {{client.first_name|there}}, Billing looks into it. {{staff.first_name}}'),
  deptids: Type.Array(Id(1), {
    maxItems: 1000,
    examples: [[]],
    description: 'The departments in whose tickets pages offer it, by their deptid; none: in all.'
  })
}

export const MacroView = Type.Object({
  id: Id(),
  name: OutputText('Send to Billing'),
  actions: Actions,
  // '' without one.
  reply_text: OutputText('Hello {{client.first_name}}, Billing looks into it.'),
  is_shared: Flag(),
  staff_id: Nullable(Id(2)),
  deptids: Type.Array(Id(1)),
  // Those that the caller lacks for it; with one of them missing it cannot be applied.
  missing_permissions: Type.Array(OneOf(permissionSlugs, 'tickets.edit_status')),
  // What of it is gone or out of use.
  attention: Type.Array(
    Type.Object({ reason: OutputText('staff_out_of_use'), text: OutputText('actions.0.assign: Ada is out of use') })
  ),
  version: Version,
  created_at: Timestamp(),
  updated_at: Timestamp()
})

/** The macros as the API shows them to this actor. */
export async function macroViews(
  db: Db,
  actor: DeskActor,
  macros: readonly Macro[]
): Promise<Static<typeof MacroView>[]> {
  const stored = macros.map(({ actions }) => actions)
  const [named, attention] = [
    await namedActions(db, stored),
    await attentionOf(
      db,
      macros.map(({ actions, reply_text }) => ({ actions, texts: { reply_text } }))
    )
  ]
  return macros.map((macro, at) => ({
    ...macro,
    actions: named[at]!,
    is_shared: bit(macro.staff_id === null),
    missing_permissions: missingFor(macro, actor),
    attention: attention[at]!,
    created_at: timestamp(macro.created_at),
    updated_at: timestamp(macro.updated_at)
  }))
}

/** The permissions that the actor lacks to apply a macro. */
export function missingFor({ actions, reply_text }: Macro, actor: DeskActor) {
  // A reply takes what a note takes.
  return missingPermissions([...actions, ...(reply_text === '' ? [] : [{ note: reply_text }])], actor)
}

/** On how many tickets each of these macros was applied in the thirty days before `now`; those that were not are missing. */
export async function usesInMonth(db: Db, macros: readonly Macro[], now: Date): Promise<Map<number, number>> {
  const since = new Date(now.getTime() - 30 * 86_400_000)
  const counted = await countUses(db, { ids: macros.map(({ id }) => id), since })
  return new Map(counted.map(({ macro_id, uses }) => [macro_id, uses]))
}

const countUses = prepared((db, p: { ids: readonly number[]; since: Date }) =>
  db
    .selectFrom('macro_uses')
    .where('macro_id', '=', sql<number>`any(${p.ids}::bigint[])`)
    .where('at', '>', p.since)
    .groupBy('macro_id')
    .select(({ fn }) => ['macro_id', fn.countAll<number>().as('uses')])
)

export const macroColumns = [
  ...(['id', 'staff_id', 'name', 'reply_text', 'actions', 'deptids'] as const),
  ...(['created_at', 'updated_at', 'version'] as const)
] as const

interface Scope {
  kind: MacroKind
  staff: number | null
}

const visible = (db: Db, p: Scope) =>
  db
    .selectFrom('macros')
    .where(({ or, eb }) => or([eb('staff_id', 'is', null), eb('staff_id', '=', p.staff)]))
    .where(sql<boolean>`(${p.kind}::text = 'macro' or actions = '[]')`)

type Found = Scope & { pattern: string; deptid: number | null }

const matching = (db: Db, p: Found) =>
  visible(db, p)
    .where(({ or, eb }) => or([eb('name', 'ilike', p.pattern), eb('reply_text', 'ilike', p.pattern)]))
    .where(sql<boolean>`(${p.deptid}::bigint is null or deptids = '{}' or ${p.deptid}::bigint = any(deptids))`)

const page = prepared((db, p: Found & { limit: number; offset: number }) =>
  matching(db, p).select(macroColumns).orderBy(sql`lower(name)`).orderBy('id').limit(p.limit).offset(p.offset)
)

const count = prepared((db, p: Found) => matching(db, p).select(({ fn }) => fn.countAll<number>().as('total')))

const byId = prepared((db, p: Scope & { id: number }) => visible(db, p).where('id', '=', p.id).select(macroColumns))

const byIdLocked = prepared((db, p: Scope & { id: number }) =>
  visible(db, p).where('id', '=', p.id).select(macroColumns).forNoKeyUpdate()
)
