import * as baseline from './0001-baseline.ts'
import * as search from './0002-search.ts'
import type { Migration } from './migration.ts'

/** Every migration, in the order in which it runs. They go forward only and are never edited once released. */
export const migrations: Record<string, Migration> = {
  '0001-baseline': baseline,
  '0002-search': search
}
