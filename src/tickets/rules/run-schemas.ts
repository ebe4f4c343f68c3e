import { type Static, Type } from 'typebox'
import { runOutcomes } from '../../core/tables/rules.ts'
import { Id, IsoTime, Nullable, OneOf, OutputText } from '../../kit/schemas.ts'
import { actionKinds } from '../actions/action-kinds.ts'
import type { RuleRun } from './rule-runs.ts'

/** What was there, before or after an action: a status, an id, names of tags, a time; null where there is none. */
export const Value = Type.Unsafe<unknown>({
  type: ['array', 'string', 'number', 'boolean', 'null'],
  items: { type: ['string', 'number'] },
  examples: ['High']
})

/** What became of an action, under its name. */
export const RunAction = Type.Object({
  ...Object.fromEntries(
    Object.keys(actionKinds).map(kind => [kind, Type.Optional(OneOf(['done', 'skipped'] as const))])
  ),
  from: Type.Optional(Value),
  to: Type.Optional(Value),
  why: Type.Optional(OutputText('It is so already'))
})

export const RunCondition = Type.Object({
  field: OutputText('priority'),
  op: OutputText('is'),
  actual: Type.Optional({
    ...Value,
    description: 'What the ticket or the event had instead, unless that is a text that people wrote.'
  }),
  fits: Type.Boolean()
})

export const RunDetailView = Type.Object({
  conditions: Type.Optional(Type.Array(Type.Array(RunCondition), { description: 'Group by group.' })),
  actions: Type.Optional(Type.Array(RunAction)),
  reason: Type.Optional(OneOf(['chain', 'depth', 'budget'] as const)),
  by_rule: Type.Optional({ ...Id(3), description: 'The rule whose change set it off.' }),
  again_of: Type.Optional({ ...Id(11), description: 'The stopped run that staff made again by this one.' })
})

export const RuleRunView = Type.Object({
  id: Id(12),
  rule_id: Id(7),
  version: Type.Integer({ minimum: 1, examples: [3] }),
  ticket_id: { ...Nullable(Id(104_233)), description: 'Null for an e-mail that became no ticket.' },
  mail_id: { ...Nullable(Id(88_120)), description: 'The e-mail of the mail log that set it off.' },
  event_id: Nullable(Id(88_120)),
  chain_id: Nullable(Id(88_119)),
  depth: Type.Integer({ minimum: 0, examples: [0] }),
  outcome: OneOf(runOutcomes),
  detail: RunDetailView,
  at: IsoTime(),
  again_at: { ...Nullable(IsoTime()), description: 'When staff made a run again that a budget had stopped.' }
})

export function runView({ at, again_at, detail, mail_log_id: mail_id, ...run }: RuleRun): Static<typeof RuleRunView> {
  return {
    ...run,
    mail_id,
    detail: detail as Static<typeof RunDetailView>,
    at: at.toISOString(),
    again_at: again_at?.toISOString() ?? null
  }
}
