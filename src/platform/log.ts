import pino, { type Logger } from 'pino'

export type Log = Logger

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** JSON lines, on standard output unless that is for something else. Whatever is secret never reaches a log call; the redaction is the net below. */
export function makeLog(level: (typeof logLevels)[number], output: 'stdout' | 'stderr' = 'stdout'): Log {
  const options = {
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: ['password', 'token', 'refresh_token', 'code', '*.password', '*.token', '*.code', '*.authorization']
  }
  return pino(options, pino.destination({ dest: output === 'stdout' ? 1 : 2, sync: true }))
}
