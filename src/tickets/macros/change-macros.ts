import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { type DeskActor, hasPermission } from '../../core/actor.ts'
import { type Act, type ActServices, act } from '../../core/acts/act.ts'
import { type Db, prepared } from '../../core/db.ts'
import { type NamedThing, saveUses } from '../../core/definitions/uses.ts'
import type { Caller } from '../../kit/caller.ts'
import { Forbidden, MissingFields } from '../../kit/errors.ts'
import { requireVersion } from '../../kit/versions.ts'
import type { Action } from '../actions/action-values.ts'
import { fieldFault } from '../actions/placeholder-values.ts'
import { refuseUnknown, UnknownPlaceholder } from '../actions/placeholders.ts'
import { refuseSplits, storedActions, usesOfActions } from '../actions/stored-actions.ts'
import { usesOfTexts } from '../actions/uses-of-texts.ts'
import { withoutTexts } from '../actions/without-texts.ts'
import { existingDepartments, usesOfDepartments } from '../forms/form-definition.ts'
import { lockedMacro, type Macro, type MacroKind, macroColumns } from './macros.ts'

/** What a macro says and does, as it is sent. */
export interface MacroDefinition {
  name: string
  actions: readonly Action[]
  reply_text: string
  /** In which departments it is offered; none: in all. */
  deptids?: readonly number[] | undefined
}

/** Creates a personal or shared macro. Throws `UnknownPlaceholder`, `Forbidden`, `InvalidFields`, `MissingFields` if it neither says nor does anything. */
export async function createMacro(
  services: ActServices,
  actor: DeskActor,
  caller: Caller,
  { is_shared = 0, ...given }: MacroDefinition & { is_shared?: 0 | 1 | undefined },
  kind: MacroKind = 'macro'
): Promise<Macro> {
  const staffId = is_shared ? null : actor.id
  requireMayWrite(actor, staffId)
  refuseText(given, kind)

  return await act(services, { actor, caller }, async act => {
    const { db } = act
    const actions = await storedActions(db, given.actions)
    refuseSplits(actions)
    refuseWebhooks(actor, actions, [])
    await refuseFields(db, given.reply_text, kind)
    const deptids = await existingDepartments(db, given.deptids ?? [])
    const [macro] = await insert(db, { ...given, deptids, staffId, actions: JSON.stringify(actions), now: act.now })
    await saveUses(db, { kind: 'macro', id: macro!.id }, await usesOf(db, macro as Macro))
    tell(act, kind, 'created', undefined, macro as Macro)
    return macro as Macro
  })
}

/**
 * Changes the given fields. To share a personal one, or to make a shared one personal, the actor needs the permissions for both. Throws
 * `MacroNotFound` or `CannedReplyNotFound`, `VersionConflict`, and what `createMacro` does.
 */
export async function updateMacro(
  services: ActServices,
  actor: DeskActor,
  caller: Caller,
  {
    id,
    is_shared,
    expected_version,
    ...changes
  }: Partial<MacroDefinition> & { id: number; is_shared?: 0 | 1 | undefined; expected_version?: number | undefined },
  kind: MacroKind = 'macro'
): Promise<Macro> {
  return await act(services, { actor, caller }, async act => {
    const { db } = act
    const former = await lockedMacro(db, actor, kind, id)
    const staffId = is_shared === undefined ? former.staff_id : is_shared ? null : actor.id
    for (const owner of [former.staff_id, staffId]) requireMayWrite(actor, owner)
    requireVersion(former.version, expected_version)

    const actions = changes.actions
      ? await storedActions(db, changes.actions, { former: former.actions })
      : former.actions
    refuseSplits(actions)
    refuseWebhooks(actor, actions, former.actions)
    const wanted = {
      name: changes.name ?? former.name,
      reply_text: changes.reply_text ?? former.reply_text,
      actions,
      staff_id: staffId,
      deptids: changes.deptids ? await existingDepartments(db, changes.deptids) : former.deptids
    }
    if (changes.reply_text !== undefined || changes.actions) refuseText(wanted, kind)
    if (wanted.reply_text !== former.reply_text) await refuseFields(db, wanted.reply_text, kind)
    const { name, reply_text, staff_id, deptids } = former
    if (isDeepStrictEqual(wanted, { name, reply_text, actions: former.actions, staff_id, deptids })) return former

    const [macro] = await rewrite(db, { id, ...wanted, staffId, actions: JSON.stringify(actions), now: act.now })
    await saveUses(db, { kind: 'macro', id }, await usesOf(db, macro as Macro))
    tell(act, kind, 'updated', former, macro as Macro)
    return macro as Macro
  })
}

