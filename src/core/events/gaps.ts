import type { Gap } from '../tables/events.ts'

/** The state of the transactions in one snapshot: the oldest running id (`oldest`), the next id to be assigned (`next`), and the time. */
export interface TransactionSnapshot {
  oldest: string
  next: string
  seconds: number
}

/** An event id may be drawn a moment before its transaction gets an id, so the ids of transactions alone do not prove that a gap stays empty. */
const leastSeconds = 60

/**
 * The gaps between the last id that was seen before and these ids, which ascend. A gap is a range of missing ids: their rows are not yet
 * committed, or never will be. It has the time at which they were first missed (in seconds of the database's clock), and the next transaction id
 * at that time.
 */
export function gapsBetween(seen: number, ids: readonly number[], { next, seconds }: TransactionSnapshot): Gap[] {
  return ids.flatMap((id, at) => {
    const before = at === 0 ? seen : ids[at - 1]!
    return id > before + 1 ? [{ from: before + 1, to: id - 1, next, seconds }] : []
  })
}

/** The gaps without the ids `found` in them, which ascend. */
export function withoutFound(gaps: readonly Gap[], found: readonly number[]): Gap[] {
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
 * The gaps in which rows may still appear. The others are final: every transaction that ran when they were first missed has ended. `moment` must
 * be from the snapshot in which the gaps were last searched.
 */
export function openGaps(gaps: readonly Gap[], { oldest, seconds }: TransactionSnapshot): Gap[] {
  return gaps.filter(gap => seconds - gap.seconds < leastSeconds || BigInt(oldest) < BigInt(gap.next))
}
