import type pg from 'pg'

type Parse = (text: string) => unknown
type Row = Record<string, unknown>

/** Makes a row out of what the server sent of it: a text for each column, or null. */
export type ReadRow = (texts: (string | null)[]) => Row

interface RowReader {
  columns: readonly pg.FieldDef[]
  types: pg.CustomTypesConfig
  read: ReadRow
}

/** Statements come in kinds without an end; the one read first is forgotten first. */
const maxReaders = 600
const readers = new Map<string, RowReader>()

/**
 * How the rows of the statement of this name are read, or undefined where pg has to read them itself. pg looks up the parsers and makes
 * an empty row at each execution, and sets the columns of each row by name: for a page of the queue that takes five times as long as one
 * object literal with all of them, compiled once for a statement.
 */
export function rowReaderOf(
  name: string,
  columns: readonly pg.FieldDef[],
  types: pg.CustomTypesConfig
): ReadRow | undefined {
  const known = readers.get(name)
  if (known?.types === types && isSame(known.columns, columns)) return known.read
  if (!columns.every(isPlain)) return undefined
  const read = compiled(
    columns.map(column => column.name),
    columns.map(({ dataTypeID }) => types.getTypeParser(dataTypeID, 'text') as Parse)
  )
  readers.delete(name)
  readers.set(name, { columns, types, read })
  if (readers.size > maxReaders) readers.delete(readers.keys().next().value!)
  return read
}

/** A migration may have changed the columns since. */
function isSame(known: readonly pg.FieldDef[], columns: readonly pg.FieldDef[]): boolean {
  if (known.length !== columns.length) return false
  for (let at = 0; at < columns.length; at++) {
    const [one, other] = [known[at]!, columns[at]!]
    if (one.name !== other.name || one.dataTypeID !== other.dataTypeID || one.format !== other.format) return false
  }
  return true
}

/** Sent as text, and not under the one name that a literal would take for the prototype. */
function isPlain({ name, format }: pg.FieldDef): boolean {
  return format === 'text' && name !== '__proto__'
}

function compiled(names: readonly string[], parsers: readonly Parse[]): ReadRow {
  const members = names.map(
    (name, at) => `${JSON.stringify(name)}: texts[${at}] === null ? null : parsers[${at}](texts[${at}])`
  )
  return new Function('parsers', `return texts => ({ ${members.join(', ')} })`)(parsers) as ReadRow
}
