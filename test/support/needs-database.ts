import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const imported = /(?:from|import\() ?'(\.[^']+\.ts)'/g
const isOfTests = /\/test\/|\.test\.ts$|-testing\.ts$|-promises\.ts$/
const databaseModule = join(import.meta.dirname, 'database.ts')
const known = new Map<string, boolean>()

/** Whether a file of tests has a database made on the server that all share, by itself or by what of the tests it imports. */
export function needsDatabase(path: string): boolean {
  if (path === databaseModule) return true
  const answer = known.get(path)
  if (answer !== undefined) return answer
  known.set(path, false)
  const text = isOfTests.test(path) && existsSync(path) ? readFileSync(path, 'utf8') : ''
  const touches = [...text.matchAll(imported)].some(([, name]) => needsDatabase(join(path, '..', name!)))
  known.set(path, touches)
  return touches
}
