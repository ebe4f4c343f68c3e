import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { SignatureTexts } from '../../core/tables/sending.ts'
import { InvalidFields } from '../../kit/errors.ts'

/** What a signature may name. */
const placeholders = ['staff.first_name', 'staff.last_name'] as const

/** Throws `InvalidFields` for a placeholder that does not exist. */
export function requirePlaceholders(texts: SignatureTexts): void {
  for (const text of Object.values(texts)) {
    const unknown = [...text.matchAll(/\{\{\s*([^{}]*?)\s*\}\}/g)].find(
      ([, name]) => !placeholders.includes(name as never)
    )
    if (unknown)
      throw InvalidFields({ message: `texts: there is no placeholder ${unknown[0].slice(0, 100)}`, errors: ['texts'] })
  }
}

/** The signature of a member of staff in each language; empty without one. */
export async function signatureOf(db: Db, staff: number): Promise<SignatureTexts> {
  return (await stored(db, { staff }))[0]?.texts ?? {}
}

/** Replaces the signature: languages without a text have none. */
export async function storeSignature(db: Db, staff: number, texts: SignatureTexts, now: Date): Promise<void> {
  await store(db, { staff, texts: JSON.stringify(texts), now })
}

/**
 * What stands below the e-mails of these staff, in each language, with their names filled in; staff without a signature are missing. The text is plain: it is
 * escaped where the e-mail is composed.
 */
export async function signaturesOf(db: Db, staff: readonly number[]): Promise<Map<number, SignatureTexts>> {
  if (staff.length === 0) return new Map()
  const found = await signed(db, { staff })
  return new Map(found.map(({ id, texts, ...names }) => [id, filled(texts, names)]))
}

function filled(texts: SignatureTexts, { first_name, last_name }: { first_name: string; last_name: string }) {
  const values: Record<string, string> = { 'staff.first_name': first_name, 'staff.last_name': last_name }
  return Object.fromEntries(
    Object.entries(texts).map(([language, text]) => [
      language,
      text.replace(/\{\{\s*([^{}]*?)\s*\}\}/g, (whole, name: string) => values[name] ?? whole)
    ])
  )
}

const stored = prepared((db, p: { staff: number }) =>
  db.selectFrom('staff_signatures').where('staff_id', '=', p.staff).select('texts')
)

const store = prepared((db, p: { staff: number; texts: string; now: Date }) =>
  db
    .insertInto('staff_signatures')
    .values({ staff_id: p.staff, texts: p.texts, updated_at: p.now })
    .onConflict(conflict =>
      conflict.column('staff_id').doUpdateSet({ texts: sql`excluded.texts`, updated_at: sql`excluded.updated_at` })
    )
)

const signed = prepared((db, p: { staff: readonly number[] }) =>
  db
    .selectFrom('staff_signatures as signature')
    .innerJoin('staff', 'staff.id', 'signature.staff_id')
    .where('staff.id', '=', sql<number>`any(${p.staff}::bigint[])`)
    .select(['staff.id', 'staff.first_name', 'staff.last_name', 'signature.texts'])
)
