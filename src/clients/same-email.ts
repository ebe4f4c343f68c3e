import { sql } from 'kysely'
import type { Db } from '../db.ts'

/**
 * Whether two e-mail addresses are the same without regard to case. The database says it, as it does where an address is looked for and
 * where it has to be unique: JavaScript has other small letters for some, such as the Turkish İ.
 */
export async function isSameEmail(db: Db, one: string, other: string): Promise<boolean> {
  if (one === other) return true
  const { rows } = await sql<{ same: boolean }>`select lower(${one}::text) = lower(${other}::text) as same`.execute(db)
  return rows[0]!.same
}
