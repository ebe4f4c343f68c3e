import { Type } from 'typebox'
import { Flag, Id, Nullable, OneOf, OutputText } from '../../../kit/schemas.ts'
import { fieldAccesses, fieldKinds, fieldRequirements } from '../../tables/fields.ts'
import { pauseReasons, timerBases } from '../../tables/rules.ts'
import { type SlaTargetRow, slaMetrics, slaReopenings } from '../../tables/sla-policies.ts'
import type { TicketPriority } from '../../tables/tickets.ts'
import { administrative, Count, facts, Ids, type KindOfEvent, Names, Yes } from './kind-of-event.ts'

const department = { name: OutputText('Sales'), is_active: Yes() }
const changedDepartment = (example: string) => ({
  name: Type.Optional(OutputText(example)),
  description: Type.Optional(Nullable(Type.String())),
  is_active: Type.Optional(Yes())
})

const tag = { name: OutputText('printer'), color: OutputText('#3b82f6') }

const cannedReply = { title: OutputText('Greeting'), is_shared: Yes() }

/** A macro; of its actions without the texts, which are their writer's. */
const macro = {
  name: OutputText('VIP'),
  is_shared: Yes(),
  actions: Names(['set_priority "High"', 'note "…"']),
  deptids: Type.Optional(Ids([1]))
}

/** The name of a shared view alone: a personal one is its owner's. */
const view = { name: Type.Optional(OutputText('Urgent')), is_shared: Yes(), position: Count(2) }

/** Settings by their names, as `admin/settings` shows them; of the logo its digest. */
const settings = (example: object) => Type.Record(Type.String(), Type.Unknown(), { examples: [example] })

const template = { name: OutputText('client-ticket'), language: OneOf(['en', 'de'] as const) }
const wording = { subject: OutputText('About your ticket'), text: OutputText('Hello') }

/** An SLA policy, or what of it was changed. Departments are given by their public id. */
const policy = {
  name: OutputText('Standard'),
  conditions: Type.Optional(
    Type.Unsafe<object>(
      facts({
        all: Type.Array(
          facts({
            any: Type.Array(
              facts({
                field: OutputText('department_id'),
                op: OutputText('in'),
                value: Type.Optional(
                  Type.Unsafe<unknown>({
                    type: ['array', 'string', 'number', 'boolean'],
                    items: { type: ['string', 'number'] },
                    examples: [[4]]
                  })
                )
              })
            )
          })
        )
      })
    )
  ),
  targets: Type.Optional(
    Type.Unsafe<readonly Omit<SlaTargetRow, 'policy_id'>[]>(
      Type.Array(
        facts({
          metric: OneOf(slaMetrics),
          priority: OneOf<TicketPriority>(['Low', 'Medium', 'High', 'Critical'], 'Medium'),
          minutes: Count(240),
          calendar_id: Id(2)
        })
      )
    )
  ),
  pause_on: Type.Optional(Names(['answered'])),
  on_reopen: Type.Optional(OneOf(slaReopenings)),
  warn_minutes: Type.Optional(Nullable(Count(30))),
  is_active: Type.Optional(Yes())
}
/** The policy of every open ticket is chosen anew at once. */
const apply_to_open = Type.Optional(Yes())

/** A custom field, or what of it was changed. */
const field = {
  key: OutputText('contract'),
  client_access: OneOf(fieldAccesses),
  label: Type.Optional(OutputText('Contract')),
  kind: Type.Optional(OneOf(fieldKinds, 'select')),
  options: Type.Optional(
    Type.Unsafe<readonly object[]>(Type.Array(facts({ id: Id(2), label: OutputText('Gold'), is_archived: Yes(false) })))
  ),
  is_filterable: Type.Optional(Yes()),
  required_on: Type.Optional(OneOf(fieldRequirements, 'never')),
  hint: Type.Optional(OutputText('It is on the invoice')),
  position: Type.Optional(Count(3))
}
/** A ticket form, or what of it was changed. */
const ticketForm = {
  name: OutputText('Hardware'),
  deptids: Type.Optional(Ids([1])),
  items: Type.Optional(
    Type.Unsafe<readonly object[]>(
      Type.Array(
        facts({
          field_id: Id(12),
          required: Flag(),
          show_if: Nullable(facts({ field_id: Id(11), in: Type.Unsafe<readonly number[]>(Type.Array(Count(2))) }))
        })
      )
    )
  ),
  is_default: Type.Optional(Yes(false))
}
/** A rule, or what of it was changed; of its actions without the texts, which are their writer's. */
const conditions = policy.conditions
const rule = {
  name: OutputText('VIP first'),
  trigger: Type.Optional(
    facts({
      events: Type.Optional(Names(['ticket.created'])),
      timer: Type.Optional(
        facts({
          basis: OneOf(timerBases, 'last_reply'),
          minutes: Count(120),
          direction: Type.Optional(OneOf(['after', 'before'] as const)),
          calendar_id: Type.Optional(Nullable(Id(2))),
          field_id: Type.Optional(Id(12))
        })
      )
    })
  ),
  conditions,
  actions: Type.Optional(Names(['set_priority "High"'])),
  watch_only: Type.Optional(Yes(false)),
  is_active: Type.Optional(Yes())
}
const pause = { name: OutputText('VIP first'), reason: OneOf(pauseReasons, 'budget') }

