import { catalogues } from './catalogues.ts'
import { type AnyEmail, placeholdersOf, templateNamed } from './email-templates.ts'
import { type FilledEmail, fillWording, type Values } from './fill-wording.ts'
import type { Language } from './languages.ts'
import type { Wording } from './wording.ts'

/** What every e-mail knows of the desk. */
export interface DeskInWords {
  name: string
  url: string
}

/** What the e-mail says in this language: as `wording` has it, else as the catalogue has it. */
export function wordEmail(email: AnyEmail, language: Language, desk: DeskInWords, wording?: Wording): FilledEmail {
  return fillWording(wording ?? catalogues[language].emails[email.template], valuesOf(email, desk), language)
}

/** All that the template may name, and nothing else, whatever the e-mail was given beside it. */
function valuesOf({ template, values }: AnyEmail, desk: DeskInWords): Values {
  const given: AnyEmail['values'] = { ...values, 'desk.name': desk.name, 'desk.url': desk.url }
  const kinds = [
    ...Object.entries(placeholdersOf(template)).map(([name, { kind }]) => ({ name, kind })),
    ...Object.keys(templateNamed(template).conditions).map(name => ({ name, kind: 'condition' as const }))
  ]
  return new Map(kinds.map(({ name, kind }) => [name, { kind, value: given[name]! }]))
}
