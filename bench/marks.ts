import { bareScenarios } from './bare-writes.ts'
import type { Results } from './results.ts'
import { scenarios } from './scenarios.ts'
import type { Summary } from './statistics.ts'
import { formatNumber, isMet, withSpread } from './table.ts'

/** A performance target, and whether it was reached. */
export interface Mark {
  what: string
  mark: string
  reached: string
  isMet: boolean
}

const judgedAt = 16

/** All marks of a full run. If there are several sizes, the worst one counts. */
export function marksOf({ bare, growth, costs }: Results): Mark[] {
  const marks: Mark[] = []
  const add = (
    what: string,
    limit: { atLeast: number } | { atMost: number },
    found: { value: Summary; tickets: number }[]
  ) => {
    if (found.length === 0) return
    const sorted = found.toSorted((one, other) => one.value.median - other.value.median)
    const worst = ('atLeast' in limit ? sorted[0] : sorted.at(-1))!
    const bound = 'atLeast' in limit ? limit.atLeast : limit.atMost
    const isReached = 'atLeast' in limit ? worst.value.median >= bound : worst.value.median <= bound
    marks.push({
      what,
      mark: `${'atLeast' in limit ? '≥' : '≤'} ${bound}`,
      reached: `${withSpread(worst.value)} at ${worst.tickets.toLocaleString('en-US')} tickets`,
      isMet: isReached
    })
  }

  for (const name of bareScenarios) {
    const found = bare.cells.filter(({ scenario, concurrency }) => scenario === name && concurrency === judgedAt)
    add(
      `${name}: throughput of the second floor`,
      { atLeast: 0.5 },
      found.map(({ ratio, tickets }) => ({ value: ratio.perSecond, tickets }))
    )
  }
  for (const { name, growth: limit } of scenarios) {
    const found = growth.filter(({ scenario }) => scenario === name)
    add(
      `${name}: time × that on the fewest tickets`,
      { atMost: limit },
      found.map(({ ours, tickets }) => ({ value: ours, tickets }))
    )
  }
  const newer = new Set(bare.costs.map(({ name }) => name))
  for (const cost of [...costs.filter(({ name }) => !newer.has(name)), ...bare.costs]) {
    if (!cost.mark) continue
    const mark = 'atMost' in cost.mark ? `≤ ${cost.mark.atMost}` : `≥ ${cost.mark.atLeast}`
    marks.push({
      what: cost.name,
      mark: `${mark} ${cost.unit}`,
      reached: formatNumber(cost.value.median),
      isMet: isMet(cost)
    })
  }
  return marks
}

export const markColumns = ['mark', 'aim', 'reached', 'met']

export function markRow({ what, mark, reached, isMet }: Mark): string[] {
  return [what, mark, reached, isMet ? 'yes' : 'not met']
}
