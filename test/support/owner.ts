import { randomUUID } from 'node:crypto'
import type { FileOwner } from '../../src/platform/files/sweep.ts'

/** An installation that has files, and that nobody else is. */
export function anOwner(given: Partial<FileOwner> = {}): FileOwner {
  return { id: randomUUID(), formerIds: [], copiedFrom: [], ...given }
}
