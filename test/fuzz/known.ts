/** What the service tells and takes again. */
export type Kind = 'id' | 'ticket' | 'email' | 'reset' | 'refresh' | 'challenge' | 'code' | 'secret' | 'phone' | 'file'

export interface Known {
  /** One of the things of a kind; `at` is any number. */
  of(kind: Kind, at: number): unknown
  /** Remembers what an answer tells. */
  learn(data: unknown): void
}

const keptOfEach = 50

const names: Record<string, Kind> = {
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

/** Remembers the newest things of each kind, so that requests come beyond the first refusal; a bounded number, forever. */
export function makeKnown(): Known {
  const kept = new Map<Kind, unknown[]>()

  function keep(kind: Kind, value: unknown): void {
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
