import { Type } from 'typebox'
import { Id, Nullable, OneOf, OutputText } from '../../../kit/schemas.ts'
import { administrative, Count, facts, Ids, type KindOfEvent, Yes } from './kind-of-event.ts'

const department = { name: OutputText('Sales'), is_active: Yes() }
const changedDepartment = (example: string) => ({
  name: Type.Optional(OutputText(example)),
  description: Type.Optional(Nullable(Type.String())),
  is_active: Type.Optional(Yes())
})

const tag = { name: OutputText('printer'), color: OutputText('#3b82f6') }

const cannedReply = { title: OutputText('Greeting'), is_shared: Yes() }

/** The name of a shared view alone: a personal one is its owner's. */
const view = { name: Type.Optional(OutputText('Urgent')), is_shared: Yes(), position: Count(2) }

/** Settings by their names, as `admin/settings` shows them; of the logo its digest. */
const settings = (example: object) => Type.Record(Type.String(), Type.Unknown(), { examples: [example] })

const template = { name: OutputText('client-ticket'), language: OneOf(['en', 'de'] as const) }
const wording = { subject: OutputText('About your ticket'), text: OutputText('Hello') }

/** Of departments, tags, canned replies, views and settings. */
export const deskEvents = {
  'department.created': { ...administrative, after: facts(department) },
  'department.updated': {
    ...administrative,
    before: facts(changedDepartment('Sales')),
    after: facts(changedDepartment('Orders'))
  },
  'department.deletion_begun': {
    ...administrative,
    before: facts(department),
    after: facts({ moving_to: Id(2), tickets: Count(12_000) })
  },
  // Null after: it had no tickets to move.
  'department.deleted': {
    ...administrative,
    before: facts(department),
    after: Nullable(facts({ moved_to: Id(2), tickets_moved: Count(12) }))
  },
  'department.members_changed': {
    ...administrative,
    before: facts({ staff_ids: Ids([2]) }),
    after: facts({ staff_ids: Ids([2, 4]) })
  },
  'tag.created': { ...administrative, after: facts(tag) },
  'tag.updated': { ...administrative, before: facts(tag), after: facts(tag) },
  'tag.merged': {
    ...administrative,
    before: facts({ name: OutputText('printers') }),
    after: facts({ name: OutputText('printer'), into_id: Id(3), tickets: Count(12) })
  },
  'tag.deleted': { ...administrative, before: facts({ name: OutputText('printer'), tickets: Count(12) }) },
  'canned_reply.created': { ...administrative, after: facts(cannedReply) },
  'canned_reply.updated': {
    ...administrative,
    before: facts(cannedReply),
    after: facts({ ...cannedReply, text_changed: Type.Optional(Yes()) })
  },
  'canned_reply.deleted': { ...administrative, before: facts(cannedReply) },
  'view.created': { ...administrative, after: facts(view) },
  'view.updated': {
    ...administrative,
    before: facts(view),
    after: facts({ ...view, query_changed: Type.Optional(Yes()) })
  },
  'view.deleted': { ...administrative, before: facts(view) },
  'setting.changed': {
    ...administrative,
    before: settings({ require_staff_2fa: 0 }),
    after: settings({ require_staff_2fa: 1 })
  },
  'email_template.changed': {
    ...administrative,
    before: facts({ ...template, ...wording }),
    after: facts({ ...template, ...wording })
  },
  'email_template.reset': {
    ...administrative,
    before: facts({ ...template, ...wording }),
    after: facts({ ...template, ...wording })
  },
  'email_template.tested': { ...administrative, after: facts(template) },
  'audit.exported': {
    ...administrative,
    after: facts({
      action: Type.Optional(OutputText('ticket.')),
      actor_type: Type.Optional(OneOf(['client', 'staff', 'system'] as const, 'staff')),
      actor_id: Type.Optional(Id(2)),
      target_type: Type.Optional(OutputText('ticket')),
      target_id: Type.Optional(Id(7)),
      from: Type.Optional(OutputText('2026-11-01')),
      to: Type.Optional(OutputText('2026-12-01'))
    })
  }
} as const satisfies Record<string, KindOfEvent>
