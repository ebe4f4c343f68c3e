import { type Static, Type } from 'typebox'
import { Id, Nullable, OneOf, OutputText } from '../../kit/schemas.ts'
import { RunAction, RunCondition, Value } from './run-schemas.ts'
import { type Trial, trialOutcomes } from './try-rule.ts'

export const TrialCondition = Type.Object({
  ...RunCondition.properties,
  actual: { ...Value, description: 'What the ticket or the event has instead.' }
})

export const TrialChange = Type.Object({
  field: {
    ...OutputText('priority'),
    description: 'A property of the ticket, `snoozed_until`, or `f12`: the custom field with this id.'
  },
  before: Value,
  after: Value
})

export const TrialEmail = Type.Object({
  to: OutputText('ada@example.com'),
  subject: OutputText('TKT-104233: is everything fine?'),
  text: OutputText('Hello Ada, we have answered …')
})

export const TrialFollower = Type.Object({ rule_id: Id(3), name: OutputText('Calm down') })

export const TrialView = Type.Object({
  ticket_id: { ...Nullable(Id(104_233)), description: 'Null for an e-mail.' },
  mail_id: Type.Optional({ ...Nullable(Id(88_120)), description: 'The e-mail of the mail log, of `mail_id`.' }),
  event_id: { ...Nullable(Id(88_120)), description: 'The event that would set it off, if one of the ticket would.' },
  outcome: OneOf(trialOutcomes),
  conditions: Type.Array(Type.Array(TrialCondition), { description: 'Group by group.' }),
  actions: Type.Array(RunAction),
  changes: Type.Array(TrialChange),
  emails: Type.Array(TrialEmail),
  followed_by: Type.Array(TrialFollower, { description: 'Other active rules that its changes would set off.' })
})

export function trialView(trial: Trial): Static<typeof TrialView> {
  return trial as Static<typeof TrialView>
}
