import type { Cell, Cost, Growth, Results } from './results.ts'
import type { Summary } from './statistics.ts'

/** Formats a number with three significant digits. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return '–'
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US')
  return value.toPrecision(3)
}

/** Formats the median, followed by the quartiles. */
export function withSpread({ median, low, high }: Summary): string {
  return Number.isFinite(median) ? `${median.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})` : '–'
}

const cellColumns = [
  ...['scenario', 'tickets', 'c', 'per second', 'of the floor', 'p50 ms', '× floor', 'p99 ms', '× floor'],
  ...['CPU ms', '× floor', 'database CPU × floor']
]

function cellRow({ scenario, tickets, concurrency, ours, ratio }: Cell): string[] {
  return [
    scenario,
    tickets.toLocaleString('en-US'),
    String(concurrency),
    formatNumber(ours.perSecond.median),
    withSpread(ratio.perSecond),
    formatNumber(ours.p50.median),
    withSpread(ratio.p50),
    formatNumber(ours.p99.median),
    withSpread(ratio.p99),
    formatNumber(ours.cpu.median),
    withSpread(ratio.cpu),
    withSpread(ratio.databaseCpu)
  ]
}

const bareColumns = [
  ...['scenario', 'tickets', 'c', 'per second', 'the second floor', 'of it', 'p50 ×', 'CPU ×', 'database CPU ms', '×']
]

function bareRow({ scenario, tickets, concurrency, ours, floor, ratio }: Cell): string[] {
  return [
    scenario,
    tickets.toLocaleString('en-US'),
    String(concurrency),
    formatNumber(ours.perSecond.median),
    formatNumber(floor.perSecond.median),
    withSpread(ratio.perSecond),
    withSpread(ratio.p50),
    withSpread(ratio.cpu),
    formatNumber(ours.databaseCpu.median),
    withSpread(ratio.databaseCpu)
  ]
}

const growthColumns = ['scenario', 'tickets', 'than', 'time ×', 'the floor’s time ×']

function growthRow({ scenario, tickets, than, ours, floor }: Growth): string[] {
  return [scenario, tickets.toLocaleString('en-US'), than.toLocaleString('en-US'), withSpread(ours), withSpread(floor)]
}

export const costColumns = ['cost', 'value', 'spread', 'mark', 'met']

export function costRow(cost: Cost): string[] {
  const { name, unit, value, mark } = cost
  const limit = !mark ? '' : 'atMost' in mark ? `≤ ${mark.atMost}` : `≥ ${mark.atLeast}`
  return [
    name,
    `${formatNumber(value.median)} ${unit}`.trim(),
    value.rounds > 1 ? `${formatNumber(value.low)}–${formatNumber(value.high)}` : '',
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
    textTable(cellColumns, cells.map(cellRow)),
    textTable(bareColumns, bare.cells.map(bareRow)),
    textTable(bareColumns, bare.alone.map(bareRow)),
    textTable(growthColumns, growth.map(growthRow)),
    textTable(costColumns, costs.map(costRow))
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
