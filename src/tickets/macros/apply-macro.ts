import type { StaffActor } from '../../core/actor.ts'
import { type Act, act } from '../../core/acts/act.ts'
import { doAndUndo } from '../../core/acts/do-and-undo.ts'
import type { Origin } from '../../core/audit/audit-actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import type { Format } from '../../core/formatted-text/format.ts'
import type { Services } from '../../core/services.ts'
import type { EventCause } from '../../core/tables/events.ts'
import type { Recipients } from '../../core/tables/sending.ts'
import type { TicketStatus } from '../../core/tables/tickets.ts'
import { Forbidden, failure } from '../../kit/errors.ts'
import type { StagedFile } from '../../platform/files/file-store.ts'
import { type Action, type ActionKind, entryOf } from '../actions/action-values.ts'
import { type ActionOutcome, applyAction } from '../actions/apply-action.ts'
import { placeholderValuesOf } from '../actions/placeholder-values.ts'
import { filled } from '../actions/placeholders.ts'
import { skipReasons } from '../actions/skip-reasons.ts'
import { actWithFiles } from '../threads/add-message.ts'
import type { ReadState } from '../threads/new-messages.ts'
import { replyLater, replyLocked } from '../threads/reply-to-ticket.ts'
import type { Change } from '../ticket/change-ticket.ts'
import { lockedById, lockedUnmerged } from '../ticket/locked-ticket.ts'
import type { TicketRef } from '../ticket/schemas.ts'
import { lockDepartmentOf } from '../ticket/ticket-department.ts'
import { deskVisibility } from '../ticket/visibility.ts'
import { type Macro, macroOf, missingFor } from './macros.ts'

export const PlaceholderUnset = failure(
  400,
  'placeholder_unset',
  'The text names something that is not set: fill it in, or give it a fallback after a bar'
)

export type MacroServices = Pick<Services, 'db' | 'files' | 'jobs' | 'scanner' | 'clock' | 'config' | 'keys'>

/** Which macro is applied to which ticket, by whom. */
export interface MacroUse {
  actor: StaffActor
  caller: Origin
  ref: TicketRef
  macroId: number
  /** The kinds of its actions that are left out this time. */
  without?: readonly ActionKind[] | undefined
}

interface Sending {
  /** What the reply sets, unless the macro sets a status. */
  status?: TicketStatus | undefined
  /** The reply in place of the macro's own text; null: none is sent. */
  reply?: string | null | undefined
  format?: Format | undefined
  files?: StagedFile[]
  /** The id of the reply's message, if it has waited under it; its files are stored already. */
  promisedId?: number
  /** Who gets the reply by e-mail; null: its writer has chosen nobody. */
  recipients?: Recipients | null
  /** What the actor has seen of the ticket. */
  read?: ReadState
}

/** A macro splits nothing off: no message sets it off. */
type MacroActionKind = Exclude<ActionKind, 'split_off'>
/** What became of each action, in the order in which they were done. */
export type MacroResult = { action: MacroActionKind } & ActionOutcome

/**
 * Applies a macro to a ticket that the actor sees: all of it or nothing, in one transaction, with the checks of doing the same by hand. Its text, or the
 * reply in its place, is sent as the actor's reply, with the status that the macro sets. Throws `MacroNotFound`, `Forbidden` with the names of the
 * permissions that the actor lacks, `PlaceholderUnset`, `TicketNotFound`, `TicketMerged`, `VersionConflict`, `NewMessages`, `TicketBlocked`, `FieldsRequired`, and what
 * each action by hand throws.
 */
export async function applyMacro(
  services: MacroServices,
  { actor, caller, ref, macroId, without = [] }: MacroUse,
  { status: chosen, reply, format, files = [], promisedId, recipients, read = {} }: Sending
) {
  const macro = await permittedMacro(services.db, actor, macroId, without)
  const status = macro.actions.findLast(action => 'set_status' in action)?.set_status
  const work = async (act: Act) => {
    const { id } = await ticketFor(act, actor, ref, macro, read.expected_version)
    const text = reply === undefined ? await ownReply(act, actor, macro, id) : reply
    // The reply sets the status.
    const before = macro.actions.filter(action => text === null || !('set_status' in action))
    const results = await appliedTo(services, act, actor, id, before)
    await insertUse(act.db, { macro: macro.id, now: act.now })
    const given = { message: text ?? '', format, files, promisedId, recipients, ...statusGiven(status ?? chosen) }
    // The statement of the reply writes its own event, which comes last.
    await act.writeEvents()
    const sent = text === null ? null : await replyLocked(services, act, { actor, caller, ticket: id }, given, read)
    if (sent && status) results.push({ action: 'set_status', ...setBy(sent) })
    const after = await lockedById(act.db, id)
    const { version, status: present } = after!
    return {
      id,
      version,
      status: present,
      message_id: sent?.message_id ?? null,
      message: sent?.message ?? null,
      results,
      attachments: sent?.attachments ?? []
    }
  }
  return await actWithFiles(services, { actor, caller }, promisedId === undefined ? files : [], work, causeOf(macro))
}

/**
 * Has a macro with its reply wait for `seconds`, so that the actor can take both back: it is done and undone now, to tell what it would do or be refused
 * with. Without a reply there is nothing to take back, and it is applied at once, as with 0 seconds.
 */
export async function applyMacroLater(services: MacroServices, use: MacroUse, sending: Sending, seconds: number) {
  const { files = [], read = {}, status, format, recipients } = sending
  if (seconds === 0) return { ...(await applyMacro(services, use, sending)), undo_until: null }
  const tried = await doAndUndo(services.db, db => applyMacro({ ...services, db }, use, { ...sending, files: [] }))
  if (tried.message === null) return { ...(await applyMacro(services, use, sending)), undo_until: null }
  const reply = { message: tried.message, format, files, recipients, ...statusGiven(status) }
  const later = { seconds, macroId: use.macroId, macroWithout: use.without ?? [] }
  const waiting = await replyLater(services, use.actor, use.caller, use.ref, reply, read, later)
  return { ...waiting, id: waiting.ticket_id, results: tried.results }
}

