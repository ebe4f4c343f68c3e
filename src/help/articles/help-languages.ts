import type { Db } from '../../core/db.ts'
import { settingsOf } from '../../core/settings/desk-settings.ts'
import { InvalidFields } from '../../kit/errors.ts'

/** Throws `InvalidFields` for a language that is none of the help centre's. */
export async function requireHelpLanguages(db: Db, field: string, locales: readonly string[]): Promise<void> {
  const { help_languages } = (await settingsOf(db)).settings
  const other = locales.find(locale => !help_languages.includes(locale))
  if (other === undefined) return
  throw InvalidFields({
    message: `${field}.${other}: the help centre has no such language, only ${help_languages.join(', ')}`,
    errors: [`${field}.${other}`]
  })
}
