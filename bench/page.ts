import { markHeads, markRow, marksOf } from './marks.ts'
import type { Results } from './results.ts'
import {
  bareHeads,
  bareRow,
  cellHeads,
  cellRow,
  costHeads,
  costRow,
  growthHeads,
  growthRow,
  markdownTable
} from './table.ts'

const borders = { begin: '<!-- figures of bench/baseline.json -->', end: '<!-- end of figures -->' }

/** A document with the figures of a run between its borders. */
export function withFigures(document: string, results: Results): string {
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

${markdownTable(markHeads, marksOf(results).map(markRow))}

### Beside the floor

${markdownTable(cellHeads, cells.map(cellRow))}

### Beside the second floor

Measured at ${bare.at.slice(0, 10)}; revision ${bare.revision}, ${bare.rounds} rounds.

${markdownTable(bareHeads, bare.cells.map(bareRow))}

The same bare writes by the bare server of the floor, without ours around them:

${markdownTable(bareHeads, bare.alone.map(bareRow))}

${markdownTable(costHeads, bare.costs.map(costRow))}

### More tickets

${markdownTable(growthHeads, growth.map(growthRow))}

### Costs

${markdownTable(costHeads, costs.map(costRow))}
`
}
