import type { Readable } from 'node:stream'

/** Looks into files for what does harm. */
export interface Scanner {
  /**
   * Reads a content to its end, at constant memory, and tells what it is. The content is destroyed when it fails. Throws
   * `ScanFailed` when there is no verdict: then nothing is known of the file, and it may be tried again.
   */
  scan(content: Readable): Promise<Verdict>
}

export interface Verdict {
  isClean: boolean
  /** What the scanner said, in one line; the name of what it found. */
  answer: string
}

export class ScanFailed extends Error {
  override name = 'ScanFailed'
}

/** The first line of what a scanner said, without what would garble a log. */
export function firstLine(text: string): string {
  const [line = ''] = text.replace(/\0/g, '').trim().split('\n')
  return line
    .replace(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, 300)
}
