import type { Round } from './meter.ts'
import { quantities } from './meter.ts'
import { ratios, type Summary, summary } from './statistics.ts'

export type Quantities = Record<(typeof quantities)[number], Summary>

/** The result of a scenario on one size of data at one concurrency: ours, the floor's, and the ratio of the two. */
export interface Cell {
  scenario: string
  tickets: number
  concurrency: number
  ours: Quantities
  floor: Quantities
  ratio: Quantities
}

/** How much longer a request takes on more tickets: ours, and the floor's for comparison. */
export interface Growth {
  scenario: string
  tickets: number
  than: number
  ours: Summary
  floor: Summary
}

/** A cost, with its mark. */
export interface Cost {
  name: string
  unit: string
  value: Summary
  /** The most or the least that the value may be. */
  mark?: { atMost: number } | { atLeast: number }
  note?: string
}

export interface Machine {
  cpu: string
  cores: number
  memoryGB: number
  system: string
  node: string
  database: string
}

/** All results of a run. */
export interface Results {
  form: 'short' | 'full'
  at: string
  revision: string
  machine: Machine
  tickets: number[]
  rounds: number
  cells: Cell[]
  /** Writes compared with the second floor, and with the same bare writes without our server. A partial run updates only these of the committed figures. */
  bare: { at: string; revision: string; rounds: number; cells: Cell[]; alone: Cell[]; costs: Cost[] }
  growth: Growth[]
  costs: Cost[]
  plans: string[]
  /** The failures during the measurement. */
  faults: string[]
}

export function quantitiesOf(rounds: readonly Round[]): Quantities {
  return eachQuantity(name => summary(rounds.map(round => round[name])))
}

export function ratioOf(ours: readonly Round[], floor: readonly Round[]): Quantities {
  return eachQuantity(name =>
    summary(
      ratios(
        ours.map(round => round[name]),
        floor.map(round => round[name])
      )
    )
  )
}

/** How much longer a request took in these rounds than in the others, pairwise. */
export function slowerBy(rounds: readonly Round[], twins: readonly Round[]): Summary {
  return summary(
    ratios(
      twins.map(({ perSecond }) => perSecond),
      rounds.map(({ perSecond }) => perSecond)
    )
  )
}

/** A sentence for each kind of failure in these rounds. */
export function faultsOf(where: string, rounds: readonly Round[]): string[] {
  const counted: Record<string, number> = {}
  for (const { failures } of rounds) {
    for (const [kind, count] of Object.entries(failures)) counted[kind] = (counted[kind] ?? 0) + count
  }
  return Object.entries(counted).map(([kind, count]) => `${where}: ${count} times ${kind}`)
}

function eachQuantity(of: (name: (typeof quantities)[number]) => Summary): Quantities {
  return Object.fromEntries(quantities.map(name => [name, of(name)])) as Quantities
}
