import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { parse } from 'csv-parse'
import type { RequestInput } from '../../kit/body/request-input.ts'

/** A file that cannot be imported at all. The message is one sentence for the operator. */
export class ImportFault extends Error {}

/** One row of a customer table: its values by column, or why it could not be read. `line` is the line where it ends, from 1. */
export type TableRow = { line: number } & ({ fields: RequestInput['fields'] } | { refused: string })

const longestRowBytes = 1024 * 1024

/**
 * Reads the rows of a file one by one: CSV with a header (.csv) or one JSON object per line (.jsonl, .ndjson), UTF-8. Throws `ImportFault`
 * if the file is neither, cannot be read, or has a header without one of the `required` columns.
 */
export async function* tableRows(path: string, required: readonly string[]): AsyncGenerator<TableRow> {
  try {
    if (/\.csv$/i.test(path)) yield* csvRows(path, required)
    else if (/\.(jsonl|ndjson)$/i.test(path)) yield* jsonRows(path)
    else throw new ImportFault(`${path} must be a .csv or a .jsonl file.`)
  } catch (error) {
    const { syscall, code } = error as NodeJS.ErrnoException
    if (!syscall) throw error
    throw new ImportFault(code === 'ENOENT' ? `There is no file ${path}.` : `${path} cannot be read (${code}).`)
  }
}

/** The number of rows in a table. Throws as `tableRows` does. */
export async function countRows(path: string, required: readonly string[]): Promise<number> {
  let count = 0
  for await (const _row of tableRows(path, required)) count++
  return count
}

async function* csvRows(path: string, required: readonly string[]): AsyncGenerator<TableRow> {
  const rows = parse({
    bom: true,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: longestRowBytes
  })
  const file = createReadStream(path)
  file.on('error', error => rows.destroy(error))
  let header: string[] | undefined
  let last = 0
  try {
    for await (const { record, info } of file.pipe(rows) as AsyncIterable<CsvRow>) {
      last = info.lines
      if (header) yield { line: last, ...rowOf(header, record) }
      else header = headerOf(path, record, required)
    }
  } catch (error) {
    // After an unclosed quote the rest of the file cannot be parsed.
    const { code, message } = error as NodeJS.ErrnoException
    if (!/^(CSV|INVALID)_/.test(code ?? '')) throw error
    yield { line: last + 1, refused: `not read, nor anything after it: ${message}` }
  } finally {
    file.destroy()
  }
  if (!header) throw new ImportFault(`${path} is empty.`)
}

interface CsvRow {
  record: string[]
  info: { lines: number }
}

function headerOf(path: string, names: string[], required: readonly string[]): string[] {
  const header = names.map(name => name.trim().toLowerCase())
  const missing = required.filter(name => !header.includes(name))
  if (missing.length > 0) throw new ImportFault(`${path} has no column ${missing.join(', ')} in its first line.`)
  const twice = header.find((name, at) => name !== '' && header.indexOf(name) < at)
  if (twice) throw new ImportFault(`${path} has two columns ${twice}.`)
  return header
}

function rowOf(header: string[], record: string[]): { fields: RequestInput['fields'] } | { refused: string } {
  if (record.length !== header.length) {
    return { refused: `${record.length} values, where the header has ${header.length} columns` }
  }
  return checked(new Map(header.map((name, at) => [name, [{ value: record[at], isText: true }]])))
}

async function* jsonRows(path: string): AsyncGenerator<TableRow> {
  const file = createReadStream(path, 'utf8')
  const lines = createInterface({ input: file, crlfDelay: Infinity })
  // readline does not forward the error.
  file.on('error', () => lines.close())
  let line = 0
  for await (const text of lines) {
    line++
    const json = (line === 1 ? text.replace(/^\ufeff/, '') : text).trim()
    if (json !== '') yield { line, ...objectOf(json) }
  }
  if (file.errored) throw file.errored
}

function objectOf(json: string): { fields: RequestInput['fields'] } | { refused: string } {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    return { refused: 'not valid JSON' }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { refused: 'not a JSON object' }
  return checked(new Map(Object.entries(value).map(([name, value]) => [name, [{ value, isText: false }]])))
}

/** Bytes that are not UTF-8 are U+FFFD by now, and would be stored so. */
function checked(fields: RequestInput['fields']): { fields: RequestInput['fields'] } | { refused: string } {
  const broken = [...fields].find(([, [given]]) => typeof given!.value === 'string' && given!.value.includes('\ufffd'))
  return broken ? { refused: `${broken[0]} is not valid UTF-8` } : { fields }
}
