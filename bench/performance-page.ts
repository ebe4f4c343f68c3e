import type { Cell, Results } from './results.ts'
import { costColumns, costRow, formatNumber, markdownTable, withSpread } from './table.ts'

const borders = { begin: '<!-- figures of bench/baseline.json -->', end: '<!-- end of figures -->' }
/** The concurrency of which the page tells; the results have the others. */
const shownAt = 16

/** The document with the figures of a run between its two markers. */
export function withMeasurements(document: string, results: Results): string {
  const begin = document.indexOf(borders.begin)
  const end = document.indexOf(borders.end)
  if (begin < 0 || end < begin) throw new Error('The document has no place for figures')
  return `${document.slice(0, begin + borders.begin.length)}\n${figures(results)}\n${document.slice(end)}`
}

function figures(results: Results): string {
  const { machine, at, revision, rounds, cells, bare, growth, costs } = results
  const { cpu, cores, memoryGB, system, node, database } = machine
  const middle = results.tickets.at(Math.floor(results.tickets.length / 2))!
  const most = results.tickets.at(-1)!
  const number = (count: number) => count.toLocaleString('en-US')
  const shown = cells.filter(({ tickets, concurrency }) => tickets === middle && concurrency === shownAt)
  const grown = ({ scenario }: Cell) => growth.find(each => each.scenario === scenario && each.tickets === most)
  return `
Measured at ${at.slice(0, 10)} on ${cores} cores (${cpu}), ${memoryGB} GB of memory, ${system}, Node.js ${node}, ${database}; revision ${revision}, ${rounds} rounds.
The load generator and the database share these cores with the service.

### Requests

With ${number(middle)} tickets and ${shownAt} requests at once; the last column compares the same request with ${number(most)} and ${number(results.tickets[0]!)} tickets.

${markdownTable(
  ['request', 'a second', 'p50 ms', 'p99 ms', 'CPU ms', 'of the floor', 'time × with more tickets'],
  shown.map(cell => [
    cell.scenario,
    formatNumber(cell.ours.perSecond.median),
    formatNumber(cell.ours.p50.median),
    formatNumber(cell.ours.p99.median),
    formatNumber(cell.ours.cpu.median),
    withSpread(cell.ratio.perSecond),
    grown(cell) ? withSpread(grown(cell)!.ours) : '–'
  ])
)}

### Writes beside the second floor

${markdownTable(
  ['request', 'tickets', 'at once', 'a second', 'of the second floor'],
  bare.cells.map(({ scenario, tickets, concurrency, ours, ratio }) => [
    scenario,
    number(tickets),
    String(concurrency),
    formatNumber(ours.perSecond.median),
    withSpread(ratio.perSecond)
  ])
)}

### Costs

${markdownTable(costColumns, [...costs, ...bare.costs].filter(({ mark }) => mark).map(costRow))}
`
}
