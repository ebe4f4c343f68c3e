import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import { fieldsIn } from '../conditions/judge-in-memory.ts'
import type { Conditions } from '../conditions/schemas.ts'
import type { RuleDefinition, Timer } from './rule-types.ts'

/** One version of a rule, with what is asked of it for each event. */
export interface RuleVersion extends RuleDefinition {
  rule_id: number
  version: number
  since: Date
  kinds: ReadonlySet<string>
  /** The groups of its conditions that the event alone answers. */
  ofEvent: Conditions
  fields: ReadonlySet<string>
}

/** The rules that may run, in their order, each with its versions, the newest first. */
export interface CompiledRules {
  /** Those with a timer, as they are now. */
  timers: readonly (RuleVersion & { trigger: { timer: Timer } })[]
  /** Those that a kind of event may set off. */
  following(kind: string): readonly CompiledRule[]
}

export interface CompiledRule {
  id: number
  versions: readonly RuleVersion[]
}

/** Each version is compiled once, as long as a process follows the log; one whose tags were merged is read anew. */
export function ruleCompiler(): (db: Db) => Promise<CompiledRules> {
  let known = new Map<string, RuleVersion>()
  return async db => {
    const wanted = await versionsInUse(db, {})
    const keyOf = ({ rule_id, version, revision }: (typeof wanted)[number]) => `${rule_id} ${version} ${revision}`
    const missing = wanted.filter(each => !known.has(keyOf(each)))
    const rows = missing.length > 0 ? await contents(db, { ids: [...new Set(missing.map(each => each.rule_id))] }) : []
    const fresh = new Map(rows.map(row => [keyOf(row), compiled(row as Row)]))
    // One that was changed meanwhile is there with the next events.
    known = new Map(
      wanted.flatMap(each => {
        const version = known.get(keyOf(each)) ?? fresh.get(keyOf(each))
        return version ? [[keyOf(each), version]] : []
      })
    )
    return indexed([...known.values()])
  }
}

function indexed(versions: readonly RuleVersion[]): CompiledRules {
  const rules = [...Map.groupBy(versions, ({ rule_id }) => rule_id)].map(([id, versions]) => ({ id, versions }))
  const byKind = new Map<string, CompiledRule[]>()
  for (const rule of rules) {
    for (const kind of new Set(rule.versions.flatMap(({ kinds }) => [...kinds]))) {
      byKind.set(kind, [...(byKind.get(kind) ?? []), rule])
    }
  }
  const timers = rules.flatMap(({ versions: [newest] }) => (newest?.trigger.timer ? [newest] : []))
  return { timers: timers as CompiledRules['timers'], following: kind => byKind.get(kind) ?? [] }
}

type Row = RuleDefinition & { rule_id: number; version: number; created_at: Date; revision: string }

function compiled({ created_at, revision: _, ...row }: Row): RuleVersion {
  const isOfEvent = (field: string) => field.startsWith('event.')
  return {
    ...row,
    since: created_at,
    kinds: new Set(row.trigger.events ?? []),
    ofEvent: { all: row.conditions.all.filter(({ any }) => any.every(({ field }) => isOfEvent(field))) },
    fields: fieldsIn(row.conditions)
  }
}

/** Chains are short: an hour after a change nothing runs by the version before. */
const versionsInUse = prepared((db, _: object) => ofActive(db).select(['says.rule_id', 'says.version', revision]))

const contents = prepared((db, p: { ids: readonly number[] }) =>
  ofActive(db)
    .where('rules.id', '=', sql<number>`any(${p.ids}::bigint[])`)
    .select(['says.rule_id', 'says.version', 'says.created_at', revision])
    .select(['says.name', 'says.trigger', 'says.conditions', 'says.actions', 'says.watch_only'])
)

function ofActive(db: Db) {
  return db
    .selectFrom('rules')
    .innerJoin('rule_versions as says', 'says.rule_id', 'rules.id')
    .where('rules.is_active', '=', sql.lit(true))
    .where('rules.paused_reason', 'is', null)
    .where(({ or, eb, ref }) =>
      or([
        eb('says.version', '=', ref('rules.version')),
        eb('rules.updated_at', '>', sql<Date>`(select max(created_at) from rule_versions) - interval '1 hour'`)
      ])
    )
    .orderBy('rules.position')
    .orderBy('rules.id')
    .orderBy('says.version', 'desc')
}

/** Merging tags rewrites a version. */
const revision = sql<string>`says.xmin::text`.as('revision')
