import { randomUUID } from 'node:crypto'
import type { FileOwner } from '../../src/platform/files/sweep.ts'

/** The owner of an installation's files, different from all others. */
export function aFileOwner(given: Partial<FileOwner> = {}): FileOwner {
  return { id: randomUUID(), formerIds: [], copiedFrom: [], ...given }
}
