import { setTimeout as pause } from 'node:timers/promises'
import { followLog } from '../../core/events/follow-log.ts'
import type { Services } from '../../core/services.ts'
import { notificationReader } from './pending-events.ts'
import { type Notifier, sendNotifications } from './send-notifications.ts'

const pollMilliseconds = 2_000

/**
 * Follows the log for what somebody has to be notified of, and sends the notifications every two seconds, until `signal` is aborted. Any number of
 * processes may do so at the same time.
 */
export async function keepSending(
  services: Notifier & Pick<Services, 'events' | 'log'>,
  signal: AbortSignal
): Promise<void> {
  const following = followLog(services, notificationReader(services), signal)
  while (!signal.aborted) {
    await sendNotifications(services).catch(error =>
      services.log.warn({ err: error }, 'Notifications about tickets are waiting to be sent')
    )
    await pause(pollMilliseconds, undefined, { signal }).catch(() => {})
  }
  await following
}
