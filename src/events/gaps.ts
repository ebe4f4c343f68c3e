import type { Gap } from '../tables/events.ts'

/** What one statement saw of the transactions: the oldest that ran, the number of the next one, and when that was. */
export interface Moment {
  oldest: string
  next: string
  seconds: number
}

/** A transaction may have taken an id before it has got its number: then the number alone tells nothing. */
const leastSeconds = 60

/**
 * A gap is a range of ids that are missing below the newest one that was seen: their rows are still to be committed, or never will be.
 * It bears the moment when they were missed (in seconds of the database's clock), and the number that the next transaction would have
 * got then. This answers what is missing between the last id that was seen before and these, which ascend.
 */
export function gapsBetween(seen: number, ids: readonly number[], { next, seconds }: Moment): Gap[] {
  return ids.flatMap((id, at) => {
    const before = at === 0 ? seen : ids[at - 1]!
    return id > before + 1 ? [{ from: before + 1, to: id - 1, next, seconds }] : []
  })
}

/** The gaps without the ids that were found in them, which ascend. */
export function foundIn(gaps: readonly Gap[], found: readonly number[]): Gap[] {
  if (found.length === 0) return [...gaps]
  return gaps.flatMap(gap => {
    const inside = found.filter(id => id >= gap.from && id <= gap.to)
    const edges = [gap.from - 1, ...inside, gap.to + 1]
    return edges.slice(1).flatMap((edge, at) => {
      const [from, to] = [edges[at]! + 1, edge - 1]
      return from <= to ? [{ ...gap, from, to }] : []
    })
  })
}

/**
 * The gaps in which rows may still appear. Of the others every transaction that ran when they were missed is over, which the moment has
 * to be of that at which they were last looked into.
 */
export function stillOpen(gaps: readonly Gap[], { oldest, seconds }: Moment): Gap[] {
  return gaps.filter(gap => seconds - gap.seconds < leastSeconds || BigInt(oldest) < BigInt(gap.next))
}
