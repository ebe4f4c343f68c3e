import type { Readable } from 'node:stream'

/** Scans files for viruses. */
export interface Scanner {
  /**
   * Reads content to its end, in constant memory, and returns the verdict. The content is destroyed on failure. Throws `ScanFailed` if there is
   * no verdict: the file may be scanned again.
   */
  scan(content: Readable): Promise<Verdict>
}

export interface Verdict {
  isClean: boolean
  /** The scanner's response in one line; the name of what it found. */
  answer: string
}

export class ScanFailed extends Error {
  override name = 'ScanFailed'
}

/** The first line of a scanner's response, without control characters. */
export function firstLine(text: string): string {
  const [line = ''] = text.replace(/\0/g, '').trim().split('\n')
  return line
    .replace(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, 300)
}
