import { setTimeout as pause } from 'node:timers/promises'

/** Of transactions in one another's way the database ends one, which may begin anew: deadlock_detected, serialization_failure. */
const codes: readonly unknown[] = ['40P01', '40001']

/** Whether this work was undone as a whole for the sake of others, so that it can simply be done again. */
export function gaveWay(error: unknown): boolean {
  return error instanceof Error && 'code' in error && codes.includes(error.code)
}

/**
 * Lets those go on for whose sake it was undone. Done again at once, it may take the very row for which they wait before they wake, and
 * be in their way a second time: on a busy machine they may be slow to wake, so that the second pause is longer.
 */
export async function makeWay(tries = 1): Promise<void> {
  await pause((20 + Math.random() * 40) * tries ** 2)
}
