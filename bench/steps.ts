import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { Subject } from './subject.ts'

/** A statement as it was sent, and what it answered. */
export interface Recorded {
  text: string
  values: unknown[]
  rows: Record<string, unknown>[]
}

/** A request with all its statements. */
export interface Recording {
  subject: Subject
  statements: Recorded[]
  at: Date
}

/** Where a parameter comes from. */
type Source =
  | { from: 'constant'; value: unknown }
  | { from: 'request'; field: string; around: string[]; isText: boolean; isLower: boolean }
  | { from: 'clock'; offsetMilliseconds: number; isText: boolean }
  | { from: 'list'; items: Source[] }
  | { from: 'chance'; like: 'uuid' | 'token' }
  | { from: 'result'; statement: number; column: string; as: 'value' | 'json' }
  | { from: 'full name'; statement: number }
  | { from: 'files' }

/** A statement as the floor sends it. */
export interface Step {
  text: string
  /** Under which it is prepared; undefined for what opens and ends transactions. */
  name: string | undefined
  sources: Source[]
}

/**
 * The statements of a scenario, made from two of its requests: what is the same in both is constant, what differs comes from the
 * request, from an earlier answer, from the clock or from chance. Throws where that cannot be told.
 */
export function stepsOf(scenario: string, one: Recording, other: Recording): Step[] {
  const [texts, otherTexts] = [one, other].map(({ statements }) => statements.map(({ text }) => text).join(';\n'))
  if (texts !== otherTexts) {
    throw new Error(`Two requests of "${scenario}" send different statements:\n${texts}\n\n${otherTexts}`)
  }
  return one.statements.map(({ text, values }, at) => ({
    text,
    name: /^(begin|commit|rollback|start|set) ?/i.test(text) ? undefined : nameOf(text),
    sources: values.map((value, place) => {
      const source = sourceOf(value, other.statements[at]!.values[place], one, other, at)
      if (!source)
        throw new Error(`Of "${scenario}" nobody knows where ${JSON.stringify(value)} comes from, in ${text}`)
      return source
    })
  }))
}

function nameOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16)
}

function sourceOf(
  value: unknown,
  twin: unknown,
  one: Recording,
  other: Recording,
  statement: number
): Source | undefined {
  if (value instanceof Date || isTime(value)) {
    const offset = new Date(value).getTime() - one.at.getTime()
    const isText = typeof value === 'string'
    return { from: 'clock', offsetMilliseconds: Math.abs(offset) < 5_000 ? 0 : offset, isText }
  }
  if (typeof value === 'string' && value.startsWith('[{') && value.includes('"sha256"')) return { from: 'files' }
  if (JSON.stringify(value) === JSON.stringify(twin)) return { from: 'constant', value }
  if (Array.isArray(value) && Array.isArray(twin) && value.length === twin.length) {
    const items = value.map((item, at) => sourceOf(item, twin[at], one, other, statement))
    if (items.every(item => item !== undefined)) return { from: 'list', items }
  }
  return fromRequest(value, twin, one, other) ?? fromResult(value, twin, one, other, statement) ?? byChance(value)
}

function isTime(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value)
}

function fromRequest(value: unknown, twin: unknown, one: Recording, other: Recording): Source | undefined {
  const isText = typeof value === 'string'
  const [text, twinText] = [value, twin].map(each => (isText ? String(each) : JSON.stringify(each)))
  const found: Extract<Source, { from: 'request' }>[] = []
  for (const field of Object.keys(one.subject)) {
    for (const isLower of [false, true]) {
      const [part, twinPart] = [one, other].map(({ subject }) => shaped(subject[field], isLower))
      if (part === twinPart || part === '') continue
      const around = text!.split(part!)
      if (around.length === 1 || (typeof value === 'number' && text !== part)) continue
      if (around.join(twinPart) === twinText) found.push({ from: 'request', field, around, isText, isLower })
    }
  }
  // The whole rather than a part of it.
  return found.find(({ around }) => around.join('') === '') ?? found[0]
}

function shaped(value: unknown, isLower: boolean): string {
  return isLower ? String(value).toLowerCase() : String(value)
}

function fromResult(
  value: unknown,
  twin: unknown,
  one: Recording,
  other: Recording,
  before: number
): Source | undefined {
  for (let statement = before - 1; statement >= 0; statement--) {
    const [row, twinRow] = [one.statements[statement]!.rows[0], other.statements[statement]!.rows[0]]
    if (row && twinRow && fullName(row) === value && fullName(twinRow) === twin) return { from: 'full name', statement }
    for (const column of Object.keys(row ?? {})) {
      const [found, twinFound] = [JSON.stringify(row![column]), JSON.stringify(twinRow?.[column])]
      if (found === value && twinFound === twin) return { from: 'result', statement, column, as: 'json' }
      if (found === JSON.stringify(value) && twinFound === JSON.stringify(twin)) {
        return { from: 'result', statement, column, as: 'value' }
      }
    }
  }
  return undefined
}

function fullName(row: Record<string, unknown>): string {
  return `${row.first_name} ${row.last_name}`
}

function byChance(value: unknown): Source | undefined {
  if (typeof value !== 'string') return undefined
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)) return { from: 'chance', like: 'uuid' }
  if (/^[\w-]{43}$/.test(value)) return { from: 'chance', like: 'token' }
  return undefined
}

/** What a request has, and what has come of its statements so far. */
export interface Progress {
  subject: Subject
  results: readonly { rows: Record<string, unknown>[] }[]
  /** The rows of stored files, in JSON. */
  files: string
  now: number
}

/** The parameters of a step for one request. */
export function valuesOf({ sources }: Step, progress: Progress): unknown[] {
  return sources.map(source => parameterOf(source, progress))
}

function parameterOf(source: Source, progress: Progress): unknown {
  const { subject, results, files, now } = progress
  switch (source.from) {
    case 'list':
      return source.items.map(item => parameterOf(item, progress))
    case 'constant':
      return source.value
    case 'request': {
      const text = source.around.join(shaped(subject[source.field], source.isLower))
      return source.isText ? text : JSON.parse(text)
    }
    case 'clock': {
      const time = new Date(now + source.offsetMilliseconds)
      return source.isText ? time.toISOString() : time
    }
    case 'chance':
      return source.like === 'uuid' ? randomUUID() : randomBytes(32).toString('base64url')
    case 'result': {
      const value = results[source.statement]!.rows[0]?.[source.column]
      return source.as === 'json' ? JSON.stringify(value) : value
    }
    case 'full name':
      return fullName(results[source.statement]!.rows[0]!)
    case 'files':
      return files
  }
}
