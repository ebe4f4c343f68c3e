import { sql } from 'kysely'
import { type Db, prepared } from '../../core/db.ts'
import type { SignatureTexts } from '../../core/tables/sending.ts'
import { type Language, languages } from '../../core/wording/languages.ts'
import { InvalidFields } from '../../kit/errors.ts'
import { signatureOfMailbox } from '../mailboxes/signature-of-mailbox.ts'

/** What a signature may name. */
const placeholders = ['staff.first_name', 'staff.last_name'] as const
const placeholder = /\{\{\s*([^{}]*?)\s*\}\}/g

/** Throws `InvalidFields` with this field for a placeholder that does not exist. */
export function requirePlaceholders(texts: SignatureTexts, field: string): void {
  for (const text of Object.values(texts)) {
    const unknown = [...text.matchAll(placeholder)].find(([, name]) => !placeholders.includes(name as never))
    if (unknown)
      throw InvalidFields({ message: `${field}: there is no placeholder ${unknown[0].slice(0, 100)}`, errors: [field] })
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

/** What stands below an e-mail in place of its writer's name, in each language: undefined for the name alone. */
export interface Signatures {
  /** The writer's own signature, or else the name, and below it that of the address that sends. */
  both: SignatureTexts | undefined
  /** That of the address alone. */
  address: SignatureTexts | undefined
}

/**
 * What stands below the e-mails of these staff that leave from this address, with their names filled in. The text is plain: it is escaped where
 * the e-mail is composed.
 */
export async function signaturesOf(
  db: Db,
  staff: readonly number[],
  address: string | undefined
): Promise<Map<number, Signatures>> {
  const ofAddress = address === undefined ? {} : await signatureOfMailbox(db, address)
  const found = await signed(db, { staff })
  return new Map(
    found.map(({ id, texts, ...writer }) => [id, signaturesWith(filled(texts ?? {}, writer), ofAddress, writer)])
  )
}

/** What stands below an e-mail of this writer that leaves from this address, as its reader gets it: with the writer's signature, and without. */
export async function signatureLines(
  db: Db,
  staff: number,
  address: string | undefined,
  language: Language
): Promise<{ both: string; address: string }> {
  const [writer] = await signed(db, { staff: [staff] })
  const { both, address: ofAddress } = (await signaturesOf(db, [staff], address)).get(staff) ?? {}
  const name = writer ? `${writer.first_name} ${writer.last_name}` : ''
  const textOf = (texts: SignatureTexts | undefined) => (texts && inLanguage(texts, language)) ?? name
  return { both: textOf(both), address: textOf(ofAddress) }
}

interface Writer {
  first_name: string
  last_name: string
}

function signaturesWith(own: SignatureTexts, ofAddress: SignatureTexts, writer: Writer): Signatures {
  const below = filled(ofAddress, writer)
  const hasBelow = Object.keys(below).length > 0
  const name = `${writer.first_name} ${writer.last_name}`
  const above = Object.keys(own).length > 0 || namesWriter(ofAddress) ? own : { [languages[0]]: name }
  if (!hasBelow) return { both: Object.keys(own).length > 0 ? own : undefined, address: undefined }
  const both = languages.map(language => {
    const parts = [above, below].flatMap(texts => inLanguage(texts, language) ?? [])
    return [language, parts.join('\n\n')]
  })
  return { both: Object.fromEntries(both), address: below }
}

/** Whether the signature of an address says itself who writes. */
function namesWriter(texts: SignatureTexts): boolean {
  return Object.values(texts).some(text => text.match(placeholder))
}

/** In this language, or else in any. */
function inLanguage(texts: SignatureTexts, language: Language): string | undefined {
  return texts[language] ?? Object.values(texts)[0]
}

function filled(texts: SignatureTexts, { first_name, last_name }: Writer): SignatureTexts {
  const values: Record<string, string> = { 'staff.first_name': first_name, 'staff.last_name': last_name }
  return Object.fromEntries(
    Object.entries(texts).map(([language, text]) => [
      language,
      text.replace(placeholder, (whole, name: string) => values[name] ?? whole)
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
    .selectFrom('staff')
    .leftJoin('staff_signatures as signature', 'signature.staff_id', 'staff.id')
    .where('staff.id', '=', sql<number>`any(${p.staff}::bigint[])`)
    .select(['staff.id', 'staff.first_name', 'staff.last_name', 'signature.texts'])
)
