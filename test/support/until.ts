import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'

/** Resolves once it is true; fails after a minute, or the given seconds, with the text of `tell`. */
export async function until(
  isSo: () => Promise<boolean> | boolean,
  tell?: () => Promise<string> | string,
  seconds = 60
): Promise<void> {
  const deadline = Date.now() + seconds * 1_000
  while (!(await isSo())) {
    if (Date.now() > deadline) assert.fail(`It did not come to be so in time: ${isSo} ${(await tell?.()) ?? ''}`)
    await pause(20)
  }
}
