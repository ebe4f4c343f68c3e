export interface EmbeddedLog {
  info(object: object, text: string): void
  warn(object: object, text: string): void
  error(object: object, text: string): void
}

/** The log settings that `readServerLog` needs: the process type and SQLSTATE, but no details, which could quote rows and statements. */
export const logSettings = {
  log_destination: 'stderr',
  logging_collector: 'off',
  log_line_prefix: '%b|%e|',
  log_error_verbosity: 'terse',
  log_min_messages: 'warning',
  log_min_error_statement: 'panic',
  log_statement: 'none',
  log_min_duration_statement: '-1',
  log_parameter_max_length_on_error: '0',
  log_checkpoints: 'off',
  log_timezone: 'UTC'
}

/** Errors of the server itself rather than of a statement: no resources, system errors, internal errors, damaged files. */
const serverFailures = /^(53|58|XX|F0)/

/** The few ordinary messages that an operator should see. */
const notable = /was terminated by signal|was not properly shut down|terminating any other active|could not/

/** The messages of any shutdown. */
const ending = /^(database system is shut down|terminating|aborting|shutting down)/

/** Fatal only to a connection: the server stops or starts, or there is no such user or database. */
const refusals = /^(57P|28|3D)/

/**
 * Reads the server's log line by line: passes on what an operator must know, and keeps the last lines. `reason` is the first of them that
 * explains why the server, or one of its processes, failed; undefined if there is none.
 */
export function readServerLog(log: EmbeddedLog) {
  const lastLines: string[] = []
  let fatal: string | undefined

  function read(line: string): void {
    const [, speaker = '', state = '', level = '', text = ''] = /^([^|]*)\|(\w*)\|(\w+): +(.*)$/.exec(line) ?? []
    const message = text || line
    // Continuation lines begin with a tab, and like a STATEMENT they may quote anything.
    if (line.startsWith('\t') || level === 'STATEMENT') return
    lastLines.push(message.slice(0, 500))
    if (lastLines.length > 20) lastLines.shift()
    if (level === 'PANIC' || (level === 'FATAL' && !refusals.test(state))) fatal ??= message.slice(0, 500)

    const told = { postgres: message.slice(0, 500), speaker, state }
    if (level === 'WARNING') log.warn(told, 'The embedded database warns')
    else if (level === 'LOG' && speaker !== 'client backend' && notable.test(text))
      log.warn(told, 'The embedded database reports a problem')
    else if (isFailure(speaker, state, level)) log.error(told, 'The embedded database reports a failure')
  }

  const reason = () => fatal ?? lastLines.find(line => !ending.test(line))?.replace(/^postgres: /, '')
  return { read, lastLines, reason }
}

/** A client reports its own errors, and those caused by a shutdown. */
function isFailure(speaker: string, state: string, level: string): boolean {
  if (level === 'PANIC') return true
  if (level !== 'ERROR' && level !== 'FATAL') return false
  return speaker === 'client backend' ? serverFailures.test(state) : !state.startsWith('57P')
}