/** The actions as applying does them: with a reply, which sets the status, that comes last. */
function inOrder({ actions }: Macro, isReplied: boolean) {
  if (!isReplied) return actions
  const statuses = actions.filter(action => 'set_status' in action)
  return [...actions.filter(action => !('set_status' in action)), ...statuses.slice(-1)]
}

function statusGiven(status: TicketStatus | undefined) {
  return status === undefined ? {} : { status }
}

/** What applying a macro would do now, and its text for this ticket. Nothing is done. */
export interface MacroPreview {
  macro: Macro
  /** Empty if the actor lacks permissions for it. */
  results: MacroResult[]
  /** `unset`: what it names that is not set, and was left out. */
  reply: { text: string; unset: string[] } | null
}

/**
 * Does what the macro does, but its reply, and undoes it: so it tells exactly what would be done. Throws `MacroNotFound`, `TicketNotFound`,
 * `TicketMerged`, and what each action by hand throws.
 */
export async function previewMacro(
  services: MacroServices,
  { actor, caller, ref, macroId, without = [] }: MacroUse
): Promise<MacroPreview & { ticket_id: number }> {
  const whole = await macroOf(services.db, actor, 'macro', macroId)
  const macro = withoutSome(whole, without)
  const isPermitted = missingFor(macro, actor).length === 0
  const work = async (act: Act) => {
    const { id } = await ticketFor(act, actor, ref, macro, undefined)
    const reply = macro.reply_text === '' ? null : await filledReply(act, actor, macro, id)
    const results = isPermitted ? await appliedTo(services, act, actor, id, inOrder(macro, reply !== null)) : []
    return { ticket_id: id, macro: whole, results, reply }
  }
  return await doAndUndo(services.db, db => act({ ...services, db }, { actor, caller }, work, causeOf(macro)))
}

/** Applies a macro to one ticket after another, as `tickets/bulk` does. Throws `MacroNotFound`, `Forbidden`. */
export async function macroVerb(services: MacroServices, actor: StaffActor, macroId: number) {
  await permittedMacro(services.db, actor, macroId)
  return async ({ caller, ref, expectedVersion: expected_version }: Change<StaffActor>) =>
    await applyMacro(
      services,
      { actor, caller, ref, macroId },
      { read: { ...(expected_version !== undefined && { expected_version }) } }
    )
}

/** The macro, if the actor has all permissions for it. Throws `MacroNotFound`, `Forbidden`. */
async function permittedMacro(
  db: Db,
  actor: StaffActor,
  id: number,
  without: readonly ActionKind[] = []
): Promise<Macro> {
  const macro = withoutSome(await macroOf(db, actor, 'macro', id), without)
  const missing = missingFor(macro, actor)
  if (missing.length === 0) return macro
  throw Forbidden({
    message: `The macro “${macro.name}” needs permissions that you do not have: ${missing.join(', ')}`
  })
}

function withoutSome(macro: Macro, kinds: readonly ActionKind[]): Macro {
  return { ...macro, actions: macro.actions.filter(action => !kinds.includes(entryOf(action).kind)) }
}

/** Locks the departments to which the macro moves a ticket, and then the ticket, in the order of all writes. */
async function ticketFor(
  { db }: Act,
  actor: StaffActor,
  ref: TicketRef,
  { actions }: Macro,
  expectedVersion: number | undefined
) {
  const departments = actions.flatMap(action => ('move_to' in action ? [action.move_to] : []))
  for (const department_id of departments.toSorted((one, other) => one - other)) {
    await lockDepartmentOf(db, { department_id })
  }
  return await lockedUnmerged(db, actor, deskVisibility(actor), ref, expectedVersion)
}

/** M4: what has neither a value nor a fallback stops it before anything is sent. */
async function ownReply(act: Act, actor: StaffActor, macro: Macro, ticket: number): Promise<string | null> {
  if (macro.reply_text === '') return null
  const { text, unset } = await filledReply(act, actor, macro, ticket)
  if (unset.length === 0) return text
  throw PlaceholderUnset({ message: `${PlaceholderUnset.text}: ${unset.join(', ')}`, errors: ['reply'] })
}

async function filledReply(
  { db, now }: Pick<Act, 'db' | 'now'>,
  actor: StaffActor,
  { reply_text }: Macro,
  ticket: number
) {
  return filled(reply_text, await placeholderValuesOf(db, ticket, actor, [reply_text], { isForClient: true, now }))
}

async function appliedTo(
  services: MacroServices,
  act: Act,
  actor: StaffActor,
  ticket: number,
  actions: readonly Action[]
): Promise<MacroResult[]> {
  const results: MacroResult[] = []
  for (const action of actions) {
    const outcome = await applyAction({ services, act, actor, ticket }, action)
    results.push({ action: entryOf(action).kind as MacroActionKind, ...outcome })
  }
  return results
}

function setBy({
  former_status: from,
  status: to
}: {
  former_status: TicketStatus
  status: TicketStatus
}): ActionOutcome {
  return from === to ? { outcome: 'skipped', why: skipReasons.unchanged } : { outcome: 'done', from, to }
}

const insertUse = prepared((db, p: { macro: number; now: Date }) =>
  db.insertInto('macro_uses').values({ macro_id: p.macro, at: p.now })
)

function causeOf({ id, name }: Macro): EventCause {
  return { macro_id: id, name, event_id: null, chain_id: null, depth: 0 }
}
