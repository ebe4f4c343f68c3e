import { firstHeader, type Header, headerText } from './headers.ts'

const maxHeaders = 200
const maxCharacters = 1_000

/** The headers of a mail by their names in lower case, the first of each, shortened. */
export function headersForRules(headers: readonly Header[]): Record<string, string> {
  const named = new Map<string, string>()
  for (const [name, value] of headers) {
    if (named.has(name) || named.size >= maxHeaders) continue
    named.set(name, headerText(value).slice(0, maxCharacters).toWellFormed().trim())
  }
  return Object.fromEntries(named)
}

/**
 * The score that a spam filter has written into a mail: SpamAssassin, rspamd, or a level as a row of stars. Whoever writes the mail could write it too,
 * which only makes it look worse than it is, or no worse than without one.
 */
export function spamScoreIn(headers: readonly Header[]): number | undefined {
  const score = firstHeader(headers, 'x-spam-score') ?? firstHeader(headers, 'x-rspamd-score')
  const status = /\b(?:score|hits)=(-?\d+(?:\.\d+)?)/.exec(firstHeader(headers, 'x-spam-status') ?? '')?.[1]
  const given = /^\s*(-?\d{1,6}(?:\.\d{1,6})?)\b/.exec(score ?? '')?.[1] ?? status
  if (given !== undefined) return Number(given)
  const level = firstHeader(headers, 'x-spam-level')
  return level === undefined ? undefined : /^\s*(\**)/.exec(level)![1]!.length
}
