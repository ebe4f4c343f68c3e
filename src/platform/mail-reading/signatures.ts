import { signatureBegins, signatureEnds } from './html.ts'
import { mobileSignature } from './quote-phrases.ts'
import { comparableLine, markLines, nextNonEmptyLine } from './text-lines.ts'

const maxSignatureLines = 20
const maxSignatureCharacters = 1_500
const maxArmorLines = 200

/** Marks what follows a person's text: their signature, that of a program, a footer of a list, and the armor of PGP. */
export function markSignatures(lines: readonly string[], isOld: Uint8Array): void {
  for (let at = 0; at < lines.length; at++) {
    if (isOld[at]) continue
    const line = lines[at]!
    if (line === signatureBegins) {
      const end = lines.indexOf(signatureEnds, at)
      if (end > at) at = markIfShort(lines, isOld, at, end)
    } else if (/^--[ \t]?$/.test(line) || /^— ?$/.test(line)) {
      at = markIfShort(lines, isOld, at, endOfNew(isOld, at))
    } else if (/^-----BEGIN PGP SIGN/.test(line)) at = markArmor(lines, isOld, at)
    else if (isOfList(lines, at)) at = markIfShort(lines, isOld, at, endOfNew(isOld, at))
    else if (isProgramSignature(comparableLine(line)) && isLastOfNew(lines, isOld, at)) isOld[at] = 1
  }
}

/** "Sent from my iPhone". With a verb it is a person's sentence: "Sent from my desk, it is easier here". */
function isProgramSignature(line: string): boolean {
  const bare = line.replace(/\[([^[\]]{1,60})\]\(\S{1,300}\)/, '$1').replace(/^[(<]+|[)>]+$/g, '')
  return mobileSignature.test(bare) && !/[\s,;](is|are|was|were|has|have|had|will|can|could|but|because)\s/i.test(bare)
}

/** The lines that introduce a signed text, or the signature itself. */
function markArmor(lines: readonly string[], isOld: Uint8Array, at: number): number {
  const isHead = lines[at]!.startsWith('-----BEGIN PGP SIGNED')
  const below = lines.slice(at, at + maxArmorLines)
  const end = below.findIndex(line => (isHead ? line.trim() === '' : line.startsWith('-----END PGP SIGNATURE')))
  if (end < 0) return at
  markLines(isOld, at, at + end + 1)
  return at + end
}

/** The footer that Mailman and others add to each mail of a list. */
function isOfList(lines: readonly string[], at: number): boolean {
  return (
    /^_{2,}$/.test(lines[at]!.trim()) &&
    /\bmailing list\b|\bmailingliste?\b|liste de diffusion|lista de correo/i.test(
      comparableLine(lines[at + 1] ?? '')
    ) &&
    lines.slice(at + 2, at + 6).some(line => /https?:|@/.test(line))
  )
}

/** Too many lines are not a signature. */
function markIfShort(lines: readonly string[], isOld: Uint8Array, from: number, to: number): number {
  // With more lines it is not searched at all: many could look like the beginning of a signature.
  if (to - from > maxSignatureLines * 3) return from
  const block = lines.slice(from, to)
  const isShort =
    block.filter(line => line.trim() !== '').length <= maxSignatureLines &&
    block.join('\n').length <= maxSignatureCharacters
  if (isShort) markLines(isOld, from, to)
  return isShort ? to - 1 : from
}

function endOfNew(isOld: Uint8Array, at: number): number {
  const most = Math.min(isOld.length, at + maxSignatureLines * 3 + 1)
  const end = isOld.subarray(at, most).indexOf(1)
  return end < 0 ? most : at + end
}

function isLastOfNew(lines: readonly string[], isOld: Uint8Array, at: number): boolean {
  const next = nextNonEmptyLine(lines, at + 1)
  return next >= lines.length || isOld[next] === 1 || lines[next] === signatureEnds || /^--[ \t]?$/.test(lines[next]!)
}
