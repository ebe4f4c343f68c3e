import { Type } from 'typebox'
import { endpoint } from '../../endpoint.ts'
import { Forbidden } from '../../kit/errors.ts'
import { Flag, Id, Nullable, OneOf, Shown } from '../../kit/fields.ts'
import { Priority, Status, TicketRef } from '../../tickets/words.ts'
import { bulkActions, changeMany } from '../bulk.ts'
import { TagRefs } from '../words.ts'

const AsSent = Type.Unsafe<TicketRef>({ type: ['integer', 'string'], examples: [7] })

/**
 * Does one thing with up to 100 tickets; those that refuse it are listed with the reason. `tag` adds tags. `expected_versions` has the
 * version of each of the `ids`, in their order.
 */
export const changeDeskTickets = endpoint({
  path: '/api/admin/tickets/bulk',
  summary: 'Change many tickets at once',
  access: { anyOf: ['tickets.edit_status'] },
  body: Type.Object({
    ids: Type.Array(TicketRef, { minItems: 1, maxItems: 100 }),
    action: OneOf(bulkActions),
    status: Type.Optional(Status),
    assigned_staff_id: Type.Optional(Nullable(Id())),
    force: Type.Optional(Flag(0)),
    priority: Type.Optional(Priority),
    department_id: Type.Optional(Id()),
    tags: Type.Optional(TagRefs),
    expected_versions: Type.Optional(Type.Array(Id(), { minItems: 1, maxItems: 100 }))
  }),
  synonyms: { staff_id: 'assigned_staff_id', deptid: 'department_id' },
  data: Type.Object({
    done: Type.Array(Id()),
    failed: Type.Array(Type.Object({ id: AsSent, message: Shown('There is no such ticket') }))
  }),
  errors: [Forbidden],
  async handle({ body: { ids, ...bulk }, actor, caller, services }) {
    const { done, failed } = await changeMany(services, actor, caller, ids, bulk)
    return { message: `${done.length} changed, ${failed.length} refused`, data: { done, failed } }
  }
})
