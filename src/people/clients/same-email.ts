import { sql } from 'kysely'
import type { Db } from '../../core/db.ts'
import { allSpellings } from '../../mail/support-addresses/support-addresses.ts'

/**
 * Whether two e-mail addresses are equal regardless of case and of the way to write their domain. The database compares them, as it does in look-ups and unique indexes:
 * JavaScript lowercases some letters differently, such as the Turkish İ.
 */
export async function isSameEmail(db: Db, one: string, other: string): Promise<boolean> {
  if (one === other) return true
  const { rows } = await sql<{ same: boolean }>`select lower(${other}::text) = any(array(
    select lower(way) from unnest(${allSpellings(one)}::text[]) as way)) as same`.execute(db)
  return rows[0]!.same
}
