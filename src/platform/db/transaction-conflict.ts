import { setTimeout as pause } from 'node:timers/promises'

/** The errors of a transaction that conflicted with another and may be repeated: deadlock_detected, serialization_failure. */
const codes: readonly unknown[] = ['40P01', '40001']

/** Whether this work was rolled back because of a conflict, so that it can be repeated. */
export function isTransactionConflict(error: unknown): boolean {
  return error instanceof Error && 'code' in error && codes.includes(error.code)
}

/**
 * Waits until the conflicting transactions have continued. Repeated at once, the work might lock the very row that they wait for before they
 * wake up. On a busy machine that takes time, so the second wait is longer.
 */
export async function backOff(tries = 1): Promise<void> {
  await pause((20 + Math.random() * 40) * tries ** 2)
}
