import type { JobHandlers } from '../../core/jobs.ts'
import { outboxSeconds } from '../../core/limits.ts'
import { secondsAfter } from '../../lib/time.ts'
import { outboxFolder, removeFromOutbox, removeOldFromOutbox } from '../../platform/outbox-file.ts'
import { type DeliveryServices, deliverMessage } from './deliver-message.ts'
import { sweepExpired } from './sweep.ts'

/** The handlers of e-mail jobs, and of the sweep of expired rows. */
export function outboxJobs(
  services: DeliveryServices
): Pick<JobHandlers, 'deliver-message' | 'discard-outbox' | 'sweep'> {
  const { db, clock, realClock, log, config } = services
  const folder = outboxFolder(config.DATA_DIR)
  return {
    'deliver-message': ({ messageId }, attempt) => deliverMessage(services, messageId, attempt),
    'discard-outbox': async ({ references }) => void (await removeFromOutbox(folder, references)),
    sweep: async () => {
      const swept = await sweepExpired(db, realClock.now(), clock.now())
      const outbox = await removeOldFromOutbox(folder, secondsAfter(realClock.now(), -outboxSeconds))
      log.info({ swept: { ...swept, outbox } }, 'Deleted expired rows')
    }
  }
}
