import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import { replaceUsed } from '../../core/definitions/uses.ts'
import type { Conditions } from './schemas.ts'
import { withTags } from './stored-conditions.ts'
import { withTagsInActions } from './tags-in-actions.ts'

type Tag = string | number

/** A definition with what of it may name tags, as it is stored. */
interface Holder<T> {
  id: number
  stored: T
}

/** How what names tags in definitions of a kind is read, rewritten and changed. A merged tag means the same as before: their versions stay. */
interface Holding<T> {
  read(db: Db, p: { ids: readonly number[] }): Promise<Holder<T>[]>
  rewrite(db: Db, p: { id: number; stored: string }): Promise<unknown>
  replaced(stored: T, change: (tag: Tag) => Tag): T
}

/** What of a rule may name tags. */
interface InRules {
  conditions: Conditions
  actions: object[]
}

const inConditions = { replaced: withTags } satisfies Partial<Holding<Conditions>>

/** Forms name no tags. */
const holders: {
  view: Holding<Conditions>
  sla_policy: Holding<Conditions>
  macro: Holding<object[]>
  rule: Holding<InRules>
} = {
  view: {
    ...inConditions,
    read: prepared((db, p: { ids: readonly number[] }) =>
      db
        .selectFrom('ticket_views')
        .where('id', '=', sql<number>`any(${p.ids}::bigint[])`)
        .where('conditions', 'is not', null)
        .select('id')
        .select(sql<Conditions>`conditions`.as('stored'))
        .forUpdate()
    ),
    rewrite: prepared((db, p: { id: number; stored: string }) =>
      db.updateTable('ticket_views').where('id', '=', p.id).set({ conditions: p.stored })
    )
  },
  sla_policy: {
    ...inConditions,
    read: prepared((db, p: { ids: readonly number[] }) =>
      db
        .selectFrom('sla_policies')
        .where('id', '=', sql<number>`any(${p.ids}::bigint[])`)
        .select('id')
        .select(sql<Conditions>`conditions`.as('stored'))
        .forUpdate()
    ),
    rewrite: prepared((db, p: { id: number; stored: string }) =>
      db.updateTable('sla_policies').where('id', '=', p.id).set({ conditions: p.stored })
    )
  },
  macro: {
    replaced: withTagsInActions,
    read: prepared((db, p: { ids: readonly number[] }) =>
      db
        .selectFrom('macros')
        .where('id', '=', sql<number>`any(${p.ids}::bigint[])`)
        .select(['id', 'actions as stored'])
        .forUpdate()
    ),
    rewrite: prepared((db, p: { id: number; stored: string }) =>
      db.updateTable('macros').where('id', '=', p.id).set({ actions: p.stored })
    )
  },
  rule: {
    replaced: ({ conditions, actions }, change) => ({
      conditions: withTags(conditions, change),
      actions: withTagsInActions(actions, change)
    }),
    read: prepared((db, p: { ids: readonly number[] }) =>
      db
        .selectFrom('rule_versions as says')
        .innerJoin('rules', join =>
          join.onRef('rules.id', '=', 'says.rule_id').onRef('rules.version', '=', 'says.version')
        )
        .where('rules.id', '=', sql<number>`any(${p.ids}::bigint[])`)
        .select('rules.id')
        .select(sql<InRules>`json_build_object('conditions', says.conditions, 'actions', says.actions)`.as('stored'))
        .forUpdate()
    ),
    rewrite: prepared((db, p: { id: number; stored: string }) =>
      db
        .updateTable('rule_versions')
        .where('rule_id', '=', p.id)
        .where('version', '=', db.selectFrom('rules').where('id', '=', p.id).select('version'))
        .set({
          conditions: sql<string>`${p.stored}::json -> 'conditions'`,
          actions: sql<string>`${p.stored}::json -> 'actions'`
        })
    )
  }
}

/** Puts a tag in the place of another in every definition, before the other one is deleted. */
export async function replaceTag(db: Db, from: number, into: number): Promise<void> {
  const users = await usersOfTag(db, { id: from })
  for (const [kind, ofKind] of Map.groupBy(users, ({ by_kind }) => by_kind)) {
    const { read, rewrite, replaced } = holders[kind as keyof typeof holders] as Holding<unknown>
    for (const { id, stored } of await read(db, { ids: ofKind.map(({ by_id }) => by_id) })) {
      const changed = replaced(stored, tag => (tag === from ? into : tag))
      await rewrite(db, { id, stored: JSON.stringify(changed) })
    }
  }
  await replaceUsed(db, 'tag', from, into)
}

const usersOfTag = prepared((db, p: { id: number }) =>
  db
    .selectFrom('definition_uses')
    .where('used_kind', '=', sql.lit('tag'))
    .where('used_id', '=', p.id)
    .select(['by_kind', 'by_id'])
    .distinct()
)
