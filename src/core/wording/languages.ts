/** The languages in which Deskline writes to people. */
export const languages = ['en', 'de'] as const
export type Language = (typeof languages)[number]

/** The desk's language unless an admin changes it. */
export const defaultLanguage: Language = 'en'

/** Our language with the highest weight in an `Accept-Language` or `Content-Language` header; null if it names none of ours. */
export function languageAmong(header: string | undefined): Language | null {
  const named = (header ?? '')
    .slice(0, maxHeaderCharacters)
    .split(',')
    .map(each => each.split(';').map(part => part.trim().toLowerCase()))
    .map(([tag = '', ...parameters]) => ({ language: tag.split('-')[0]!, weight: weightOf(parameters) }))
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
  return named.map(({ language }) => language).find(isLanguage) ?? null
}

const maxHeaderCharacters = 500

function weightOf(parameters: readonly string[]): number {
  const given = parameters.find(parameter => parameter.startsWith('q='))
  return given === undefined ? 1 : Number(given.slice(2)) || 0
}

function isLanguage(tag: string): tag is Language {
  return (languages as readonly string[]).includes(tag)
}
