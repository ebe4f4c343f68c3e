import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import type { Population } from '../../core/tables/columns.ts'
import { sealPurpose } from './second-factor.ts'

const batchSize = 500

/**
 * Encrypts again every second factor that was encrypted with a former APP_SECRET, so that the former one can be removed; returns how many.
 * It may run beside the service, and again after an interruption. Throws if none of our keys decrypts one.
 */
export async function resealSecrets({ db, keys }: Pick<Services, 'db' | 'keys'>): Promise<number> {
  let resealed = 0
  for (const population of ['client', 'staff'] as const) {
    let rows: Sealed[] = []
    do {
      rows = await sealedAfter[population](db, { id: rows.at(-1)?.id ?? 0 })
      for (const row of rows) {
        for (const column of ['two_factor_secret', 'two_factor_pending_secret'] as const) {
          const from = row[column]
          const to = from === null ? undefined : keys.reseal(sealPurpose({ population, id: row.id }), from)
          if (to !== undefined)
            resealed += (await replace[population][column](db, { id: row.id, from: from!, to })).length
        }
      }
    } while (rows.length === batchSize)
  }
  return resealed
}

interface Sealed {
  id: number
  two_factor_secret: string | null
  two_factor_pending_secret: string | null
}

const sealedAfter = ofBoth(table =>
  prepared((db, p: { id: number }) =>
    db
      .selectFrom(table)
      .where('id', '>', p.id)
      .where(row =>
        row.or([row('two_factor_secret', 'is not', null), row('two_factor_pending_secret', 'is not', null)])
      )
      .select(['id', 'two_factor_secret', 'two_factor_pending_secret'])
      .orderBy('id')
      .limit(batchSize)
  )
)

interface Replacement {
  id: number
  from: string
  to: string
}

// Secrets replaced or turned off meanwhile stay as they are.
const replace = ofBoth(table => ({
  two_factor_secret: prepared((db, p: Replacement) =>
    inTable(db, table)
      .set({ two_factor_secret: p.to })
      .where('id', '=', p.id)
      .where('two_factor_secret', '=', p.from)
      .returning('id')
  ),
  two_factor_pending_secret: prepared((db, p: Replacement) =>
    inTable(db, table)
      .set({ two_factor_pending_secret: p.to })
      .where('id', '=', p.id)
      .where('two_factor_pending_secret', '=', p.from)
      .returning('id')
  )
}))

function inTable(db: Db, table: 'clients') {
  return db.updateTable(table)
}

/** Both tables have the same columns for this. */
function ofBoth<T>(make: (table: 'clients') => T): Record<Population, T> {
  return { client: make('clients'), staff: make('staff' as 'clients') }
}
