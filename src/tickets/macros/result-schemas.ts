import { type Static, Type } from 'typebox'
import type { StaffActor } from '../../core/actor.ts'
import type { Db } from '../../core/db.ts'
import type { FailureKind } from '../../kit/errors.ts'
import { Flag, Id, Nullable, OneOf, OutputText, Timestamp } from '../../kit/schemas.ts'
import { Version } from '../../kit/versions.ts'
import { UnknownDepartment } from '../../people/departments/departments.ts'
import { actionKinds } from '../actions/action-kinds.ts'
import { type ActionKind, mailActions } from '../actions/action-values.ts'
import { AlreadyAssigned } from '../desk/assign-ticket.ts'
import { UnknownTag } from '../desk/tag-refs.ts'
import { FieldsRequired } from '../forms/required-fields.ts'
import { TicketBlocked } from '../links/blocked-tickets.ts'
import { SnoozeRefused } from '../snooze/snooze-ticket.ts'
import { UnknownAssignee } from '../ticket/assignees.ts'
import { AttachmentView, Status } from '../ticket/schemas.ts'
import type { MacroPreview, MacroResult } from './apply-macro.ts'
import { MacroView, macroViews } from './macros.ts'

/** A value before or after an action: a status, an id, names of tags, a time; null where there is none. */
const Value = Type.Unsafe<unknown>({
  type: ['array', 'string', 'number', 'boolean', 'null'],
  items: { type: ['string', 'integer'] },
  examples: ['High']
})

const kindsOfMacros = (Object.keys(actionKinds) as ActionKind[]).filter(
  kind => kind !== 'split_off' && !mailActions.includes(kind)
)

/** The kinds of actions that are left out of a macro this time. */
export const LeftOut = Type.Array(OneOf(kindsOfMacros, 'set_priority'), {
  maxItems: kindsOfMacros.length,
  examples: [['set_priority']],
  description: 'Actions of these kinds are left out this time.'
})

/** What became of one action of a macro. */
export const MacroResultView = Type.Object({
  action: OneOf(kindsOfMacros as Exclude<ActionKind, 'split_off'>[], 'set_priority'),
  outcome: OneOf(['done', 'skipped'] as const),
  from: Value,
  to: Value,
  // Why it was skipped; null for what was done.
  why: Nullable(OutputText('It is so already'))
})

export function resultViews(results: readonly MacroResult[]): Static<typeof MacroResultView>[] {
  return results.map(({ action, ...result }) =>
    result.outcome === 'done' ? { action, ...result, why: null } : { action, ...result, from: null, to: null }
  )
}

/** The text of a macro for a ticket; null: it has none. */
const FilledReply = Nullable(
  Type.Object({
    text: OutputText('Hello Ada, Billing looks into it.'),
    // What the text names that is not set; it was left out, and has to be filled in before it is sent.
    unset: Type.Array(OutputText('staff.first_name'))
  })
)

export const MacroPreviewView = Type.Object({
  ticket_id: Id(),
  macro: MacroView,
  results: Type.Array(MacroResultView),
  reply: FilledReply
})

export async function previewView(
  db: Db,
  actor: StaffActor,
  { macro, ...preview }: MacroPreview & { ticket_id: number }
): Promise<Static<typeof MacroPreviewView>> {
  const [view] = await macroViews(db, actor, [macro])
  return { ...preview, macro: view!, results: resultViews(preview.results) }
}

/** What applying a macro has done, or would do. */
export const AppliedMacro = Type.Object({
  ticket_id: Id(),
  // 0: without `send` nothing was done; with `undo` it waits.
  is_done: Flag(),
  version: Nullable(Version),
  status: Nullable(Status),
  message_id: Nullable(Id(12)),
  results: Type.Array(MacroResultView),
  reply: FilledReply,
  attachments: Type.Array(AttachmentView),
  // Only with `undo`: until then it can be taken back; null if it was applied at once.
  undo_until: Type.Optional(Nullable(Timestamp()))
})

/** What an action may be refused with, as by hand. */
export const actionFailures: readonly FailureKind[] = [
  TicketBlocked,
  FieldsRequired,
  AlreadyAssigned,
  UnknownAssignee,
  UnknownDepartment,
  UnknownTag,
  SnoozeRefused
]
