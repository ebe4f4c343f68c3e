import type { Bench } from './against-floor.ts'
import { costOfAuditing } from './cost-auditing.ts'
import { costOfDisk } from './cost-disk.ts'
import { costOfFields } from './cost-fields.ts'
import { costOfHashing } from './cost-hashing.ts'
import { costOfHelp } from './cost-help.ts'
import { costOfLongWork } from './cost-long-work.ts'
import { costOfMail } from './cost-mail.ts'
import { costOfMailLog } from './cost-mail-log.ts'
import { costOfMemory } from './cost-memory.ts'
import { costOfModules } from './cost-modules.ts'
import { costOfPromises } from './cost-promises.ts'
import { costOfReports } from './cost-reports.ts'
import { costOfRules } from './cost-rules.ts'
import { costOfSearch } from './cost-search.ts'
import { type Start, startToFirstAnswer } from './cost-start.ts'
import { costOfTransfer } from './cost-transfer.ts'
import { costOfWorkers } from './cost-workers.ts'
import { summary } from './statistics.ts'
import { templateOf, testbedDatabase } from './testbed.ts'

/** Measures the costs beside those of single requests; the short form measures only some, to check that the bench works. */
export async function measureCosts(bench: Bench): Promise<void> {
  const { options, results } = bench
  const costs: Record<string, () => Promise<void>> = {
    disk: () => costOfDisk(bench),
    hashing: () => costOfHashing(results, options.rounds),
    memory: () => costOfMemory(bench),
    transfer: () => costOfTransfer(bench),
    'long work': () => costOfLongWork(bench)
  }
  if (!options.isShort || options.only.length > 0) {
    costs.audited = () => costOfAuditing(bench)
    costs.mail = () => costOfMail(bench)
    costs['mail log'] = () => costOfMailLog(bench)
    costs.rules = () => costOfRules(bench)
    costs.promises = () => costOfPromises(bench)
    costs.fields = () => costOfFields(bench)
    costs.help = () => costOfHelp(bench)
    costs.reports = () => costOfReports(bench)
    costs['search classes'] = () => costOfSearch(bench)
    costs.workers = () => costOfWorkers(bench)
    costs.modules = () => costOfModules(results)
  }
  for (const [name, take] of Object.entries(costs)) if (isChosen(bench, name)) await take()
}

/**
 * Measures the start, from the command to the first response, on the most tickets. Deskline starts the embedded database itself, so
 * `close` has to stop the bench's own server on it first.
 */
export async function measureStart(bench: Bench, close: () => Promise<void>): Promise<void> {
  const { databases, dataDir, options, results } = bench
  if (!isChosen(bench, 'start')) return
  const tickets = options.sizes.at(-1)!
  let database = testbedDatabase(tickets)
  if (!(await databases.has(database))) await databases.make(database, await templateOf(databases, tickets, () => {}))
  const isOwn = databases.kind === 'embedded'
  if (isOwn) {
    // Deskline expects this name in its embedded server.
    await databases.rename(database, 'deskline')
    database = 'deskline'
    await close()
  }
  const url = isOwn ? undefined : databases.url(database)
  const starts: Start[] = []
  for (let round = 0; round < options.rounds; round++) starts.push(await startToFirstAnswer(dataDir, url))
  const add = (name: string, of: (start: Start) => number, mark?: { atMost: number }) =>
    results.costs.push({ name: `start to first answer, ${name}`, unit: 's', value: summary(starts.map(of)), mark })
  add('CPU', ({ cpuSeconds }) => cpuSeconds, { atMost: 1 })
  add('time', ({ seconds }) => seconds)
}

function isChosen({ options }: Bench, name: string): boolean {
  return options.only.length === 0 || options.only.some(word => name.includes(word))
}
