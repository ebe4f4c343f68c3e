import type { Language } from '../lib/strings.ts'

/** Each in its own words; those of the tests are not offered. */
export const languageOptions: { value: Exclude<Language, `en-X${string}`>; label: string }[] = [
  { value: 'en', label: 'English' },
  { value: 'de', label: 'Deutsch' }
]
