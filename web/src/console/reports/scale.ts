import { numberText } from '../../lib/times.ts'
import type { FigureName } from './report-search.ts'
import { type Point, percentText, timeText } from './told-figures.ts'

/** What a chart is drawn against: from the lowest line to the highest, each with its words. */
export interface Scale {
  least: number
  most: number
  ticks: { at: number; text: string }[]
}

/** Whether its values are joined by a line; others are bars from zero. */
export function isLine(name: FigureName): boolean {
  return name === 'first_reply' || name === 'solved_in' || name === 'satisfaction'
}

const hour = 3600
const day = 24 * hour
const times = [
  60,
  300,
  600,
  1800,
  hour,
  2 * hour,
  4 * hour,
  6 * hour,
  12 * hour,
  day,
  2 * day,
  5 * day,
  10 * day,
  30 * day
]

/** At most five lines, at round values. */
export function scaleOf(name: FigureName, points: readonly Point[]): Scale {
  const values = points.flatMap(({ value, other }) => [value, other].filter(each => each !== null))
  const highest = Math.max(0, ...values)
  switch (name) {
    case 'sla':
      return scale(0, 100, 25, percentText)
    case 'satisfaction':
      return values.length > 0 && Math.min(...values) >= 80
        ? scale(80, 100, 10, percentText)
        : scale(0, 100, 25, percentText)
    case 'first_reply':
    case 'solved_in': {
      const step = times.find(each => highest <= each * 4) ?? Math.ceil(highest / 4 / day) * day
      return scale(0, Math.max(1, Math.ceil(highest / step)) * step, step, timeText)
    }
    default: {
      const step = roundStep(highest / 4)
      return scale(0, Math.max(1, Math.ceil(highest / step)) * step, step, numberText)
    }
  }
}

/** 1, 2, 3, 5 or such a number with zeros. */
function roundStep(least: number): number {
  const ten = 10 ** Math.floor(Math.log10(Math.max(1, least)))
  return ([1, 2, 2.5, 5, 10].find(each => each * ten >= least && Number.isInteger(each * ten)) ?? 10) * ten
}

function scale(least: number, most: number, step: number, text: (value: number) => string): Scale {
  const ticks = Array.from({ length: Math.round((most - least) / step) + 1 }, (_, at) => least + at * step)
  return { least, most, ticks: ticks.map(at => ({ at, text: text(at) })) }
}
