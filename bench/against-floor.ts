import pg from 'pg'
import { bareRequest, isBare } from './bare-writes.ts'
import type { DatabaseServer } from './database-server.ts'
import { fillProgress } from './fill-progress.ts'
import { type RoundOptions, runInterleaved, type Target } from './interleaved-rounds.ts'
import type { Meter, Round } from './meter.ts'
import type { Options } from './options.ts'
import { planFaults } from './query-plans.ts'
import { requestFieldsOf } from './request-fields.ts'
import { faultsOf, quantitiesOf, type Results, ratioOf, slowerBy } from './results.ts'
import type { Scenario } from './scenarios.ts'
import { withSpread } from './table.ts'
import { openTestbed, type Testbed } from './testbed.ts'

export interface Bench {
  databases: DatabaseServer
  meter: Meter
  options: Options
  scenarios: readonly Scenario[]
  dataDir: string
  results: Results
  say(text: string): void
}

/** All sizes are measured at this concurrency; the other concurrencies only on one size. */
const usualConcurrency = 16

/** Measures every scenario beside its floor: on each size, and on one of the sizes at each concurrency. */
export async function compareWithFloor(bench: Bench): Promise<void> {
  const { databases, options, scenarios, dataDir, say } = bench
  const testbeds: Testbed[] = []
  try {
    for (const tickets of options.sizes) {
      const consumesTemplate = !options.keeps && options.sizes.length > 2 && tickets === options.sizes.at(-1)
      testbeds.push(
        await openTestbed(
          databases,
          { tickets, folder: dataDir, scenarios, consumesTemplate },
          fillProgress(tickets, say)
        )
      )
      say(`a desk of ${tickets.toLocaleString('en-US')} tickets is open`)
    }
    // With few tickets a sequential scan is the right plan.
    if (testbeds.at(-1)!.tickets >= 100_000) await checkPlans(bench, testbeds.at(-1)!)
    const middle = testbeds.at(Math.floor(testbeds.length / 2))!
    for (const scenario of scenarios) {
      for (const { tickets, accounts } of testbeds) {
        const requests = scenario.requests(accounts)
        await bench.meter.prepare(String(tickets), requests)
        if (isBare(scenario.name)) await bench.meter.prepare(`bare ${tickets}`, requests.map(bareRequest))
      }
      const isUsual = (concurrency: number) => concurrency === usualConcurrency || options.concurrency.length === 1
      // The usual concurrency comes first: it warms up the servers of every size.
      for (const concurrency of options.concurrency.filter(isUsual))
        await runScenario(bench, scenario, testbeds, concurrency, true)
      for (const concurrency of options.concurrency.filter(each => !isUsual(each))) {
        await runScenario(bench, scenario, [middle], concurrency, false)
      }
    }
  } finally {
    for (const testbed of testbeds) await testbed.stop()
  }
}

/** Checks the plans of all statements on the largest testbed, before anything is written there. */
async function checkPlans(
  { scenarios, results, say }: Bench,
  { url, accounts, steps, tickets }: Testbed
): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    options: '-c jit=off -c max_parallel_workers_per_gather=0 -c timezone=UTC'
  })
  await client.connect()
  try {
    for (const scenario of scenarios) {
      const [request] = scenario.requests(accounts)
      const limits = { smallTable: tickets / 100, page: scenario.sorts ?? 100 }
      results.plans.push(
        ...(await planFaults(client, scenario.name, steps[scenario.name]!, await requestFieldsOf(request!), limits))
      )
    }
  } finally {
    await client.end()
  }
  say(`plans: ${results.plans.length === 0 ? 'none reads or sorts too much' : results.plans.join('\n')}`)
}

/** Measures one scenario on some testbeds, all of them side by side. */
async function runScenario(
  bench: Bench,
  { name }: Scenario,
  testbeds: Testbed[],
  concurrency: number,
  isFirst: boolean
) {
  const { meter, options, results, say } = bench
  const targets: Target[] = testbeds.flatMap(({ tickets, ours, floor, bare }) => [
    { name: `ours ${tickets}`, server: ours, set: String(tickets) },
    { name: `floor ${tickets}`, server: floor, set: String(tickets) },
    ...(isBare(name)
      ? [
          { name: `bare ${tickets}`, server: bare!, set: String(tickets) },
          { name: `alone ${tickets}`, server: floor, set: `bare ${tickets}` }
        ]
      : [])
  ])
  // The warm-up lasts until code is compiled and plans are made, as they are in a service that has run for a minute.
  const { rounds, milliseconds } = options
  const roundOptions: RoundOptions = isFirst
    ? { rounds, milliseconds, warmUpMilliseconds: 3 * milliseconds }
    : { rounds, milliseconds: milliseconds / 2, warmUpMilliseconds: milliseconds / 2 }
  const measured = await runInterleaved(meter, targets, concurrency, roundOptions)
  const [smallest] = testbeds as [Testbed]
  for (const { tickets } of testbeds) {
    const [ours, floor] = [measured[`ours ${tickets}`]!, measured[`floor ${tickets}`]!]
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
    const [bare, alone] = [measured[`bare ${tickets}`], measured[`alone ${tickets}`]]
    if (bare && alone) addBare(bench, { scenario: name, tickets, concurrency }, ours, { bare, alone })
    if (tickets === smallest.tickets) continue
    results.growth.push({
      scenario: name,
      tickets,
      than: smallest.tickets,
      ours: slowerBy(ours, measured[`ours ${smallest.tickets}`]!),
      floor: slowerBy(floor, measured[`floor ${smallest.tickets}`]!)
    })
  }
}

/** Adds the results of one scenario beside the second floor. */
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
