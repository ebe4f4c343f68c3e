/** A piece of a text; `href` is set if it is a link. */
export interface Piece {
  text: string
  href?: string
}

// Brackets around an address and the end of a sentence do not belong to the address.
const address = /\b(?:https?:\/\/|www\.)[^\s<>"'`{}|\\^[\]]+|\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+\b/gi
const trailing = /[.,;:!?…)\]}'"’”»]+$/

/** Splits a text into pieces. Only http, https and e-mail addresses become links; everything else that a customer writes stays text. */
export function linkPieces(text: string): Piece[] {
  const pieces: Piece[] = []
  let at = 0
  for (const match of text.matchAll(address)) {
    const shown = withoutTrail(match[0])
    const href = hrefOf(shown)
    if (!href) continue
    if (match.index > at) pieces.push({ text: text.slice(at, match.index) })
    pieces.push({ text: shown, href })
    at = match.index + shown.length
  }
  if (at < text.length) pieces.push({ text: text.slice(at) })
  return pieces
}

/** Whether a link may lead there. */
export function isLinkAddress(address: string): boolean {
  return /^(https?|mailto|tel):[^\s]+$/i.test(address)
}

/** The address that somebody means who typed this: "www.example.org" and "info@example.org" are some. */
export function addressOf(typed: string): string | undefined {
  const address = typed.trim()
  if (isLinkAddress(address)) return address
  if (/^[\w-]+(\.[\w-]+)*\.[a-z]{2,}(\/\S*)?$/i.test(address)) return `https://${address}`
  const [piece, ...others] = linkPieces(address)
  return others.length === 0 ? piece?.href : undefined
}

/** Splits a text into its own part and the quote at its end: lines with `>`, and the line above them that names their author. */
export function quoteParts(text: string): { own: string; quoted: string } {
  const lines = text.replace(/\r\n?/g, '\n').split('\n')
  let from = lines.length
  while (from > 0 && /^\s*(>|$)/.test(lines[from - 1]!)) from--
  const quoted = lines.slice(from).filter(line => line.trim() !== '')
  if (quoted.length === 0) return { own: text.trim(), quoted: '' }
  if (from > 0 && /:\s*$/.test(lines[from - 1]!)) from--
  const own = lines.slice(0, from).join('\n').trim()
  return own === '' ? { own: text.trim(), quoted: '' } : { own, quoted: lines.slice(from).join('\n').trim() }
}

/** "https://a.example/x_(y)." → "https://a.example/x_(y)" */
function withoutTrail(found: string): string {
  const trail = trailing.exec(found)?.[0] ?? ''
  const kept = found.slice(0, found.length - trail.length)
  return trail.startsWith(')') && kept.includes('(') && !kept.includes(')') ? `${kept})` : kept
}

function hrefOf(found: string): string | undefined {
  const whole =
    found.includes('@') && !/^https?:|^www\./i.test(found)
      ? `mailto:${found}`
      : found.replace(/^www\./i, 'https://www.')
  return URL.canParse(whole) ? whole : undefined
}
