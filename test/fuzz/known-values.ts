/** The kinds of values that responses contain and requests can use. */
export type ValueKind =
  | 'id'
  | 'ticket'
  | 'email'
  | 'reset'
  | 'refresh'
  | 'challenge'
  | 'code'
  | 'secret'
  | 'phone'
  | 'file'

export interface KnownValues {
  /** One of the known values of a kind; `at` is any number. */
  of(kind: ValueKind, at: number): unknown
  /** Stores the values in a response. */
  learn(data: unknown): void
}

const keptOfEach = 50

const names: Record<string, ValueKind> = {
  id: 'id',
  user_id: 'id',
  ticket_id: 'ticket',
  ticket_number: 'ticket',
  email: 'email',
  reset_token: 'reset',
  refresh_token: 'refresh',
  temp_token: 'challenge',
  code: 'code',
  secret: 'secret',
  phone_number: 'phone',
  file_path: 'file'
}

/** Stores a bounded number of the newest values of each kind, so that requests get beyond the first refusal. */
export function makeKnownValues(): KnownValues {
  const kept = new Map<ValueKind, unknown[]>()

  function keep(kind: ValueKind, value: unknown): void {
    const all = kept.get(kind) ?? []
    kept.set(kind, all)
    all.push(value)
    if (all.length > keptOfEach) all.shift()
  }

  return {
    of(kind, at) {
      const all = kept.get(kind) ?? []
      return all[at % all.length]
    },
    learn(data) {
      const found = Array.isArray(data)
        ? data.slice(0, 3).map((each, at) => [String(at), each])
        : Object.entries(data ?? {})
      for (const [name, value] of found as [string, unknown][]) {
        if (typeof value === 'object') this.learn(value)
        else if (names[name] && value !== '') keep(names[name], value)
      }
    }
  }
}
