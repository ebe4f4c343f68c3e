import { language } from './strings.ts'

const counts = new Intl.NumberFormat(language)

/** 8,204 as the reader's language writes it. */
export function number(count: number): string {
  return counts.format(count)
}
