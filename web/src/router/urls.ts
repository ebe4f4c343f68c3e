/** Search parameters. Numbers are parsed as numbers, everything else as text, and both are formatted as they were read. */
export type Search = Record<string, unknown>
export type Params = Record<string, string>

export function parseSearch(text: string): Search {
  const entries = [...new URLSearchParams(text)]
  return Object.fromEntries(
    entries.map(([name, value]) => [name, String(Number(value)) === value ? Number(value) : value])
  )
}

/** Formats search parameters with their `?`; empty if there are none. */
export function formatSearch(search: Search): string {
  const entries = Object.entries(search).filter(([, value]) => value !== undefined && value !== null)
  const text = new URLSearchParams(entries.map(([name, value]): [string, string] => [name, String(value)])).toString()
  return text && `?${text}`
}

/** Replaces the parameters of a pattern: `/clients/$id` becomes `/clients/7`. */
export function fillPattern(pattern: string, params: Partial<Params> = {}): string {
  return pattern.replace(/\/\$(\w+)/g, (_, name: string) => `/${encodeURIComponent(params[name] ?? '')}`)
}

/** The address below the base (`/desk`, or empty), without the slash at its end. */
export function pathBelowBase(base: string, pathname: string): string {
  const own = pathname.replace(new RegExp(`^${base}(?=/|$)`, 'i'), '').replace(/\/+$/, '')
  return own || '/'
}

/** The parameters of the path if it matches the pattern, else undefined. */
export function matchParams(pattern: string, path: string): Params | undefined {
  const wanted = pattern.split('/')
  const given = path.split('/')
  if (wanted.length !== given.length) return undefined
  const params: Params = {}
  for (const [at, part] of wanted.entries()) {
    if (part.startsWith('$') && given[at]) params[part.slice(1)] = decoded(given[at])
    else if (part.toLowerCase() !== given[at]!.toLowerCase()) return undefined
  }
  return params
}

/** Sorts patterns so that fixed parts come before parameters. */
export function bySpecificity(one: string, other: string): number {
  const rank = (pattern: string) =>
    pattern
      .split('/')
      .map(part => (part.startsWith('$') ? '1' : '0'))
      .join('')
  return rank(one) < rank(other) ? -1 : rank(one) > rank(other) ? 1 : 0
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
