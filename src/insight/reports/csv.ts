const bom = '\uFEFF'

/** The first lines of a CSV: the byte order mark if it is wanted, and the columns. */
export function csvHeading(columns: readonly string[], withBom: boolean): string {
  return `${withBom ? bom : ''}${columns.join(',')}\r\n`
}

/** A row as CSV (RFC 4180). Numbers stand as numbers; text that a spreadsheet would run as a formula gets a leading apostrophe. */
export function csvRow(columns: readonly string[], row: Readonly<Record<string, unknown>>): string {
  return `${columns.map(column => cell(row[column])).join(',')}\r\n`
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = String(value)
  const safe = typeof value === 'string' && /^\s*[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Values within values as columns of their own: `first_response.met`. Labels in words are text. */
export function flat(row: object, prefix = ''): Record<string, unknown> {
  const entries = Object.entries(row).flatMap(([name, value]) =>
    value !== null && typeof value === 'object'
      ? Object.entries(flat(value, `${prefix}${name}.`))
      : [[`${prefix}${name}`, value]]
  )
  return Object.fromEntries(entries)
}
