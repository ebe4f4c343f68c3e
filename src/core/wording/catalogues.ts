import { german } from './de.ts'
import { english } from './en.ts'
import type { Language } from './languages.ts'
import type { Catalogue } from './wording.ts'

/** All texts that Deskline sends to people, by language. */
export const catalogues: Readonly<Record<Language, Catalogue>> = { en: english, de: german }
