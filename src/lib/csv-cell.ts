/**
 * A cell of a CSV file (RFC 4180). Text that a spreadsheet would run as a formula gets an apostrophe before it, also within a text: where semicolons or
 * tabs separate, as in German spreadsheets, it would be a cell of its own.
 */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  const safe = typeof value === 'number' ? text : text.replace(/^(?=[=+\-@\t\r])|(?<=[;\t\r\n])(?=[=+\-@])/g, "'")
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
