/** One value that the caller sent for a name: from a form or an address it is text, from JSON it has its type. */
export interface Given {
  value: unknown
  isText: boolean
}

/** Everything that was sent, by name. A Map, so that no name can reach a prototype. */
export interface Sent {
  fields: Map<string, Given[]>
  /** What the application's store made of each file. */
  uploads: unknown[]
  /** The names under which came what nobody reads: files where none are taken, and parameters of the address. */
  unread: string[]
}

export function emptySent(): Sent {
  return { fields: new Map(), uploads: [], unread: [] }
}

export function addText(fields: Sent['fields'], name: string, value: string): void {
  const given = fields.get(name)
  if (given) given.push({ value, isText: true })
  else fields.set(name, [{ value, isText: true }])
}
