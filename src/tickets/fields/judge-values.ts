import type { FieldValue, FieldValues } from '../../core/tables/fields.ts'
import { InvalidFields } from '../../kit/errors.ts'
import { unfitText } from '../../kit/input.ts'
import { type Field, slotOf } from './fields.ts'

/** Values by the keys of their fields, as they were sent; null clears. */
export type GivenValues = Readonly<Record<string, unknown>>

/** What a value is judged by. */
export type JudgedField = Pick<Field, 'id' | 'key' | 'kind' | 'options' | 'is_archived'>

interface JudgedValue<F extends JudgedField = JudgedField> {
  field: F
  /** As it is stored; null: none. */
  value: FieldValue | null
}

export interface Judgement<F extends JudgedField = JudgedField> {
  judged: JudgedValue<F>[]
  faults: { key: string; fault: string }[]
}

/**
 * The one judge of values, whichever way they come: what is stored for each, or what is wrong with it. `had`: the present values, as an archived
 * option stays where it is set.
 */
export function judgeValues<F extends JudgedField>(
  fields: readonly F[],
  given: GivenValues,
  had: FieldValues = {}
): Judgement<F> {
  const byKey = new Map(fields.map(field => [field.key, field]))
  const judgement: Judgement<F> = { judged: [], faults: [] }
  for (const [key, sent] of Object.entries(given)) {
    const field = byKey.get(key)
    if (!field) judgement.faults.push({ key: key.toWellFormed().slice(0, 100), fault: 'is no field' })
    else if (field.is_archived) judgement.faults.push({ key, fault: 'is archived' })
    else {
      const read = isEmpty(sent) ? { value: null } : readers[field.kind](sent, field, had[slotOf(field)])
      if ('fault' in read) judgement.faults.push({ key, fault: read.fault })
      else judgement.judged.push({ field, value: read.value })
    }
  }
  return judgement
}

/** Throws `InvalidFields` for values that no ticket can have, whatever it has now. */
export function refuseUnfit(fields: readonly Field[], given: GivenValues): void {
  const had = Object.fromEntries(fields.map(field => [slotOf(field), given[field.key]]))
  refuseFaults(judgeValues(fields, given, had as FieldValues).faults)
}

/** Throws `InvalidFields` if there are any. */
export function refuseFaults(faults: Judgement['faults']): void {
  if (faults.length === 0) return
  throw InvalidFields({
    message: faults.map(({ key, fault }) => `fields.${key} ${fault}`).join('; '),
    errors: faults.map(({ key }) => `fields.${key}`)
  })
}

type Read = { value: FieldValue | null } | { fault: string }
type Reader = (sent: unknown, field: JudgedField, had: FieldValue | undefined) => Read

function isEmpty(sent: unknown): boolean {
  return sent === null || (typeof sent === 'string' && sent.trim() === '') || (Array.isArray(sent) && sent.length === 0)
}

const maxText = 255
const maxLongText = 10_000

// A form sends texts only: decimal digits are a number or an id.
const readers: Record<JudgedField['kind'], Reader> = {
  text: sent => text(typeof sent === 'string' ? sent.trim() : sent, maxText, /^[^\n\r\v\f\u0085\u2028\u2029]*$/),
  long_text: sent => text(sent, maxLongText),
  number: sent => {
    const number = typeof sent === 'string' && /^\s*-?\d{1,14}(\.\d{1,4})?\s*$/.test(sent) ? Number(sent) : sent
    if (typeof number !== 'number') return { fault: 'must be a number' }
    const isFit = Math.abs(number) < 1e14 && /^-?\d+(\.\d{1,4})?$/.test(plain(number))
    return isFit
      ? { value: number === 0 ? 0 : number }
      : { fault: 'must have at most 14 digits before the point and 4 after it' }
  },
  date: sent => (typeof sent === 'string' && isDay(sent) ? { value: sent } : { fault: 'must be a day: YYYY-MM-DD' }),
  checkbox: sent => {
    if ([true, 1, 'true', '1'].includes(sent as boolean)) return { value: true }
    return [false, 0, 'false', '0'].includes(sent as boolean) ? { value: false } : { fault: 'must be true or false' }
  },
  select: (sent, field, had) => {
    const id = idOf(sent)
    return isOption(field, id, had === undefined ? [] : [had]) ? { value: id } : { fault: 'must be one of its options' }
  },
  multi_select: (sent, field, had) => {
    const ids = (Array.isArray(sent) ? sent : [sent]).map(idOf)
    const present = Array.isArray(had) ? had : []
    const isFit = ids.every((id): id is number => isOption(field, id, present))
    if (!isFit) return { fault: 'must be a list of its options' }
    return { value: [...new Set(ids)].toSorted((one, other) => one - other) }
  }
}

function text(sent: unknown, max: number, pattern?: RegExp): Read {
  if (typeof sent !== 'string') return { fault: 'must be a text' }
  if ([...sent.slice(0, 2 * max + 2)].length > max) return { fault: `must have at most ${max} characters` }
  const unfit = unfitText(sent)
  if (unfit) return { fault: unfit }
  return pattern && !pattern.test(sent) ? { fault: 'must be on one line' } : { value: sent }
}

/** Without an exponent, as far as its size is fit. */
function plain(number: number): string {
  const shown = String(number)
  return shown.includes('e-') ? 'too small' : shown
}

function isDay(sent: string): boolean {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(sent) ? new Date(`${sent}T00:00:00Z`) : undefined
  return (
    at !== undefined && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(sent) && !sent.startsWith('0000')
  )
}

function idOf(sent: unknown): unknown {
  return typeof sent === 'string' && /^\d{1,15}$/.test(sent.trim()) ? Number(sent) : sent
}

/** Archived ones only where they are set already. */
function isOption({ options }: JudgedField, id: unknown, had: readonly unknown[]): id is number {
  const option = options.find(option => option.id === id)
  return option !== undefined && (!option.is_archived || had.includes(id))
}
