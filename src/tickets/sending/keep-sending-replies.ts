import { setTimeout as pause } from 'node:timers/promises'
import type { Services } from '../../core/services.ts'
import type { MacroServices } from '../macros/apply-macro.ts'
import { sendDueReplies } from './send-waiting.ts'

const pollMilliseconds = 1_000

/** Sends replies whose time to be taken back is over, until `signal` is aborted. Any number of processes may do so at the same time. */
export async function keepSendingReplies(
  services: MacroServices & Pick<Services, 'log'>,
  signal: AbortSignal
): Promise<void> {
  while (!signal.aborted) {
    await sendDueReplies(services, services.clock.now()).catch(error =>
      services.log.warn({ err: error }, 'Replies that have waited are not sent yet')
    )
    await pause(pollMilliseconds, undefined, { signal }).catch(() => {})
  }
}