/** Permanently deletes a macro. Throws `MacroNotFound` or `CannedReplyNotFound`, `Forbidden`, `VersionConflict`. */
export async function deleteMacro(
  services: ActServices,
  actor: DeskActor,
  caller: Caller,
  { id, expected_version }: { id: number; expected_version?: number | undefined },
  kind: MacroKind = 'macro'
): Promise<void> {
  await act(services, { actor, caller }, async act => {
    const { db } = act
    const former = await lockedMacro(db, actor, kind, id)
    requireMayWrite(actor, former.staff_id)
    requireVersion(former.version, expected_version)
    await remove(db, { id })
    tell(act, kind, 'deleted', former, undefined)
  })
}

/** What a macro names. */
async function usesOf(db: Db, { actions, deptids, reply_text }: Macro): Promise<NamedThing[]> {
  return [...usesOfActions(actions), ...(await usesOfTexts(db, actions, { reply_text })), ...usesOfDepartments(deptids)]
}

/** M6: whoever answers makes personal ones, whoever edits the status shared ones. */
function requireMayWrite(actor: DeskActor, staffId: number | null): void {
  if (!hasPermission(actor, staffId === null ? 'tickets.edit_status' : 'tickets.reply')) throw Forbidden()
}

/** Webhooks are the admins': they alone let a macro call another one. */
function refuseWebhooks(actor: DeskActor, actions: readonly Action[], former: readonly Action[]): void {
  const added = actions.filter(action => 'webhook' in action && !former.some(other => isDeepStrictEqual(other, action)))
  if (added.length === 0 || actor.population === 'system' || actor.role === 'admin') return
  throw Forbidden({ message: 'Only admins let a macro call a webhook' })
}

function refuseText({ reply_text, actions }: Pick<MacroDefinition, 'reply_text' | 'actions'>, kind: MacroKind): void {
  refuseUnknown(reply_text, kind === 'macro' ? 'reply_text' : 'text')
  if (reply_text !== '' || actions.length > 0) return
  throw MissingFields({ message: 'A macro has actions, a reply_text or both', errors: ['actions', 'reply_text'] })
}

/** Throws `UnknownPlaceholder` for a text that names fields that clients do not see. */
async function refuseFields(db: Db, text: string, kind: MacroKind): Promise<void> {
  const field = kind === 'macro' ? 'reply_text' : 'text'
  const fault = await fieldFault(db, [text], { isForClient: true })
  if (fault) throw UnknownPlaceholder({ message: `${field} ${fault}`, errors: [field] })
}

/** Whether the text was changed, not the text itself: the audit log is kept for ever. */
function tell(
  act: Act,
  kind: MacroKind,
  what: 'created' | 'updated' | 'deleted',
  before: Macro | undefined,
  after: Macro | undefined
): void {
  const { id } = (before ?? after)!
  const changed = before && after && before.reply_text !== after.reply_text ? { text_changed: true } : {}
  if (kind === 'macro') {
    const facts = {
      ...(before && { before: factsOf(before) }),
      ...(after && { after: { ...factsOf(after), ...changed } })
    }
    act.happened({ kind: `macro.${what}`, subject: { type: 'macro', id }, ...facts } as Parameters<Act['happened']>[0])
    return
  }
  const facts = {
    ...(before && { before: factsOfReply(before) }),
    ...(after && { after: { ...factsOfReply(after), ...changed } })
  }
  act.happened({ kind: `canned_reply.${what}`, subject: { type: 'canned_reply', id }, ...facts } as Parameters<
    Act['happened']
  >[0])
}

function factsOf({ name, staff_id, actions, deptids }: Macro) {
  return { name, is_shared: staff_id === null, actions: withoutTexts(actions), ...(deptids.length > 0 && { deptids }) }
}

function factsOfReply({ name: title, staff_id }: Macro) {
  return { title, is_shared: staff_id === null }
}

interface Written {
  staffId: number | null
  name: string
  reply_text: string
  /** JSON */
  actions: string
  deptids: readonly number[]
  now: Date
}

const insert = prepared((db, p: Written) =>
  db
    .insertInto('macros')
    .values({
      staff_id: p.staffId,
      name: p.name,
      reply_text: p.reply_text,
      actions: p.actions,
      deptids: sql<number[]>`${p.deptids}::bigint[]`,
      created_at: p.now,
      updated_at: p.now
    })
    .returning(macroColumns)
)

const rewrite = prepared((db, p: Written & { id: number }) =>
  db
    .updateTable('macros')
    .where('id', '=', p.id)
    .set({
      staff_id: p.staffId,
      name: p.name,
      reply_text: p.reply_text,
      actions: p.actions,
      deptids: sql<number[]>`${p.deptids}::bigint[]`,
      updated_at: p.now
    })
    .returning(macroColumns)
)

const remove = prepared((db, p: { id: number }) => db.deleteFrom('macros').where('id', '=', p.id))
