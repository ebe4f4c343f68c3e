import { setTimeout as pause } from 'node:timers/promises'
import type { Services } from '../../core/services.ts'
import { sendDueSideMessages } from '../side-conversations/send-waiting.ts'
import { sendDueReplies } from './send-waiting.ts'

const pollMilliseconds = 1_000

/** Sends replies and messages to third parties whose time to be taken back is over, until `signal` is aborted. Any number of processes may do so at the same time. */
export async function keepSendingReplies(services: Services, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sendDueReplies(services, services.clock.now()).catch(error =>
      services.log.warn({ err: error }, 'Replies that have waited are not sent yet')
    )
    await sendDueSideMessages(services, services.clock.now()).catch(error =>
      services.log.warn({ err: error }, 'Messages to third parties that have waited are not sent yet')
    )
    await pause(pollMilliseconds, undefined, { signal }).catch(() => {})
  }
}
