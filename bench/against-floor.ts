import pg from 'pg'
import { bareRequest, isBare } from './bare-writes.ts'
import { type Contender, contest, type Pace } from './contest.ts'
import type { DatabaseServer } from './database-server.ts'
import { type Desk, openDesk } from './desks.ts'
import type { Meter, Round } from './measuring.ts'
import type { Options } from './options.ts'
import { planFaults } from './plans.ts'
import { fillingOf } from './progress.ts'
import { faultsOf, quantitiesOf, type Results, ratioOf, slowerBy } from './results.ts'
import type { Scenario } from './scenarios.ts'
import { subjectOf } from './subject.ts'
import { withSpread } from './table.ts'

export interface Bench {
  databases: DatabaseServer
  meter: Meter
  options: Options
  scenarios: readonly Scenario[]
  dataDir: string
  results: Results
  say(text: string): void
}

/** Sizes are compared at this concurrency; the others are tried on one size. */
const usualConcurrency = 16

/** Every scenario beside its floor: on each size, and on one of them at each concurrency. */
export async function compareWithFloor(bench: Bench): Promise<void> {
  const { databases, options, scenarios, dataDir, say } = bench
  const desks: Desk[] = []
  try {
    for (const tickets of options.sizes) {
      const usesUp = !options.keeps && options.sizes.length > 2 && tickets === options.sizes.at(-1)
      desks.push(await openDesk(databases, { tickets, folder: dataDir, scenarios, usesUp }, fillingOf(tickets, say)))
      say(`a desk of ${tickets.toLocaleString('en-US')} tickets is open`)
    }
    // With few tickets to read them all is the right plan.
    if (desks.at(-1)!.tickets >= 100_000) await lookAtPlans(bench, desks.at(-1)!)
    const middle = desks.at(Math.floor(desks.length / 2))!
    for (const scenario of scenarios) {
      for (const { tickets, cast } of desks) {
        const requests = scenario.requests(cast)
        await bench.meter.prepare(String(tickets), requests)
        if (isBare(scenario.name)) await bench.meter.prepare(`bare ${tickets}`, requests.map(bareRequest))
      }
      const isUsual = (concurrency: number) => concurrency === usualConcurrency || options.concurrency.length === 1
      // All are warm when one size alone has its turn.
      for (const concurrency of options.concurrency.filter(isUsual))
        await play(bench, scenario, desks, concurrency, true)
      for (const concurrency of options.concurrency.filter(each => !isUsual(each))) {
        await play(bench, scenario, [middle], concurrency, false)
      }
    }
  } finally {
    for (const desk of desks) await desk.stop()
  }
}

/** The plans of all statements, on the largest desk, before anything is written there. */
async function lookAtPlans({ scenarios, results, say }: Bench, { url, cast, steps, tickets }: Desk): Promise<void> {
  const client = new pg.Client({ connectionString: url, options: '-c jit=off -c timezone=UTC' })
  await client.connect()
  try {
    for (const scenario of scenarios) {
      const [request] = scenario.requests(cast)
      const limits = { smallTable: tickets / 100, page: scenario.sorts ?? 100 }
      results.plans.push(
        ...(await planFaults(client, scenario.name, steps[scenario.name]!, await subjectOf(request!), limits))
      )
    }
  } finally {
    await client.end()
  }
  say(`plans: ${results.plans.length === 0 ? 'none reads or sorts too much' : results.plans.join('\n')}`)
}

/** One scenario on some desks, all side by side. */
async function play(bench: Bench, { name }: Scenario, desks: Desk[], concurrency: number, isFirst: boolean) {
  const { meter, options, results, say } = bench
  const contenders: Contender[] = desks.flatMap(({ tickets, ours, floor, bare }) => [
    { name: `ours ${tickets}`, server: ours, set: String(tickets) },
    { name: `floor ${tickets}`, server: floor, set: String(tickets) },
    ...(isBare(name)
      ? [
          { name: `bare ${tickets}`, server: bare!, set: String(tickets) },
          { name: `alone ${tickets}`, server: floor, set: `bare ${tickets}` }
        ]
      : [])
  ])
  // Until code is compiled and plans are made, which a service that has run for a minute has behind it.
  const { rounds, milliseconds } = options
  const pace: Pace = isFirst
    ? { rounds, milliseconds, warmUpMilliseconds: 3 * milliseconds }
    : { rounds, milliseconds: milliseconds / 2, warmUpMilliseconds: milliseconds / 2 }
  const played = await contest(meter, contenders, concurrency, pace)
  const [smallest] = desks as [Desk]
  for (const { tickets } of desks) {
    const [ours, floor] = [played[`ours ${tickets}`]!, played[`floor ${tickets}`]!]
    const ratio = ratioOf(ours, floor)
    results.cells.push({
      scenario: name,
      tickets,
      concurrency,
      ours: quantitiesOf(ours),
      floor: quantitiesOf(floor),
      ratio
    })
    say(`${name}, ${tickets} tickets, c=${concurrency}: ${withSpread(ratio.perSecond)} of the floor`)
    results.faults.push(...faultsOf(`${name} on ${tickets} tickets`, ours))
    results.faults.push(...faultsOf(`The floor of ${name} on ${tickets} tickets`, floor))
    const [bare, alone] = [played[`bare ${tickets}`], played[`alone ${tickets}`]]
    if (bare && alone) addBare(bench, { scenario: name, tickets, concurrency }, ours, { bare, alone })
    if (tickets === smallest.tickets) continue
    results.growth.push({
      scenario: name,
      tickets,
      than: smallest.tickets,
      ours: slowerBy(ours, played[`ours ${smallest.tickets}`]!),
      floor: slowerBy(floor, played[`floor ${smallest.tickets}`]!)
    })
  }
}

/** The same beside the second floor. */
function addBare(
  { results, say }: Bench,
  cell: { scenario: string; tickets: number; concurrency: number },
  ours: Round[],
  { bare, alone }: { bare: Round[]; alone: Round[] }
): void {
  const cellBeside = (rounds: Round[]) => ({
    ...cell,
    ours: quantitiesOf(ours),
    floor: quantitiesOf(rounds),
    ratio: ratioOf(ours, rounds)
  })
  const [beside, besideAlone] = [cellBeside(bare), cellBeside(alone)]
  results.bare.cells.push(beside)
  results.bare.alone.push(besideAlone)
  const { scenario, tickets, concurrency } = cell
  const of = `${scenario}, ${tickets} tickets, c=${concurrency}:`
  say(
    `${of} ${withSpread(beside.ratio.perSecond)} of the second floor, of a bare server with it ${withSpread(besideAlone.ratio.perSecond)}`
  )
  results.faults.push(...faultsOf(`The second floor of ${scenario} on ${tickets} tickets`, [...bare, ...alone]))
}
