import { type Db, prepared } from '../../core/db.ts'
import type { TextsByLanguage } from '../../core/tables/mails.ts'
import { catalogues } from '../../core/wording/catalogues.ts'
import type { Email, TemplateName } from '../../core/wording/email-templates.ts'
import type { FilledEmail } from '../../core/wording/fill-wording.ts'
import { defaultLanguage, type Language } from '../../core/wording/languages.ts'
import { type LocalizedDesk, renderEmail } from '../../core/wording/render-email.ts'
import type { Wording } from '../../core/wording/wording.ts'
import { wordingFaults } from '../../core/wording/wording-faults.ts'
import { withReceived } from './received-text.ts'

/** The reader whose language an e-mail uses: an account, or a language for somebody without one; null and undefined mean the desk's. */
export type Reader = { population: 'client' | 'staff'; id: number } | { language: Language | null } | undefined

/** The e-mail in the reader's language, with that language. `received`: what it says in place of the part about receiving a message. */
export async function localizedEmail(
  db: Db,
  reader: Reader,
  email: Email,
  url: string,
  received: TextsByLanguage = {}
): Promise<{ filled: FilledEmail; language: Language }> {
  const { language, name } = await deskFor(db, reader)
  const changed = await changedWording(db, email.template, language)
  const wording = withReceived(email.template, changed, received, language)
  return { filled: renderEmail(email, language, deskInLanguage(language, name, url), wording), language }
}

/** The reader's language. */
export async function languageOf(db: Db, reader: Reader): Promise<Language> {
  return (await deskFor(db, reader)).language
}

/** How e-mails in this language describe the desk. */
export async function localizedDesk(db: Db, language: Language, url: string): Promise<LocalizedDesk> {
  return deskInLanguage(language, (await deskFor(db, undefined)).name, url)
}

function deskInLanguage(language: Language, name: string | null, url: string): LocalizedDesk {
  return { name: name ?? catalogues[language].desk, url }
}

async function deskFor(db: Db, reader: Reader): Promise<{ language: Language; name: string | null }> {
  const account = reader && 'population' in reader ? reader : undefined
  const [found] = await deskAndReader(db, {
    client: account?.population === 'client' ? account.id : null,
    staff: account?.population === 'staff' ? account.id : null
  })
  const told = reader && 'language' in reader ? reader.language : null
  const ofDesk = typeof found?.desk_language === 'string' ? (found.desk_language as Language) : defaultLanguage
  return {
    language: told ?? found?.client_language ?? found?.staff_language ?? ofDesk,
    name: typeof found?.desk_name === 'string' ? found.desk_name : null
  }
}

/** Undefined if nobody has changed the text, or if this version of Deskline cannot use the changed one. */
async function changedWording(db: Db, name: TemplateName, language: Language): Promise<Wording | undefined> {
  const [changed] = await storedWording(db, { name, language })
  return changed && wordingFaults(name, changed).length === 0 ? changed : undefined
}

const deskAndReader = prepared((db, p: { client: number | null; staff: number | null }) =>
  db.selectNoFrom(({ selectFrom }) => [
    selectFrom('desk_settings').where('name', '=', 'name').select('value').as('desk_name'),
    selectFrom('desk_settings').where('name', '=', 'language').select('value').as('desk_language'),
    selectFrom('clients').where('id', '=', p.client).select('language').as('client_language'),
    selectFrom('staff').where('id', '=', p.staff).select('language').as('staff_language')
  ])
)

const storedWording = prepared((db, p: { name: string; language: Language }) =>
  db
    .selectFrom('email_templates')
    .where('name', '=', p.name)
    .where('language', '=', p.language)
    .select(['subject', 'text'])
)
