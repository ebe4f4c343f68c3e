import { type Static, Type } from 'typebox'
import type { Db } from '../../core/db.ts'
import { pauseReasons, timerBases } from '../../core/tables/rules.ts'
import { BooleanInput, Flag, Id, maxId, Name, Nullable, OneOf, OutputText, Timestamp } from '../../kit/schemas.ts'
import { Version } from '../../kit/versions.ts'
import { bit } from '../../lib/bit.ts'
import { timestamp } from '../../lib/time.ts'
import { Actions, SomeActions } from '../actions/schemas.ts'
import { namedActions } from '../actions/stored-actions.ts'
import { type Followed, mailReceived, rulesMayFollow } from '../conditions/event-fields.ts'
import { EventConditions } from '../conditions/schemas.ts'
import { namedConditions } from '../conditions/stored-conditions.ts'
import { Count } from '../ticket/schemas.ts'
import { attentionOfRules } from './rule-attention.ts'
import { runsInWeek } from './rule-runs.ts'
import type { Rule, Trigger } from './rule-types.ts'
import { allRules } from './rules.ts'
import { undoneBy } from './undoing.ts'

export const RuleTimer = Type.Object(
  {
    basis: {
      ...OneOf(timerBases, 'last_reply'),
      description:
        '`created`: the ticket was opened; `last_client_message`; `last_reply`: of staff; `status_since`: its status changed; `sla_due`: the next that is due by SLA; `snooze_end`; `date_field`: 00:00 of the day in a custom field, in the time zone of the desk.'
    },
    minutes: Type.Integer({ minimum: 1, maximum: 525_600, examples: [120] }),
    direction: Type.Optional(OneOf(['after', 'before'] as const)),
    calendar_id: Type.Optional({
      ...Nullable(Id(2)),
      description: 'Counts the minutes of its open time; only after the basis.'
    }),
    field_id: Type.Optional({ ...Id(12), description: 'Of `date_field`: the custom field, which is a date.' })
  },
  { additionalProperties: false }
)

const TriggerShape = Type.Object(
  {
    timer: Type.Optional(RuleTimer),
    events: Type.Optional(
      Type.Array(OneOf<Followed>([...rulesMayFollow, mailReceived], 'ticket.created'), {
        minItems: 1,
        maxItems: 50,
        examples: [['ticket.created', 'ticket.updated']],
        description:
          'The kinds of events of a ticket that set it off; or `mail.received` alone: an e-mail that arrives, before it is a ticket or a reply.'
      })
    )
  },
  {
    additionalProperties: false,
    minProperties: 1,
    maxProperties: 1,
    examples: [{ events: ['ticket.created', 'ticket.updated'] }],
    description: 'Either events or a timer.'
  }
)

/** What sets a rule off. */
export const TriggerInput = Type.Unsafe<Trigger>(TriggerShape)

/** The fields of a rule, as they are sent. */
export const ruleFields = {
  name: Name(100, 'VIP first'),
  trigger: TriggerInput,
  conditions: EventConditions,
  actions: SomeActions,
  is_active: { ...BooleanInput(0), description: '1: it runs. By default a new rule does not.' },
  watch_only: {
    ...BooleanInput(0),
    description: '1: it logs what it would do for real events, and does nothing.'
  }
}

export const ruleFieldsToChange = {
  name: Type.Optional(ruleFields.name),
  trigger: Type.Optional(ruleFields.trigger),
  conditions: Type.Optional(ruleFields.conditions),
  actions: Type.Optional(ruleFields.actions),
  is_active: Type.Optional(ruleFields.is_active),
  watch_only: Type.Optional(ruleFields.watch_only)
}

export const createTags = {
  ...BooleanInput(1),
  description: '1: tags that the actions name and that there are not yet are created with it.'
}

/** R10: whether a write that switches a timer on also takes the tickets for which its time is over already. */
export const existingFields = {
  include_existing: Type.Optional({
    ...BooleanInput(1),
    description:
      '1: a rule with a timer that this switches on takes the tickets for which its time is over already too.'
  }),
  expected_count: Type.Optional({
    ...Type.Integer({ minimum: 0, maximum: maxId, examples: [212] }),
    description: 'How many these are, as `rules/impact` tells; if there are others: 409 with their number.'
  })
}

export const RuleAttention = Type.Object({
  reason: OutputText('staff_out_of_use'),
  text: OutputText('actions.0.assign: Grace Hopper is out of use'),
  name: { ...OutputText('Grace Hopper'), description: 'What is gone or out of use, or the other rule.' },
  count: Type.Optional({ ...Count, description: 'Of `fights`: how often it was stopped within a day.' })
})

export const RuleView = Type.Object({
  id: Id(7),
  name: OutputText('VIP first'),
  position: Type.Integer({ minimum: 1, examples: [1] }),
  trigger: TriggerInput,
  conditions: EventConditions,
  actions: Actions,
  is_active: Flag(),
  watch_only: Flag(0),
  // Why it stands still although it is active: staff paused it, or it would have exceeded a budget.
  paused_reason: Nullable(OneOf(pauseReasons, 'budget')),
  attention: Type.Array(RuleAttention),
  version: Version,
  created_at: Timestamp(),
  updated_at: Timestamp()
})

export const RuleWarningView = Type.Object({
  kind: OneOf(['undoes'] as const),
  rule_id: Id(3),
  text: OutputText('“VIP first” and “Calm down” set back what the other one sets')
})

/** The data about one rule. */
export const ruleData = Type.Object({ rule: RuleView, warnings: Type.Array(RuleWarningView) })

export async function ruleView(db: Db, rule: Rule): Promise<Static<typeof ruleData>> {
  const [view] = await ruleViews(db, [rule])
  return { rule: view!, warnings: undoneBy(rule, await allRules(db)) }
}

export const ListedRule = Type.Object({
  ...RuleView.properties,
  runs_in_7_days: { ...Count, description: 'How often it ran, or would have if it only watches, up to 10,000.' }
})

export const rulesData = Type.Object({ rules: Type.Array(ListedRule) })

/** The data about all of them, in their order. */
export async function rulesView(db: Db, rules: readonly Rule[], now: Date): Promise<Static<typeof rulesData>> {
  const [views, counts] = [await ruleViews(db, rules), await runsInWeek(db, now)]
  return { rules: views.map(view => ({ ...view, runs_in_7_days: counts.get(view.id) ?? 0 })) }
}

/** Rules as the API shows them, in the same order. */
export async function ruleViews(db: Db, rules: readonly Rule[]): Promise<Static<typeof RuleView>[]> {
  const conditions = await namedConditions(
    db,
    rules.map(rule => rule.conditions)
  )
  const actions = await namedActions(
    db,
    rules.map(rule => rule.actions)
  )
  const attention = await attentionOfRules(db, rules)
  return rules.map((rule, at) => ({
    ...rule,
    conditions: conditions[at]!,
    actions: actions[at]!,
    attention: attention[at]!,
    is_active: bit(rule.is_active),
    watch_only: bit(rule.watch_only),
    created_at: timestamp(rule.created_at),
    updated_at: timestamp(rule.updated_at)
  }))
}
