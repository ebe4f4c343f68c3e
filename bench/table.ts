import type { Cell, Cost, Growth, Results } from './results.ts'
import type { Summary } from './statistics.ts'

/** A number as people read it, to three digits. */
export function shown(value: number): string {
  if (!Number.isFinite(value)) return '–'
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US')
  return value.toPrecision(3)
}

/** Median, and the quartiles behind it. */
export function withSpread({ median, low, high }: Summary): string {
  return Number.isFinite(median) ? `${median.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})` : '–'
}

export const cellHeads = [
  ...['scenario', 'tickets', 'c', 'per second', 'of the floor', 'p50 ms', '× floor', 'p99 ms', '× floor'],
  ...['CPU ms', '× floor', 'database CPU × floor']
]

export function cellRow({ scenario, tickets, concurrency, ours, ratio }: Cell): string[] {
  return [
    scenario,
    tickets.toLocaleString('en-US'),
    String(concurrency),
    shown(ours.perSecond.median),
    withSpread(ratio.perSecond),
    shown(ours.p50.median),
    withSpread(ratio.p50),
    shown(ours.p99.median),
    withSpread(ratio.p99),
    shown(ours.cpu.median),
    withSpread(ratio.cpu),
    withSpread(ratio.databaseCpu)
  ]
}

export const bareHeads = [
  ...['scenario', 'tickets', 'c', 'per second', 'the second floor', 'of it', 'p50 ×', 'CPU ×', 'database CPU ms', '×']
]

export function bareRow({ scenario, tickets, concurrency, ours, floor, ratio }: Cell): string[] {
  return [
    scenario,
    tickets.toLocaleString('en-US'),
    String(concurrency),
    shown(ours.perSecond.median),
    shown(floor.perSecond.median),
    withSpread(ratio.perSecond),
    withSpread(ratio.p50),
    withSpread(ratio.cpu),
    shown(ours.databaseCpu.median),
    withSpread(ratio.databaseCpu)
  ]
}

export const growthHeads = ['scenario', 'tickets', 'than', 'time ×', 'the floor’s time ×']

export function growthRow({ scenario, tickets, than, ours, floor }: Growth): string[] {
  return [scenario, tickets.toLocaleString('en-US'), than.toLocaleString('en-US'), withSpread(ours), withSpread(floor)]
}

export const costHeads = ['cost', 'value', 'spread', 'mark', 'met']

export function costRow(cost: Cost): string[] {
  const { name, unit, value, mark } = cost
  const limit = !mark ? '' : 'atMost' in mark ? `≤ ${mark.atMost}` : `≥ ${mark.atLeast}`
  return [
    name,
    `${shown(value.median)} ${unit}`.trim(),
    value.rounds > 1 ? `${shown(value.low)}–${shown(value.high)}` : '',
    limit,
    mark ? (isMet(cost) ? 'yes' : 'no') : ''
  ]
}

export function isMet({ value, mark }: Cost): boolean {
  if (!mark) return true
  return 'atMost' in mark ? value.median <= mark.atMost : value.median >= mark.atLeast
}

/** All tables of a run, for a terminal. */
export function terminalTables({ cells, bare, growth, costs }: Results): string {
  return [
    textTable(cellHeads, cells.map(cellRow)),
    textTable(bareHeads, bare.cells.map(bareRow)),
    textTable(bareHeads, bare.alone.map(bareRow)),
    textTable(growthHeads, growth.map(growthRow)),
    textTable(costHeads, costs.map(costRow))
  ]
    .filter(table => table !== '')
    .join('\n\n')
}

export function textTable(heads: string[], rows: string[][]): string {
  if (rows.length === 0) return ''
  const widths = heads.map((head, at) => Math.max(head.length, ...rows.map(row => row[at]!.length)))
  const line = (cells: string[]) =>
    cells
      .map((cell, at) => cell.padEnd(widths[at]!))
      .join('  ')
      .trimEnd()
  return [line(heads), widths.map(width => '─'.repeat(width)).join('  '), ...rows.map(line)].join('\n')
}

export function markdownTable(heads: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n')
}
