import type { Language } from '../lib/strings.ts'

/** Each in its own words. */
export const languageOptions: { value: Language; label: string }[] = [
  { value: 'en', label: 'English' },
  { value: 'de', label: 'Deutsch' }
]
