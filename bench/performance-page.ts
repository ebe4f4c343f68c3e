import { markColumns, markRow, marksOf } from './marks.ts'
import type { Results } from './results.ts'
import {
  bareColumns,
  bareRow,
  cellColumns,
  cellRow,
  costColumns,
  costRow,
  growthColumns,
  growthRow,
  markdownTable
} from './table.ts'

const borders = { begin: '<!-- figures of bench/baseline.json -->', end: '<!-- end of figures -->' }

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
  return `
Measured at ${at.slice(0, 10)} on ${cores} cores (${cpu}), ${memoryGB} GB of memory, ${system}, Node.js ${node}, ${database}; revision ${revision}, ${rounds} rounds.

### Marks

${markdownTable(markColumns, marksOf(results).map(markRow))}

### Beside the floor

${markdownTable(cellColumns, cells.map(cellRow))}

### Beside the second floor

Measured at ${bare.at.slice(0, 10)}; revision ${bare.revision}, ${bare.rounds} rounds.

${markdownTable(bareColumns, bare.cells.map(bareRow))}

The same bare writes by the bare server of the floor, without ours around them:

${markdownTable(bareColumns, bare.alone.map(bareRow))}

${markdownTable(costColumns, bare.costs.map(costRow))}

### More tickets

${markdownTable(growthColumns, growth.map(growthRow))}

### Costs

${markdownTable(costColumns, costs.map(costRow))}
`
}
