import { type Db, prepared } from '../../core/db.ts'
import type { Action } from '../actions/action-values.ts'
import type { Condition, Conditions } from '../conditions/schemas.ts'
import type { Trigger } from './rule-types.ts'

/** What a desk has to choose for a template. */
export const neededKinds = ['calendar', 'department', 'organisation', 'tag'] as const

/** A rule to start from, as `rules/create` takes it, with the places where a desk has to choose. */
interface RuleTemplate {
  key: string
  name: string
  rule: { name: string; trigger: Trigger; conditions: Conditions; actions: Action[]; watch_only?: 1; create_tags?: 1 }
  needs: { kind: (typeof neededKinds)[number]; at: string }[]
}

/**
 * All of them, each as `rules/create` takes it. What a desk has to choose is its first one; where it has no organisation, the rule is for all that come,
 * and where it has no tag, one is created with the rule.
 */
export async function ruleTemplates(db: Db): Promise<RuleTemplate[]> {
  const [first] = await firstOfEach(db, {})
  const department = first?.department ?? 1
  const organisation = first?.organisation
  const ofOrganisation: Condition = organisation
    ? { field: 'organisation_id', op: 'is', value: organisation }
    : { field: 'organisation_id', op: 'is_set' }
  const needsOrganisation = organisation ? [{ kind: 'organisation' as const, at: 'conditions.all.0.any.0.value' }] : []
  const calendar = first?.calendar ?? 1
  const day = 1_440
  return [
    template('warn_before_close', 'Say two days before that an answered ticket will be closed', {
      trigger: { timer: { basis: 'status_since', minutes: 5 * day } },
      conditions: all({ field: 'status', op: 'is', value: 'Answered' }),
      actions: [
        {
          email_client: {
            subject: '{{ticket.number}}: is everything fine?',
            text: 'Hello {{client.first_name|there}},\n\nwe have answered “{{ticket.subject}}” and heard nothing since. If you still need us, reply within two days: after that we close the ticket.'
          }
        }
      ]
    }),
    template('auto_close', 'Close answered tickets after seven days', {
      trigger: { timer: { basis: 'status_since', minutes: 7 * day } },
      conditions: all({ field: 'status', op: 'is', value: 'Answered' }),
      actions: [{ set_status: 'Closed' }]
    }),
    template(
      'vip_first',
      'VIP first',
      {
        trigger: { events: ['ticket.created'] },
        conditions: all(ofOrganisation),
        actions: [{ set_priority: 'High' }]
      },
      needsOrganisation
    ),
    template(
      'keyword_to_department',
      'Invoices to their department',
      {
        trigger: { events: ['ticket.created'] },
        conditions: {
          all: [
            {
              any: [
                { field: 'subject', op: 'contains', value: 'invoice' },
                { field: 'subject', op: 'contains', value: 'payment' }
              ]
            }
          ]
        },
        actions: [{ move_to: department }]
      },
      [{ kind: 'department', at: 'actions.0.move_to' }]
    ),
    template('escalate_breach', 'Escalate what was not answered in time', {
      trigger: { events: ['sla.breached'] },
      conditions: all({ field: 'status', op: 'is_not', value: 'Closed' }),
      actions: [
        { set_priority: 'Critical' },
        { notify_staff: { who: 'department', text: '{{ticket.number}} “{{ticket.subject}}” has missed its target.' } }
      ]
    }),
    template(
      'tag_by_organisation',
      'Tag the tickets of an organisation',
      {
        trigger: { events: ['ticket.created'] },
        conditions: all(ofOrganisation),
        actions: [{ add_tags: [first?.tag ?? 'vip'] }],
        ...(!first?.tag && { create_tags: 1 })
      },
      [...needsOrganisation, { kind: 'tag', at: 'actions.0.add_tags' }]
    ),
    template(
      'round_robin',
      'Hand out new tickets in turn',
      {
        trigger: { events: ['ticket.created'] },
        conditions: all(
          { field: 'department_id', op: 'is', value: department },
          { field: 'assigned_staff_id', op: 'not_set' }
        ),
        actions: [{ assign: { round_robin: department } }]
      },
      [
        { kind: 'department', at: 'conditions.all.0.any.0.value' },
        { kind: 'department', at: 'actions.0.assign.round_robin' }
      ]
    ),
    template(
      'out_of_hours',
      'Say outside of business hours when you open next',
      {
        trigger: { events: ['ticket.created'] },
        conditions: all(
          { field: 'event.actor', op: 'is_not', value: 'staff' },
          { field: 'event.open_calendars', op: 'has_none', value: [calendar] }
        ),
        actions: [
          {
            email_client: {
              subject: '{{ticket.number}}: we read this on {{calendar.next_opening|our next working day}}',
              text: 'Hello {{client.first_name|there}},\n\nthank you for “{{ticket.subject}}”. We are closed at the moment and open again on {{calendar.next_opening|our next working day}}: then we answer.',
              calendar_id: calendar
            }
          }
        ]
      },
      [
        { kind: 'calendar', at: 'conditions.all.1.any.0.value' },
        { kind: 'calendar', at: 'actions.0.email_client.calendar_id' }
      ]
    ),
    template('reopen_or_new', 'Reopen within 14 days, later begin a new linked ticket', {
      trigger: { events: ['ticket.replied'] },
      conditions: all(
        { field: 'event.actor', op: 'is_not', value: 'staff' },
        { field: 'event.before.status', op: 'is', value: 'Closed' },
        { field: 'event.status_days', op: 'greater', value: 14 }
      ),
      actions: [{ split_off: { subject: '{{ticket.subject}}' } }, { set_status: 'Closed' }]
    }),
    template('thanks_stays_closed', 'A thank-you does not reopen a ticket', {
      trigger: { events: ['ticket.replied'] },
      conditions: {
        all: [
          { any: [{ field: 'event.actor', op: 'is_not', value: 'staff' }] },
          { any: [{ field: 'event.before.status', op: 'is', value: 'Closed' }] },
          {
            any: ['thank', 'thx', 'dank', 'merci', 'gracias'].map(value => ({
              ...{ field: 'event.message', op: 'contains' as const, value }
            }))
          },
          { any: [{ field: 'event.message_words', op: 'less', value: 12 }] }
        ]
      },
      actions: [{ set_status: 'Closed' }],
      watch_only: 1
    }),
    template('snooze_over', 'Ask again when a snooze is over', {
      trigger: { timer: { basis: 'snooze_end', minutes: 15, direction: 'before' } },
      conditions: all({ field: 'assigned_staff_id', op: 'is_set' }),
      actions: [
        {
          notify_staff: {
            who: 'assignee',
            text: '{{ticket.number}} “{{ticket.subject}}” wakes in 15 minutes: ask again whoever it waits for.'
          }
        }
      ]
    })
  ]
}

function template(
  key: string,
  name: string,
  rule: Omit<RuleTemplate['rule'], 'name'>,
  needs: RuleTemplate['needs'] = []
): RuleTemplate {
  return { key, name, rule: { name, ...rule }, needs }
}

function all(...conditions: Condition[]): Conditions {
  return { all: conditions.map(condition => ({ any: [condition] })) }
}

const firstOfEach = prepared(db =>
  db.selectNoFrom(db => [
    db.selectFrom('departments').where('is_active', '=', true).select('deptid').orderBy('id').limit(1).as('department'),
    db.selectFrom('organisations').select('id').orderBy('id').limit(1).as('organisation'),
    db
      .selectFrom('calendars')
      .where('is_archived', '=', false)
      .select('id')
      .orderBy('is_always')
      .orderBy('is_default', 'desc')
      .orderBy('id')
      .limit(1)
      .as('calendar'),
    db.selectFrom('tags').select('name').orderBy('id').limit(1).as('tag')
  ])
)
