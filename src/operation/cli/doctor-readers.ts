import type { Db } from '../../core/db.ts'
import { readerLags } from '../../core/events/follow-log.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Finding } from './finding.ts'

const lateSeconds = 60

/** Whether what happens reaches those who follow the event log: notifications, webhooks and so on. */
export async function checkReaders(db: Db, clock: Clock): Promise<Finding> {
  const lags = await readerLags(db, {})
  const late = lags.filter(({ oldest }) => oldest && clock.now().getTime() - oldest.getTime() > lateSeconds * 1000)
  return {
    verdict: late.length > 0 ? 'warn' : 'ok',
    about: 'event readers',
    text:
      late.length > 0
        ? `${late.map(({ name, events }) => `${name} has ${events} events to handle`).join(', ')}: no worker runs, or its log says what fails`
        : `${lags.map(({ name }) => name).join(', ')} have handled what happened until a minute ago`
  }
}
