import type { BodyOf } from '@deskline/client'

type Filter = BodyOf<'/api/admin/mail/log/list'>
export type Outcome = NonNullable<Filter['outcome']>
export type Verdict = NonNullable<Filter['verdict']>

/** The filter of the log, as it is in the address. */
export interface LogSearch {
  way?: 'in' | 'out'
  became?: Outcome
  checked?: Verdict
  /** In full: one of the desk's own, or any other. */
  address?: string
  days?: number
  q?: string
}

export const outcomesOf: Record<'in' | 'out', readonly Outcome[]> = {
  in: ['ticket', 'reply', 'held', 'bounce', 'dropped', 'duplicate', 'refused', 'received'],
  out: ['queued', 'sent', 'delivered', 'deferred', 'bounced', 'refused']
}
export const outcomes: readonly Outcome[] = [...new Set([...outcomesOf.in, ...outcomesOf.out])]
export const verdicts: readonly Verdict[] = ['pass', 'fail', 'none', 'unknown']
export const spans = [1, 7, 30, 90] as const

export function logSearchOf({ way, became, checked, address, days, q }: Record<string, unknown>): LogSearch {
  const outcome = outcomes.find(each => each === became)
  const verdict = verdicts.find(each => each === checked)
  const span = Number(days)
  return {
    ...((way === 'in' || way === 'out') && { way }),
    ...(outcome && { became: outcome }),
    ...(verdict && { checked: verdict }),
    ...(address !== undefined && address !== '' && { address: String(address).slice(0, 255) }),
    ...(Number.isInteger(span) && span > 0 && span <= 3650 && { days: span }),
    ...(q !== undefined && q !== '' && { q: String(q) })
  }
}

/** What the log is asked. */
export function filterOf({ way, became, checked, address, days }: LogSearch, q: string): Filter {
  return {
    ...(way && { direction: way }),
    ...(became && { outcome: became }),
    ...(checked && { verdict: checked }),
    ...(address && { address }),
    ...(days && { days }),
    ...(q !== '' && { search: q.slice(0, 255) })
  }
}
