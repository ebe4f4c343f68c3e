import pino, { type Logger } from 'pino'
import { formatLogLine, type Terminal } from './terminal.ts'

export type Log = Logger

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/**
 * JSON lines, on standard output or a file. Secrets must never be passed to the log; the redaction is a safety net. At a terminal the lines are
 * formatted for people.
 */
export function makeLog(level: (typeof logLevels)[number], output: string = 'stdout', terminal?: Terminal): Log {
  const options = {
    level,
    base: undefined,
    timestamp: isoTime(),
    serializers: { err: (error: unknown) => shownError(error) },
    redact: ['password', 'token', 'refresh_token', 'code', '*.password', '*.token', '*.code', '*.authorization']
  }
  const lines = pino.destination({ dest: output === 'stdout' ? 1 : output === 'stderr' ? 2 : output, sync: true })
  return pino(options, terminal ? { write: line => void lines.write(formatLogLine(line, terminal)) } : lines)
}

/** The same as pino's own, which computes the whole date for each line: this does it once a second. */
function isoTime(): () => string {
  let [second, date] = [0, '']
  return () => {
    const now = Date.now()
    const milliseconds = now % 1000
    if (now - milliseconds !== second) {
      second = now - milliseconds
      date = new Date(second).toISOString().slice(0, 20)
    }
    return `,"time":"${date}${String(milliseconds).padStart(3, '0')}Z"`
  }
}

/** An error without its extra properties: database errors contain the failed row, others a whole connection. Its cause is shown the same way. */
function shownError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return error
  const errorCode = 'code' in error ? error.code : undefined
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...(errorCode === undefined ? {} : { errorCode }),
    ...(error.cause === undefined || depth > 3 ? {} : { cause: shownError(error.cause, depth + 1) })
  }
}
