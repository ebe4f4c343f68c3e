import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import { baseAddress } from './support-addresses.ts'

/** Remembers which address answers in the tickets that came to one that is deleted, and in those whose answers came from it since then. */
export async function replaceAddress(
  db: Db,
  { address, answersFrom, now }: { address: string; answersFrom: string; now: Date }
): Promise<void> {
  const key = baseAddress(address)
  await passOn(db, { address, answersFrom })
  await remember(db, { key, answersFrom, now })
}

const remember = prepared((db: Db, p: { key: string; answersFrom: string; now: Date }) =>
  db
    .insertInto('former_addresses')
    .values({ address_key: p.key, answers_from: p.answersFrom, created_at: p.now })
    .onConflict(conflict => conflict.column('address_key').doUpdateSet({ answers_from: p.answersFrom }))
)

const passOn = prepared((db: Db, p: { address: string; answersFrom: string }) =>
  db
    .updateTable('former_addresses')
    .where(sql`lower(answers_from)`, '=', sql`lower(${p.address})`)
    .set({ answers_from: p.answersFrom })
)
