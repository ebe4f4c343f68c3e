import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { accentStyle } from './accent-style.ts'

/** Of the pages with a search. */
export const searchScript = readFileSync(join(import.meta.dirname, 'search.js'), 'utf8')

const style = readFileSync(join(import.meta.dirname, 'help.css'), 'utf8')

/** The style of the pages, with the accent colour of the desk. */
export function helpStyle(accent: string | null): string {
  return accent === null ? style : `${style}${accentStyle(accent)}\n`
}
