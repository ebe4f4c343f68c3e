import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import { replaceUsed } from '../../core/definitions/uses.ts'

/** Only personal views of others, which the actor does not know of, still name the one that goes: from now on they mean the one that stays. */
export async function replaceInViews(db: Db, id: number, into: number): Promise<void> {
  for (const { id: view, conditions } of await viewsNaming(db, { id })) {
    const changed = conditions.all.map(({ any }) => ({
      any: any.map(each =>
        each.field === 'organisation_id' ? { ...each, value: replaced(each.value, id, into) } : each
      )
    }))
    await rewriteView(db, { view, conditions: JSON.stringify({ all: changed }) })
  }
  await replaceUsed(db, 'organisation', id, into)
}

function replaced(value: unknown, id: number, into: number): unknown {
  if (!Array.isArray(value)) return value === id ? into : value
  return [...new Set(value.map(each => (each === id ? into : each)))]
}

interface StoredConditions {
  all: { any: { field: string; value?: unknown }[] }[]
}

const viewsNaming = prepared((db, p: { id: number }) =>
  db
    .selectFrom('ticket_views')
    .where('conditions', 'is not', null)
    .where('id', 'in', db =>
      db
        .selectFrom('definition_uses')
        .where('used_kind', '=', sql.lit('organisation' as const))
        .where('used_id', '=', p.id)
        .where('by_kind', '=', sql.lit('view' as const))
        .select('by_id')
    )
    .select(['id', sql<StoredConditions>`conditions`.as('conditions')])
    .forUpdate()
)

const rewriteView = prepared((db, p: { view: number; conditions: string }) =>
  db.updateTable('ticket_views').where('id', '=', p.view).set({ conditions: p.conditions })
)
