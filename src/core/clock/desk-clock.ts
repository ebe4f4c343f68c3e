import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../../platform/clock.ts'
import { type Db, prepared } from '../db.ts'

/** A clock that stands where the database says that an admin has set it (`TEST_CLOCK`); until it is first set it goes like the machine's. */
export function movableClock(db: Db, realClock: Clock): Clock {
  let movedTo: Date | undefined
  return {
    now: () => movedTo ?? realClock.now(),
    async follow() {
      movedTo = await clockMovedTo(db)
    }
  }
}

const pollMilliseconds = 200

/** Has the jobs of this process notice that the clock was set, until `signal` is aborted; requests ask for themselves. */
export async function followClock({ clock }: { clock: Clock }, signal: AbortSignal): Promise<void> {
  while (clock.follow && !signal.aborted) {
    // While the database is away, nothing is dated.
    await clock.follow().catch(() => {})
    await pause(pollMilliseconds, undefined, { signal }).catch(() => {})
  }
}

/** What the clock of the desk shows, and whether it was set. */
export async function clockState({ db, clock }: { db: Db; clock: Clock }): Promise<{ now: Date; isMoved: boolean }> {
  const movedTo = await clockMovedTo(db)
  return { now: movedTo ?? clock.now(), isMoved: movedTo !== undefined }
}

/** Where the clock was set; undefined if it was not. */
export async function clockMovedTo(db: Db): Promise<Date | undefined> {
  const [stored] = await storedTime(db, {})
  return stored?.moved_to ?? undefined
}

/** Sets the clock for all processes, but never back. */
export async function setClock(db: Db, to: Date): Promise<void> {
  await advance(db, { to })
}

const storedTime = prepared(db => db.selectFrom('desk_clock').select('moved_to'))

const advance = prepared((db, p: { to: Date }) =>
  db.updateTable('desk_clock').set(({ fn, ref, val }) => ({ moved_to: fn('greatest', [ref('moved_to'), val(p.to)]) }))
)
