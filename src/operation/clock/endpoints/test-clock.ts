import { Type } from 'typebox'
import { clockState } from '../../../core/clock/desk-clock.ts'
import { ClockGoesBack, moveClock } from '../../../core/clock/move-clock.ts'
import { endpoint } from '../../../core/endpoint.ts'
import { InvalidFields, NotFound } from '../../../kit/errors.ts'
import { Instant } from '../../../kit/schemas.ts'
import { instantOf, secondsAfter } from '../../../lib/time.ts'
import { timedWork } from '../timed-work.ts'

const isWithin = (time: Date) => time >= new Date(0) && time < new Date('2200-01-01T00:00:00Z')
const mostSeconds = 10 * 366 * 86_400

/**
 * Shows or sets the clock of the desk, for tests (`TEST_CLOCK`). The response comes when all that fell due until then is done: what falls due by
 * time, the readers of the event log, and the queueing of e-mails. Sessions, tokens and rate limits live by the machine's clock.
 */
export const testClock = endpoint({
  path: '/api/test/clock',
  summary: 'Show or set the clock of the desk, with TEST_CLOCK',
  access: 'admin',
  // What a jump does has transactions of its own, so that no idempotency key can hold it together.
  onlyReads: true,
  body: Type.Object({
    now: Type.Optional(Instant('2026-03-10T09:00:00Z')),
    advance_seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: mostSeconds, examples: [3600] }))
  }),
  data: Type.Object({
    now: Instant('2026-03-10T09:00:00.000Z'),
    is_moved: Type.Boolean({ examples: [true] })
  }),
  errors: [NotFound, ClockGoesBack],
  async handle({ body, services }) {
    if (!services.config.TEST_CLOCK) throw NotFound()
    const { now, advance_seconds: seconds } = body
    if (now !== undefined && seconds !== undefined) {
      throw InvalidFields({ message: 'Give now or advance_seconds, not both', errors: ['now', 'advance_seconds'] })
    }
    if (now !== undefined && !isWithin(instantOf(now))) {
      throw InvalidFields({ message: 'now must lie in the years 1970 to 2199', errors: ['now'] })
    }
    const work = timedWork(services)
    if (now !== undefined) await moveClock(services, work, () => instantOf(now))
    if (seconds !== undefined) await moveClock(services, work, current => secondsAfter(current, seconds))
    const state = await clockState(services)
    return { message: 'Clock of the desk', data: { now: state.now.toISOString(), is_moved: state.isMoved } }
  }
})
