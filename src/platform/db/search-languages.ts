/**
 * The languages that the database can stem; `simple` is none. `migrations/0002-search.ts` has its own frozen copy: another language here needs a
 * migration that creates its configuration.
 */
export const searchLanguages = [
  'simple',
  'arabic',
  'armenian',
  'basque',
  'catalan',
  'danish',
  'dutch',
  'english',
  'finnish',
  'french',
  'german',
  'greek',
  'hindi',
  'hungarian',
  'indonesian',
  'irish',
  'italian',
  'lithuanian',
  'nepali',
  'norwegian',
  'portuguese',
  'romanian',
  'russian',
  'serbian',
  'spanish',
  'swedish',
  'tamil',
  'turkish',
  'yiddish'
] as const

export type SearchLanguage = (typeof searchLanguages)[number]
