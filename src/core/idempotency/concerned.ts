import type { About } from '../../kit/endpoint.ts'

/** Whom a stored response concerns beside the caller. */
interface Concerned {
  /** Accounts, such as `client:7`. */
  people: string[]
  tickets: number[]
  /** In upper case, as stored. */
  ticketNumbers: string[]
}

/** Reads the fields that the endpoint declares from the body and from the data of its response. */
export function concernedBy(about: About, body: object, data: unknown): Concerned {
  if (about === 'caller') return { people: [], tickets: [], ticketNumbers: [] }
  const idsAt = (paths: readonly string[] = []) =>
    paths.flatMap(path => [...valuesAt(body, path.split('.')), ...valuesAt(data, path.split('.'))])
  const tickets = idsAt(about.tickets)
  return {
    people: [...idsAt(about.clients).map(id => `client:${id}`), ...idsAt(about.staff).map(id => `staff:${id}`)],
    tickets: tickets.filter(ticket => typeof ticket === 'number'),
    ticketNumbers: tickets.filter(ticket => typeof ticket === 'string').map(number => number.toUpperCase())
  }
}

function valuesAt(value: unknown, [name, ...rest]: string[]): (number | string)[] {
  if (Array.isArray(value)) return value.flatMap(each => valuesAt(each, name === undefined ? [] : [name, ...rest]))
  if (name === undefined) return typeof value === 'number' || typeof value === 'string' ? [value] : []
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return []
  return valuesAt((value as Record<string, unknown>)[name], rest)
}
