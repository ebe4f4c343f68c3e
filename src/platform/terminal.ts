import { isatty } from 'node:tty'
import { stripVTControlCharacters } from 'node:util'

/** How to format lines for a person; undefined for a program. */
export interface Terminal {
  paint(color: Color, text: string): string
}

const codes = { red: 31, green: 32, yellow: 33, dim: 2, bold: 1 }
type Color = keyof typeof codes

/** The terminal of standard output (1) or standard error (2). Without colours if NO_COLOR or TERM=dumb say so. */
export function terminalAt(fd: number, environment: Record<string, string | undefined>): Terminal | undefined {
  if (!isatty(fd)) return undefined
  const isColored = !environment.NO_COLOR && environment.TERM !== 'dumb'
  return { paint: (color, text) => (isColored ? `\x1b[${codes[color]}m${text}\x1b[0m` : text) }
}

/** Removes control sequences, so that the text cannot steer a terminal. */
export function stripControlSequences(text: string): string {
  return stripVTControlCharacters(text).replace(/[^\P{Cc}\n\t]/gu, '')
}

const levels: Record<number, [string, Color | undefined]> = {
  10: ['trace', 'dim'],
  20: ['debug', 'dim'],
  30: ['', undefined],
  40: ['warning', 'yellow'],
  50: ['error', 'red'],
  60: ['fatal', 'red']
}

const longestDetail = 120

interface LogLine {
  level: number
  time: string
  msg?: string
  err?: { message?: string; stack?: string; cause?: LogLine['err'] }
  [name: string]: unknown
}

/** A JSON log line for a person: the local time, what happened, and its details. */
export function formatLogLine(json: string, { paint }: Terminal): string {
  const { level, time, msg = '', err, ...details } = JSON.parse(json) as LogLine
  const [word, color] = levels[level] ?? ['', undefined]
  const at = new Date(time).toLocaleTimeString('en-GB')
  const text = oneLine([word && `${word}:`, msg].filter(Boolean).join(' '))
  const shown = detailsOf(details)
  const lines = [
    [paint('dim', at), color ? paint(color, text) : text, ...(shown ? [paint('dim', shown)] : [])].join('  ')
  ]
  for (let cause = err; cause; cause = cause.cause) lines.push(indented(cause.stack ?? cause.message ?? ''))
  return `${lines.join('\n')}\n`
}

function detailsOf(details: Record<string, unknown>): string {
  const { method, route, status, milliseconds, ...others } = details
  // The ids of a request are only in the JSON.
  if (method && route) return oneLine(`${method} ${route} ${status} in ${milliseconds} ms`)
  return oneLine(
    Object.entries(others)
      .map(([name, value]) => `${name}=${shortened(typeof value === 'string' ? value : JSON.stringify(value))}`)
      .join(' ')
  )
}

function shortened(text: string): string {
  return text.length > longestDetail ? `${text.slice(0, longestDetail)}…` : text
}

/** Keeps input from adding lines to the log. */
function oneLine(text: string): string {
  return stripControlSequences(text).replace(/\s*\n\s*/g, ' ')
}

function indented(text: string): string {
  return stripControlSequences(text).replace(/^/gm, '          ')
}