const spans = Type.Array(Type.Array(Type.String()), { examples: [[['09:00', '17:00']]] })

/** Of a calendar its name and what is different; of its days those that the other side does not have. */
const calendar = (example: string) =>
  facts({
    name: OutputText(example),
    version: Count(3),
    time_zone: Type.Optional(OutputText('Europe/Berlin')),
    is_always: Type.Optional(Yes(false)),
    is_default: Type.Optional(Yes(false)),
    is_archived: Type.Optional(Yes(false)),
    weeks: Type.Optional(
      Type.Unsafe<readonly object[]>(
        Type.Array(
          facts({
            valid_from: Nullable(Type.String({ examples: ['2026-07-01'] })),
            hours: Type.Record(Type.String(), spans)
          })
        )
      )
    ),
    days: Type.Optional(
      Type.Unsafe<readonly object[]>(
        Type.Array(facts({ date: OutputText('2026-12-25'), name: OutputText('Christmas Day'), hours: spans }))
      )
    ),
    recompute_past: Type.Optional(Yes()),
    // Node has other data of its time zone than before.
    time_zone_data: Type.Optional(OutputText('2026a'))
  })

/** Of departments, tags, canned replies, macros, views, SLA policies, rules, custom fields, settings and calendars. */
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
  'macro.created': { ...administrative, after: facts(macro) },
  'macro.updated': {
    ...administrative,
    before: facts(macro),
    after: facts({ ...macro, text_changed: Type.Optional(Yes()) })
  },
  'macro.deleted': { ...administrative, before: facts(macro) },
  'view.created': { ...administrative, after: facts(view) },
  'view.updated': {
    ...administrative,
    before: facts(view),
    after: facts({ ...view, query_changed: Type.Optional(Yes()) })
  },
  'view.deleted': { ...administrative, before: facts(view) },
  'sla_policy.created': { ...administrative, after: facts({ ...policy, apply_to_open }) },
  'sla_policy.updated': { ...administrative, before: facts(policy), after: facts({ ...policy, apply_to_open }) },
  'sla_policy.archived': { ...administrative, after: facts({ name: OutputText('Standard') }) },
  'sla_policy.unarchived': { ...administrative, after: facts({ name: OutputText('Standard'), apply_to_open }) },
  'sla_policy.deleted': { ...administrative, before: facts(policy) },
  'sla_policy.reordered': {
    ...administrative,
    before: facts({ ids: Ids([1, 2, 3]) }),
    after: facts({ ids: Ids([3, 1, 2]), apply_to_open })
  },
  'field.created': { ...administrative, after: facts(field) },
  'field.updated': { ...administrative, before: facts(field), after: facts(field) },
  'field.archived': { ...administrative, after: facts(field) },
  'field.unarchived': { ...administrative, after: facts(field) },
  'field.deleted': { ...administrative, before: facts(field) },
  'ticket_form.created': { ...administrative, after: facts(ticketForm) },
  'ticket_form.updated': { ...administrative, before: facts(ticketForm), after: facts(ticketForm) },
  'ticket_form.archived': { ...administrative, before: facts(ticketForm) },
  'ticket_form.unarchived': { ...administrative, after: facts(ticketForm) },
  'ticket_form.deleted': { ...administrative, before: facts(ticketForm) },
  'rule.created': { ...administrative, after: facts(rule) },
  'rule.updated': { ...administrative, before: facts(rule), after: facts(rule) },
  'rule.deleted': { ...administrative, before: facts(rule) },
  'rule.reordered': {
    ...administrative,
    before: facts({ ids: Ids([1, 2, 3]) }),
    after: facts({ ids: Ids([3, 1, 2]) })
  },
  'rule.paused': { ...administrative, after: facts(pause) },
  'rule.resumed': { ...administrative, before: facts(pause) },
  'rule.run_again': { ...administrative, after: facts({ name: rule.name, run_id: Id(12) }) },
  'setting.changed': {
    ...administrative,
    before: settings({ require_staff_2fa: 0 }),
    after: settings({ require_staff_2fa: 1 })
  },
  // Null before: it is new; null after: it is gone.
  'calendar.changed': {
    ...administrative,
    before: Nullable(calendar('Berlin office')),
    after: Nullable(calendar('Berlin and Hamburg'))
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
