import { type Db, prepared } from '../db.ts'
import { catalogues } from '../wording/catalogues.ts'
import type { Email } from '../wording/email-templates.ts'
import type { FilledEmail } from '../wording/fill-wording.ts'
import { defaultLanguage, type Language } from '../wording/languages.ts'
import { wordEmail } from '../wording/word-email.ts'

/** Whose language an e-mail speaks; somebody without an account is written to in that of the desk. */
export interface Reader {
  population: 'client' | 'staff'
  id: number
}

/** The e-mail in the words and the language of this reader, and which language that is. */
export async function wordedFor(
  db: Db,
  _reader: Reader | undefined,
  email: Email,
  url: string
): Promise<{ filled: FilledEmail; language: Language }> {
  const language = defaultLanguage
  const [desk] = await deskName(db, {})
  const name = typeof desk?.value === 'string' ? desk.value : catalogues[language].desk
  return { filled: wordEmail(email, language, { name, url }), language }
}

const deskName = prepared(db => db.selectFrom('desk_settings').where('name', '=', 'name').select('value'))
