import { marksOf } from './marks.ts'
import type { Results } from './results.ts'
import type { Summary } from './statistics.ts'
import { formatNumber } from './table.ts'

interface Bar {
  label: string
  value: Summary
  /** Bars of one kind have the same colour. */
  kind: number
}

interface Chart {
  title: string
  bars: Bar[]
  kinds: string[]
  /** Where to draw a line for the mark. */
  aim?: number
}

const colours = ['#4878a8', '#e08a3c', '#5a9a5a', '#a05a8c']
const width = 860
const left = 190
const barHeight = 13

/** One self-contained page with all charts of a run. */
export function chartsPage(results: Results): string {
  const { machine, revision, at, concurrency, tickets } = { ...results, concurrency: 16 }
  const usual = results.cells.filter(cell => cell.concurrency === concurrency)
  const sizes = tickets.map(each => `${each.toLocaleString('en-US')} tickets`)
  const bySize = (of: (cell: Results['cells'][number]) => Summary) =>
    usual.map(cell => ({ label: cell.scenario, value: of(cell), kind: tickets.indexOf(cell.tickets) }))
  const concurrencies = [...new Set(results.cells.map(cell => cell.concurrency))].toSorted((one, other) => one - other)
  const middle = tickets[Math.floor(tickets.length / 2)]
  const charts: Chart[] = [
    {
      title: 'Throughput, of the floor’s (16 at once)',
      bars: bySize(({ ratio }) => ratio.perSecond),
      kinds: sizes,
      aim: 0.8
    },
    {
      title: '99 of 100 answered within, × the floor’s (16 at once)',
      bars: bySize(({ ratio }) => ratio.p99),
      kinds: sizes,
      aim: 1.5
    },
    { title: 'CPU a request, × the floor’s (16 at once)', bars: bySize(({ ratio }) => ratio.cpu), kinds: sizes },
    {
      title: `Throughput, of the floor’s, by requests at once (${middle?.toLocaleString('en-US')} tickets)`,
      bars: results.cells
        .filter(cell => cell.tickets === middle)
        .map(cell => ({
          label: cell.scenario,
          value: cell.ratio.perSecond,
          kind: concurrencies.indexOf(cell.concurrency)
        })),
      kinds: concurrencies.map(each => `${each} at once`)
    },
    {
      title: 'Time a request, × that on the fewest tickets (16 at once)',
      bars: results.growth.map(each => ({
        label: each.scenario,
        value: each.ours,
        kind: tickets.indexOf(each.tickets)
      })),
      kinds: sizes,
      aim: 1.3
    }
  ]
  const missed = marksOf(results).filter(({ isMet }) => !isMet)
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Deskline: bench</title>
<style>body { font: 15px/1.5 system-ui, sans-serif; max-width: ${width}px; margin: 2em auto; color: #222 }
svg { display: block; margin: 0 0 2em } text { font: 12px system-ui, sans-serif; fill: #333 } h2 { font-size: 1.1em }</style>
<h1>Deskline beside its floor</h1>
<p>Revision ${escaped(revision)}, ${escaped(at.slice(0, 16).replace('T', ' '))}, ${machine.cores} cores (${escaped(machine.cpu)}), ${escaped(machine.database)}.
Bars are medians, whiskers the quartiles of ${results.rounds} rounds, the red line is what is aimed at.</p>
${charts
  .filter(({ bars }) => bars.length > 0)
  .map(chart => `<h2>${escaped(chart.title)}</h2>\n${svg(chart)}`)
  .join('\n')}
<h2>Not met</h2>
<ul>${missed.map(({ what, mark, reached }) => `<li>${escaped(`${what}: ${reached}, aimed at ${mark}`)}</li>`).join('\n')}</ul>
</html>
`
}

function svg({ bars, kinds, aim }: Chart): string {
  const groups = [...Map.groupBy(bars, ({ label }) => label)]
  const most = Math.max(aim ?? 0, ...bars.map(({ value }) => value.high).filter(Number.isFinite)) * 1.08
  const x = (value: number) => left + (Math.max(0, value) / most) * (width - left - 60)
  const parts: string[] = []
  let y = 24
  for (const [at, kind] of kinds.entries()) {
    parts.push(`<rect x="${left + at * 150}" y="2" width="10" height="10" fill="${colours[at % 4]}"/>`)
    parts.push(`<text x="${left + at * 150 + 15}" y="11">${escaped(kind)}</text>`)
  }
  for (const [label, rows] of groups) {
    parts.push(`<text x="${left - 8}" y="${y + 11}" text-anchor="end">${escaped(label)}</text>`)
    for (const { value, kind } of rows) {
      const { median, low, high } = value
      if (!Number.isFinite(median)) continue
      const centre = y + barHeight / 2
      parts.push(
        `<rect x="${left}" y="${y}" width="${(x(median) - left).toFixed(1)}" height="${barHeight - 2}" fill="${colours[kind % 4]}"/>`,
        `<path d="M${x(low).toFixed(1)} ${centre}H${x(high).toFixed(1)}" stroke="#222"/>`,
        `<text x="${(x(high) + 5).toFixed(1)}" y="${y + 10}">${formatNumber(median)}</text>`
      )
      y += barHeight
    }
    y += 8
  }
  if (aim !== undefined) parts.push(`<path d="M${x(aim).toFixed(1)} 18V${y}" stroke="#c22" stroke-dasharray="4 3"/>`)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y + 4}" width="${width}" height="${y + 4}">${parts.join('')}</svg>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
