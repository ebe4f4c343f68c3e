import { isDeepStrictEqual } from 'node:util'
import type { EventKind } from '../../core/events/catalogue.ts'
import { type ActionKind, entryOf } from '../actions/action-values.ts'
import { type Fact, type Facts, judge } from '../conditions/judge-in-memory.ts'
import type { Rule, RuleDefinition } from './rule-types.ts'

/** What may not be meant, but is saved all the same. */
export interface RuleWarning {
  kind: 'undoes'
  rule_id: number
  text: string
}

/** A property that an action sets, and the event that tells of it. */
interface Setting {
  property: string
  value: unknown
  kind: EventKind
  /** What is a fact of the ticket after it. */
  facts: Facts
}

const kinds: Partial<Record<ActionKind, [field: string, kind: EventKind]>> = {
  set_status: ['status', 'ticket.status_changed'],
  set_priority: ['priority', 'ticket.updated'],
  move_to: ['department_id', 'ticket.updated'],
  assign: ['assigned_staff_id', 'ticket.assigned']
}

/** R5: the active rules that set back what this one sets, or whose changes this one sets back. */
export function undoneBy(rule: Pick<Rule, 'id'> & RuleDefinition, others: readonly Rule[]): RuleWarning[] {
  return others.flatMap(other => {
    if (other.id === rule.id || !other.is_active || other.watch_only) return []
    if (!setsBack(rule, other) && !setsBack(other, rule)) return []
    const text = `“${rule.name}” and “${other.name}” set back what the other one sets`
    return [{ kind: 'undoes', rule_id: other.id, text }]
  })
}

/** Whether the other rule follows a change of the first, and undoes it. */
function setsBack(rule: RuleDefinition, other: RuleDefinition): boolean {
  return settingsOf(rule).some(set => {
    if (!other.trigger.events?.includes(set.kind) || cannotFit(other, set.facts)) return false
    return settingsOf(other).some(
      ({ property, value }) => property === set.property && !isDeepStrictEqual(value, set.value)
    )
  })
}

function settingsOf({ actions }: RuleDefinition): Setting[] {
  return actions.flatMap((action): Setting[] => {
    const { kind, value } = entryOf(action)
    if (kind === 'add_tags' || kind === 'remove_tags') {
      return value.map(tag => ({
        property: `tag ${tag}`,
        value: kind === 'add_tags',
        kind: 'ticket.tagged',
        facts: {}
      }))
    }
    if (kind === 'set_field') {
      const property = `f${value.key}`
      return [
        { property, value: value.value, kind: 'ticket.field_changed', facts: { [property]: value.value as Fact } }
      ]
    }
    const known = kinds[kind]
    if (!known) return []
    const [property, event] = known
    const facts = typeof value === 'object' ? {} : { [property]: value as string | number }
    return [{ property, value, kind: event, facts }]
  })
}

/** Whether a ticket of which these facts are true surely does not fit. */
function cannotFit({ conditions }: RuleDefinition, facts: Facts): boolean {
  return conditions.all.some(
    group =>
      group.any.every(({ field }) => Object.hasOwn(facts, field)) && !judge({ all: [group] }, facts, new Date(0)).fits
  )
}
