import type { Language } from '../lib/strings.ts'

/** Each language has its own name. The pseudo-languages of the tests are not offered. */
export const languageOptions: { value: Exclude<Language, `en-X${string}`>; label: string }[] = [
  { value: 'en', label: 'English' },
  { value: 'de', label: 'Deutsch' }
]
