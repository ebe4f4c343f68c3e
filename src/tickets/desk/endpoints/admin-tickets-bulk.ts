import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Forbidden } from '../../../kit/errors.ts'
import { Flag, Id, Nullable, OneOf, OutputText } from '../../../kit/schemas.ts'
import { GivenFields } from '../../fields/field-schemas.ts'
import { linkKinds } from '../../links/link-tickets.ts'
import { macroVerb } from '../../macros/apply-macro.ts'
import { MacroNotFound } from '../../macros/macros.ts'
import { snoozeFields } from '../../snooze/schemas.ts'
import { TagRefs } from '../../ticket/desk-schemas.ts'
import { Priority, Status, TicketRef } from '../../ticket/schemas.ts'
import { bulkActions, changeMany } from '../bulk.ts'

const AsSent = Type.Unsafe<TicketRef>({ type: ['integer', 'string'], examples: [7] })

/**
 * Applies one action to up to 100 tickets; refused ones are listed with the `reason` and the message that the call for a single one has. `delete` needs `tickets.delete`, `snooze` and `unsnooze`
 * `tickets.reply` or `tickets.edit_status`, all else `tickets.edit_status`. `macro` takes what its actions take, and sends its text. `tag` adds tags, `link` links each to `other_id`, `set_fields` sets `fields`. With `force`, `status` also closes tickets that
 * others block. `expected_versions` has the version of each of the `ids`, in order. An internal error stops the rest: its ticket is the last
 * of `failed`, and those after it are `not_tried`.
 */
export const changeDeskTickets = endpoint({
  path: '/api/admin/tickets/bulk',
  summary: 'Change many tickets at once',
  access: { anyOf: ['tickets.reply', 'tickets.edit_status', 'tickets.delete'] },
  about: { tickets: ['ids', 'other_id'], staff: ['assigned_staff_id'] },
  body: Type.Object({
    ids: Type.Array(TicketRef, { minItems: 1, maxItems: 100 }),
    action: OneOf(bulkActions),
    status: Type.Optional(Status),
    assigned_staff_id: Type.Optional(Nullable(Id())),
    force: Type.Optional(Flag(0)),
    priority: Type.Optional(Priority),
    department_id: Type.Optional(Id()),
    tags: Type.Optional(TagRefs),
    other_id: Type.Optional(TicketRef),
    link: Type.Optional(OneOf(linkKinds)),
    fields: Type.Optional(GivenFields),
    ...snoozeFields,
    macro_id: Type.Optional(Id()),
    expected_versions: Type.Optional(Type.Array(Id(), { minItems: 1, maxItems: 100 }))
  }),
  synonyms: { staff_id: 'assigned_staff_id', deptid: 'department_id', calendar_id: 'until_next_open' },
  data: Type.Object({
    done: Type.Array(Id()),
    failed: Type.Array(
      Type.Object({
        id: AsSent,
        reason: OutputText('ticket_not_found'),
        message: OutputText('There is no such ticket'),
        errors: Type.Optional(
          Type.Array(OutputText('fields.contract'), {
            description: 'The fields that were refused, or that are required.'
          })
        )
      })
    ),
    not_tried: Type.Array(AsSent)
  }),
  errors: [Forbidden, MacroNotFound],
  async handle({ body: { ids, ...bulk }, actor, caller, services }) {
    const { done, failed, notTried } = await changeMany(services, actor, caller, ids, bulk, id =>
      macroVerb(services, actor, id)
    )
    const left = notTried.length > 0 ? `, ${notTried.length} not tried` : ''
    const message = `${done.length} changed, ${failed.length} refused${left}`
    return { message, data: { done, failed, not_tried: notTried } }
  }
})
