import { join } from 'node:path'
import { ConfigurationFaults } from '../../lib/configuration-faults.ts'

// As in hand-over.ts, which loads this file for every e-mail: imports would load more of these modules.
const { readFileSync } = process.getBuiltinModule('node:fs')
const { parseEnv } = process.getBuiltinModule('node:util')

type Environment = Record<string, string | undefined>

/** Names another file than `.env`; empty for none. */
const variable = 'DESKLINE_ENV_FILE'
/** Beside our own package.json, not in the working directory: its settings name commands that are run. */
const ownFile = join(import.meta.dirname, '../../../.env')

/**
 * Loads the settings of `.env` into the environment; existing ones take precedence, as NAME or as NAME_FILE. Throws `ConfigurationFaults` if the
 * file cannot be read or a line is invalid.
 */
export function useEnvFile(environment: Environment = process.env): void {
  const named = environment[variable]
  const path = named === undefined ? ownFile : named.trim()
  if (!path) return
  const text = contentOf(path, { isNamed: named !== undefined })
  const faults = brokenLines(text).map(({ line, reason }) => `${path}, line ${line}: ${reason}`)
  if (faults.length > 0) throw new ConfigurationFaults(faults)
  const given = { ...environment }
  for (const [name, value] of Object.entries(parseEnv(text))) {
    const other = name.endsWith('_FILE') ? name.slice(0, -'_FILE'.length) : `${name}_FILE`
    if (given[name] === undefined && given[other] === undefined) environment[name] = value
  }
}

function contentOf(path: string, { isNamed }: { isNamed: boolean }): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' && !isNamed) return ''
    throw new ConfigurationFaults([`The settings file ${path} cannot be read (${code})`])
  }
}

// The syntax of .env files in Node.js, to find lines that it silently ignores or truncates.
const nothing = /[^\S\n]*(?:#[^\n]*)?(?:\n|$)/y
const assignment = /[^\S\n]*(?:export[^\S\n]+)?[A-Za-z_]\w*[^\S\n]*=[^\S\n]*/y
const quotedValue = /(?:"[^"]*"|'[^']*'|`[^`]*`)[^\S\n]*(?:#[^\n]*)?(?:\n|$)/y
const plainValue = /(?:[^\s"'`#][^\n#]*?)?(?:[^\S\n]+#[^\n]*|[^\S\n]*)(?:\n|$)/y
const restOfLine = /[^\n]*(?:\n|$)/y

/** The lines that are neither blank, a comment, nor NAME=value. Their content is not reported: it may be a secret. */
function brokenLines(given: string): { line: number; reason: string }[] {
  const text = given.replaceAll('\r\n', '\n')
  const broken: { line: number; reason: string }[] = []
  let at = 0
  const takes = (pattern: RegExp) => {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match) at += match[0].length
    return match !== null
  }
  while (at < text.length) {
    const startsAt = at
    if (takes(nothing)) continue
    const isAssigned = takes(assignment)
    if (isAssigned && (takes(quotedValue) || takes(plainValue))) continue
    takes(restOfLine)
    const reason = isAssigned
      ? 'the value must be in quotes that are closed and nothing after them, since it has a quote or a # in it'
      : 'it must be NAME=value, a comment that begins with #, or blank'
    broken.push({ line: text.slice(0, startsAt).split('\n').length, reason })
  }
  return broken
}
