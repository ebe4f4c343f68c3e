/** Lines are cut to this length before patterns search them. */
const maxLineCharacters = 1_000

/** For comparison: without direction marks, bold marks, and blanks at the ends. */
export function comparableLine(line: string): string {
  return line
    .slice(0, maxLineCharacters)
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .trim()
}

export function markLines(isOld: Uint8Array, from: number, to: number): void {
  isOld.fill(1, from, to)
}

export function nextNonEmptyLine(lines: readonly string[], from: number): number {
  let at = from
  while (at < lines.length && lines[at]!.trim() === '') at++
  return at
}
