import { catalogues } from './catalogues.ts'
import { type AnyEmail, placeholdersOf, templateNamed } from './email-templates.ts'
import { type FilledEmail, fillWording, type Values } from './fill-wording.ts'
import type { Language } from './languages.ts'
import type { Wording } from './wording.ts'

/** The values of the desk's placeholders, which every e-mail may use. */
export interface LocalizedDesk {
  name: string
  url: string
}

/** The e-mail in this language, with the text in `wording`, or the default text of the catalogue. */
export function renderEmail(email: AnyEmail, language: Language, desk: LocalizedDesk, wording?: Wording): FilledEmail {
  return fillWording(wording ?? catalogues[language].emails[email.template], valuesOf(email, desk), language)
}

/** The values of the template's placeholders and conditions, and no others that the e-mail was given. */
function valuesOf({ template, values }: AnyEmail, desk: LocalizedDesk): Values {
  const given: AnyEmail['values'] = {
    ...values,
    'desk.name': desk.name,
    'desk.url': desk.url,
    'desk.forgot_url': `${desk.url}/forgot`
  }
  const kinds = [
    ...Object.entries(placeholdersOf(template)).map(([name, { kind, words }]) => ({ name, kind, words })),
    ...Object.keys(templateNamed(template).conditions).map(name => ({ name, kind: 'condition' as const }))
  ]
  return new Map(kinds.map(({ name, ...kind }) => [name, { ...kind, value: given[name]! }]))
}
