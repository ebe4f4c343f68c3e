/** One value that the caller sent: text from a form or a query, typed from JSON. */
export interface InputValue {
  value: unknown
  isText: boolean
}

/** All fields that were sent, by name. It is a Map, so that no name can pollute a prototype. */
export interface RequestInput {
  fields: Map<string, InputValue[]>
  /** What the application's store returned for each file. */
  uploads: unknown[]
  /** The names of ignored parts: files that the endpoint does not accept, and query parameters. */
  unread: string[]
}

export function emptyInput(): RequestInput {
  return { fields: new Map(), uploads: [], unread: [] }
}

export function addText(fields: RequestInput['fields'], name: string, value: string): void {
  const given = fields.get(name)
  if (given) given.push({ value, isText: true })
  else fields.set(name, [{ value, isText: true }])
}
