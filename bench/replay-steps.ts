import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { RequestFields } from './request-fields.ts'

/** A statement as it was sent, and its result. */
export interface RecordedStatement {
  text: string
  values: unknown[]
  rows: Record<string, unknown>[]
}

/** A request with all its statements. */
export interface RecordedRequest {
  fields: RequestFields
  statements: RecordedStatement[]
  at: Date
}

/** Where a parameter comes from. */
type ParameterSource =
  | { from: 'constant'; value: unknown }
  | { from: 'request'; field: string; around: string[]; isText: boolean; isLower: boolean }
  | { from: 'clock'; offsetMilliseconds: number; isText: boolean }
  | { from: 'list'; items: ParameterSource[] }
  | { from: 'chance'; like: 'uuid' | 'token' }
  | { from: 'result'; statement: number; column: string; as: 'value' | 'json' }
  | { from: 'full name'; statement: number }
  | { from: 'files' }

/** A statement as the floor sends it. */
export interface ReplayStep {
  text: string
  /** The name under which it is prepared; undefined for statements that begin or end a transaction. */
  name: string | undefined
  sources: ParameterSource[]
}

/**
 * Derives the statements of a scenario from two of its requests: a parameter that is the same in both is constant; one that differs comes
 * from the request, from an earlier result, from the clock or from a random generator. Throws if the source cannot be determined.
 */
export function replayStepsOf(scenario: string, one: RecordedRequest, other: RecordedRequest): ReplayStep[] {
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
  one: RecordedRequest,
  other: RecordedRequest,
  statement: number
): ParameterSource | undefined {
  if (value instanceof Date || isTime(value)) {
    const offset = new Date(value).getTime() - one.at.getTime()
    const isText = typeof value === 'string'
    return { from: 'clock', offsetMilliseconds: Math.abs(offset) < 5_000 ? 0 : offset, isText }
  }
  if (typeof value === 'string' && value.startsWith('[{') && value.includes('"sha256"')) return { from: 'files' }
  // Deskline ranks what the searches of each kind found; the floor reads the same page of finds each time.
  if (typeof value === 'string' && value.startsWith('[{"kind":') && value.includes('"rank":'))
    return { from: 'constant', value }
  if (JSON.stringify(value) === JSON.stringify(twin)) return { from: 'constant', value }
  if (Array.isArray(value) && Array.isArray(twin) && value.length === twin.length) {
    const items = value.map((item, at) => sourceOf(item, twin[at], one, other, statement))
    if (items.every(item => item !== undefined)) return { from: 'list', items }
  }
  return fromRequest(value, twin, one, other) ?? fromResult(value, twin, one, other, statement) ?? randomSource(value)
}

function isTime(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value)
}

function fromRequest(
  value: unknown,
  twin: unknown,
  one: RecordedRequest,
  other: RecordedRequest
): ParameterSource | undefined {
  const isText = typeof value === 'string'
  const [text, twinText] = [value, twin].map(each => (isText ? String(each) : JSON.stringify(each)))
  const found: Extract<ParameterSource, { from: 'request' }>[] = []
  for (const field of Object.keys(one.fields)) {
    for (const isLower of [false, true]) {
      const [part, twinPart] = [one, other].map(({ fields }) => textForm(fields[field], isLower))
      if (part === twinPart || part === '') continue
      const around = text!.split(part!)
      if (around.length === 1 || (typeof value === 'number' && text !== part)) continue
      if (around.join(twinPart) === twinText) found.push({ from: 'request', field, around, isText, isLower })
    }
  }
  // A field that is the whole value is preferred to one that is a part of it.
  return found.find(({ around }) => around.join('') === '') ?? found[0]
}

function textForm(value: unknown, isLower: boolean): string {
  return isLower ? String(value).toLowerCase() : String(value)
}

function fromResult(
  value: unknown,
  twin: unknown,
  one: RecordedRequest,
  other: RecordedRequest,
  before: number
): ParameterSource | undefined {
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

function randomSource(value: unknown): ParameterSource | undefined {
  if (typeof value !== 'string') return undefined
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)) return { from: 'chance', like: 'uuid' }
  if (/^[\w-]{43}$/.test(value)) return { from: 'chance', like: 'token' }
  return undefined
}

/** The fields of a request, and the results of its statements so far. */
export interface ReplayState {
  fields: RequestFields
  results: readonly { rows: Record<string, unknown>[] }[]
  /** The rows of stored files, in JSON. */
  files: string
  now: number
}

/** The parameters of a step for one request. */
export function parametersOf({ sources }: ReplayStep, progress: ReplayState): unknown[] {
  return sources.map(source => parameterOf(source, progress))
}

function parameterOf(source: ParameterSource, progress: ReplayState): unknown {
  const { fields, results, files, now } = progress
  switch (source.from) {
    case 'list':
      return source.items.map(item => parameterOf(item, progress))
    case 'constant':
      return source.value
    case 'request': {
      const text = source.around.join(textForm(fields[source.field], source.isLower))
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
