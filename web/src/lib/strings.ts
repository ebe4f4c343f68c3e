import type { Area, Key } from '../strings/keys.ts'
import { type Messages, messageText } from './messages.ts'

export type { Key }

/** The files of the strings, `../strings/<language>/<area>.json`. Each application names only those of its own areas. */
type Catalogues = Record<string, () => Promise<Catalogue>>
export type Catalogue = { default: Messages }

/** `en-XA` is English with accents and a third longer, `en-XB` the same from right to left: for tests of the layout. */
const languages = ['en', 'de', 'en-XA', 'en-XB'] as const
export type Language = (typeof languages)[number]

const storageKey = 'deskline:language'
const { promise: catalogues, resolve: provideStrings } = Promise.withResolvers<Catalogues>()
const loaded = new Map<string, Promise<void> | 'there'>()

/** The language chosen in this browser, else the first of the browser's languages that exists here, else English. */
export const language: Language = chosenLanguage()
const base = language.startsWith('en') ? 'en' : language
const messages: Messages = {}
document.documentElement.lang = base
document.documentElement.dir = language === 'en-XB' ? 'rtl' : 'ltr'

/** Loads the strings of these areas; returns no promise if they are loaded already. Each route loads the areas that it needs. */
export function loadStrings(...areas: Area[]): Promise<unknown> | undefined {
  const missing = areas.filter(area => loaded.get(area) !== 'there')
  if (missing.length > 0) return Promise.all(missing.map(area => loaded.get(area) ?? remember(area, load(area))))
}

export { provideStrings }

/** The message of this key, with the values in place of its `{placeholders}`. Numbers in plurals are formatted for the language. */
export function t(key: Key, values: Record<string, string | number> = {}): string {
  const message = messages[key]
  return message ? messageText(message, values, base) : key
}

export function chooseLanguage(chosen: Language): void {
  localStorage.setItem(storageKey, chosen)
  location.reload()
}

function chosenLanguage(): Language {
  const wished = [localStorage.getItem(storageKey), ...navigator.languages.map(tag => tag.slice(0, 2))]
  return wished.find((tag): tag is Language => languages.includes(tag as Language)) ?? 'en'
}

async function load(area: Area): Promise<void> {
  const { default: loaded } = await (await catalogues)[`../strings/${base}/${area}.json`]!()
  Object.assign(messages, base === language ? loaded : (await import('./pseudo-language.ts')).pseudo(loaded))
}

function remember(area: Area, loading: Promise<void>): Promise<void> {
  loaded.set(area, loading)
  loading.then(
    () => loaded.set(area, 'there'),
    () => loaded.delete(area)
  )
  return loading
}
