/** An open span of a day on the wall, `["09:00", "12:30"]`; the end of a day is `24:00`. */
export type Span = [from: string, to: string]

export type TimesFault =
  /** This part is not understood. */
  | { kind: 'unknown'; part: string }
  | { kind: 'noSuchTime'; part: string }
  | { kind: 'empty'; part: string }
  /** It ends before it begins; `overnight` is what it may mean instead, on this day and on the next one. */
  | { kind: 'backwards'; part: string; overnight?: { today: Span; tomorrow: Span } }
  | { kind: 'inside'; part: string; other: string }
  | { kind: 'overlap'; part: string; other: string }
  | { kind: 'tooMany'; most: number }

export type TypedTimes = { spans: Span[]; fault?: undefined } | { spans?: undefined; fault: TimesFault }

/** The most spans that a day may have. */
const mostSpans = 10
const dayEnd = 24 * 60
const closed = /^(?:|-|–|closed|close|shut|none|geschlossen|zu|frei|ruhetag)$/
const allDay =
  /^(?:24 ?(?:h|hrs?|hours|std\.?|stunden)|24\/7|all day|open all day|always|ganztags|ganztägig|rund um die uhr)$/
const time = String.raw`(\d{1,2})(?:[:.h]?(\d{2}))?(?: ?(am|pm|a\.m\.|p\.m\.))?h?`
const range = new RegExp(`^(?:from |von )?${time} ?(?:-|–|—|to|till?|until|bis) ?${time}$`)

/** Reads times as people type them, in English and German: "9-12, 13-17", "9:00–12", "24h", "closed", "9 bis 12 Uhr". */
export function readTimes(typed: string): TypedTimes {
  const text = typed
    .toLowerCase()
    .replace(/\b(?:uhr|o['’]clock)\b/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  if (closed.test(text)) return { spans: [] }
  if (allDay.test(text.replace(/^open /, '')) || allDay.test(text)) return { spans: [['00:00', '24:00']] }
  const read: Minutes[] = []
  for (const part of text.split(/ ?(?:[,;+&]|\band\b|\bund\b) ?/).filter(Boolean)) {
    const span = readSpan(part.trim())
    if ('kind' in span) return { fault: span }
    read.push(span)
  }
  if (read.length > mostSpans) return { fault: { kind: 'tooMany', most: mostSpans } }
  const sorted = read.toSorted((one, other) => one.from - other.from || other.to - one.to)
  for (const [at, span] of sorted.entries()) {
    const before = sorted[at - 1]
    if (!before || span.from >= before.to) continue
    const kind = span.to <= before.to ? 'inside' : 'overlap'
    return { fault: { kind, part: textOf(span), other: textOf(before) } }
  }
  return { spans: sorted.map(spanOf) }
}

/** "09:00–12:00, 13:00–17:00"; empty for a day that is closed. */
export function timesText(spans: readonly Span[]): string {
  return spans.map(span => span.join('–')).join(', ')
}

export function minutesOf(clock: string): number {
  const [hours, minutes] = clock.split(':').map(Number)
  return hours! * 60 + minutes!
}

export function clockOf(minutes: number): string {
  return [Math.floor(minutes / 60), minutes % 60].map(part => String(part).padStart(2, '0')).join(':')
}

/** How many minutes of the day are open. */
export function openMinutes(spans: readonly Span[]): number {
  return spans.reduce((sum, [from, to]) => sum + minutesOf(to) - minutesOf(from), 0)
}

/** The spans with one edge elsewhere, as far as the neighbours allow: `at` counts the edges from the first opening on. */
export function moveEdge(spans: readonly Span[], at: number, minutes: number): Span[] {
  const edges = spans.flat().map(minutesOf)
  // A span keeps a quarter of an hour; neighbours may touch.
  const isEnd = at % 2 === 1
  const least = at === 0 ? 0 : edges[at - 1]! + (isEnd ? 15 : 0)
  const most = at === edges.length - 1 ? dayEnd : edges[at + 1]! - (isEnd ? 0 : 15)
  edges[at] = Math.min(most, Math.max(least, minutes))
  return spans.map((_, index): Span => [clockOf(edges[2 * index]!), clockOf(edges[2 * index + 1]!)])
}

/** The spans with an hour's break in the middle of the longest one. */
export function withBreak(spans: readonly Span[]): Span[] {
  const lengths = spans.map(span => openMinutes([span]))
  const longest = lengths.indexOf(Math.max(...lengths))
  return spans.flatMap((span, at) => {
    const [from, to] = span.map(minutesOf) as [number, number]
    if (at !== longest || to - from < 90) return [span]
    // People eat at noon if they are there.
    const noon = from < 660 && to > 840 ? 720 : Math.round((from + to) / 2 / 15) * 15 - 30
    return [
      [clockOf(from), clockOf(noon)],
      [clockOf(noon + 60), clockOf(to)]
    ] satisfies Span[]
  })
}

interface Minutes {
  from: number
  to: number
}

function readSpan(part: string): Minutes | TimesFault {
  const found = range.exec(part)
  if (!found) return { kind: 'unknown', part }
  const [, fromHour, fromMinute, fromHalf, toHour, toMinute, toHalf] = found
  const from = minutesIn(fromHour!, fromMinute, fromHalf)
  const to = minutesIn(toHour!, toMinute, toHalf)
  if (from === undefined || to === undefined || from === dayEnd) return { kind: 'noSuchTime', part }
  const span = { from, to }
  if (to === from) return { kind: 'empty', part: textOf(span) }
  if (to > from) return span
  // "22–6" goes on after midnight; "13–12:30" is a mistake.
  const isNight = from >= 12 * 60 && to > 0 && to <= 12 * 60
  const overnight = { today: spanOf({ from, to: dayEnd }), tomorrow: spanOf({ from: 0, to }) }
  if (to === 0) return { from, to: dayEnd }
  return { kind: 'backwards', part: textOf(span), ...(isNight && { overnight }) }
}

function minutesIn(hour: string, minute = '00', half?: string): number | undefined {
  let hours = Number(hour)
  if (half) {
    if (hours < 1 || hours > 12) return undefined
    hours = (hours % 12) + (half.startsWith('p') ? 12 : 0)
  }
  const minutes = hours * 60 + Number(minute)
  return Number(minute) < 60 && minutes <= dayEnd ? minutes : undefined
}

function spanOf({ from, to }: Minutes): Span {
  return [clockOf(from), clockOf(to)]
}

function textOf(span: Minutes): string {
  return spanOf(span).join('–')
}
