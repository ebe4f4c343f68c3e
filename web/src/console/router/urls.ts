/** What an address says after its `?`. Whole numbers are numbers, all else is text: both are written as they are read. */
export type Search = Record<string, unknown>
export type Params = Record<string, string>

export const base = '/desk'

export function parseSearch(text: string): Search {
  const entries = [...new URLSearchParams(text)]
  return Object.fromEntries(
    entries.map(([name, value]) => [name, String(Number(value)) === value ? Number(value) : value])
  )
}

/** With its `?`; nothing where nothing is said. */
export function formatSearch(search: Search): string {
  const entries = Object.entries(search).filter(([, value]) => value !== undefined && value !== null)
  const text = new URLSearchParams(entries.map(([name, value]): [string, string] => [name, String(value)])).toString()
  return text && `?${text}`
}

/** `/clients/$id` with its id: `/clients/7`. What is no pattern stays as it is. */
export function fillPattern(pattern: string, params: Partial<Params> = {}): string {
  return pattern.replace(/\/\$(\w+)/g, (_, name: string) => `/${encodeURIComponent(params[name] ?? '')}`)
}

/** The address below `/desk`, without the slash at its end. */
export function pathBelowBase(pathname: string): string {
  const own = pathname.replace(new RegExp(`^${base}(?=/|$)`, 'i'), '').replace(/\/+$/, '')
  return own || '/'
}

/** What the parts of this path are by the pattern; undefined where it is another one. */
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

/** Which of two patterns is looked at first: fixed parts before those that may be anything. */
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
