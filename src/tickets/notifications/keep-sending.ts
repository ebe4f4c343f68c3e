import { setTimeout as pause } from 'node:timers/promises'
import type { Services } from '../../core/services.ts'
import { type Notifier, sendNotifications } from './send-notifications.ts'

const pollMilliseconds = 2_000

/** Sends the notifications about tickets every two seconds, until `signal` is aborted. Any number of processes may do so at the same time. */
export async function keepSending(services: Notifier & Pick<Services, 'log'>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sendNotifications(services).catch(error =>
      services.log.warn({ err: error }, 'Notifications about tickets are waiting to be sent')
    )
    await pause(pollMilliseconds, undefined, { signal }).catch(() => {})
  }
}
