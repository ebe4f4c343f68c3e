import { InvalidSetting, integer, optional } from '../../lib/setting.ts'
import { clamdAddress } from './clamd.ts'

/** The virus scanner of files. Without either setting nothing is scanned. */
export const scanSettings = {
  CLAMD_SOCKET: optional(
    'The clamd (ClamAV) that scans every file before it can be downloaded: host:port, or the path of its socket.',
    clamdAddress
  ),
  SCAN_COMMAND: optional(
    'A scan command instead of clamd: it gets the content on standard input and exits with 0 if it is clean, with 1 ' +
      'if it is not. Separate its arguments by spaces; no shell is involved.',
    words
  ),
  SCAN_TIMEOUT_SECONDS: integer(120, 1, 600, 'The time limit for scanning a file.')
}

/** Errors in the combination of these settings, one sentence each. */
export function scanFaults(isGiven: (name: keyof typeof scanSettings) => boolean): string[] {
  return isGiven('CLAMD_SOCKET') && isGiven('SCAN_COMMAND')
    ? ['CLAMD_SOCKET and SCAN_COMMAND must not be given together']
    : []
}

function words(given: string): [string, ...string[]] {
  const [program, ...rest] = given.split(/\s+/)
  if (program) return [program, ...rest]
  throw new InvalidSetting('must be a command')
}
