import type { Mark, Node } from 'prosemirror-model'
import { isLinkAddress } from '../../lib/safe-links.ts'
import { marks, nodes, schema } from './schema.ts'

// Reads the same kinds of Markdown as the service (`renderMarkdown`), which a test compares. Everything else stays as it is typed.

/** The document of a text in Markdown. */
export function readMarkdown(text: string): Node {
  return nodes.doc!.create(null, orEmpty(blocksOf(text.replace(/\r\n?/g, '\n').split('\n'), 0)))
}

const maxNesting = 20
const fence = /^ {0,3}(`{3,}|~{3,})([^\n]*)$/
const headingLine = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/
const quoteLine = /^ {0,3}> ?(.*)$/
const itemLine = /^( {0,3})([-+*]|(\d{1,9})([.)]))(?:([ \t]+)(.*)|)$/

function blocksOf(lines: readonly string[], depth: number): Node[] {
  const blocks: Node[] = []
  let at = 0
  while (at < lines.length) {
    const line = lines[at]!
    if (isBlank(line)) {
      at++
      continue
    }
    const [block, next] = (depth < maxNesting && containerAt(lines, at, depth)) || leafAt(lines, at)
    blocks.push(block)
    at = next
  }
  return blocks
}

type Found = [block: Node, next: number]

function leafAt(lines: readonly string[], at: number): Found {
  const line = lines[at]!
  const fenced = fenceOf(line)
  if (fenced) return codeAt(lines, at, fenced)
  const [, hashes, title] = headingLine.exec(line) ?? []
  if (hashes) {
    const words = (title ?? '').replace(/^#+$/, '')
    return [nodes.heading!.create({ level: hashes.length }, inlineNodes(words.trim())), at + 1]
  }
  let end = at + 1
  while (end < lines.length && !isBlank(lines[end]!) && !interrupts(lines[end]!)) end++
  const words = lines.slice(at, end).map(line => line.trim())
  return [nodes.paragraph!.create(null, inlineNodes(words.join('\n'))), end]
}

function codeAt(lines: readonly string[], at: number, { mark, info }: Fence): Found {
  let end = at + 1
  const closing = new RegExp(`^ {0,3}\\${mark[0]}{${mark.length},}[ \\t]*$`)
  while (end < lines.length && !closing.test(lines[end]!)) end++
  const code = lines.slice(at + 1, end).join('\n')
  const language = info.trim().split(/\s/)[0] ?? ''
  return [nodes.code_block!.create({ language }, code ? schema.text(code) : null), Math.min(end + 1, lines.length)]
}

function containerAt(lines: readonly string[], at: number, depth: number): Found | undefined {
  if (quoteLine.test(lines[at]!)) return quoteAt(lines, at, depth)
  if (itemLine.test(lines[at]!)) return listAt(lines, at, depth)
}

function quoteAt(lines: readonly string[], at: number, depth: number): Found {
  const inner: string[] = []
  let end = at
  for (; end < lines.length; end++) {
    const [, rest] = quoteLine.exec(lines[end]!) ?? []
    if (rest !== undefined) inner.push(rest)
    else if (isContinued(inner, lines[end]!)) inner.push(lines[end]!)
    else break
  }
  return [nodes.blockquote!.create(null, orEmpty(blocksOf(inner, depth + 1))), end]
}

function listAt(lines: readonly string[], at: number, depth: number): Found {
  const [, , mark, number] = itemLine.exec(lines[at]!)!
  const kind = mark!.at(-1)
  const items: Node[] = []
  let end = at
  while (end < lines.length) {
    const [, indent, sign, , , gap = '', rest = ''] = itemLine.exec(lines[end]!) ?? []
    if (sign === undefined || sign.at(-1) !== kind) break
    const spaces = isBlank(rest) || gap.length > 4 ? 1 : gap.length
    const width = indent!.length + sign.length + spaces
    const inner = [(gap + rest).slice(spaces)]
    end++
    for (; end < lines.length; end++) {
      const line = lines[end]!
      if (isBlank(line)) inner.push(line.slice(width))
      else if (/^ */.exec(line)![0].length >= width) inner.push(line.slice(width))
      else if (isContinued(inner, line)) inner.push(line)
      else break
      // A list item that begins with an empty line has nothing below it.
      if (inner.length === 2 && isBlank(inner[0]!) && isBlank(line)) break
    }
    const blocks = orEmpty(blocksOf(inner, depth + 1))
    if (blocks[0]!.type !== nodes.paragraph) blocks.unshift(nodes.paragraph!.create())
    items.push(nodes.list_item!.create(null, blocks))
  }
  const list = number
    ? nodes.ordered_list!.create({ start: Number(number) }, items)
    : nodes.bullet_list!.create(null, items)
  return [list, end]
}

/** A line belongs to the paragraph before it also without the marks of its list or quote. */
function isContinued(before: readonly string[], line: string): boolean {
  const last = before.at(-1)
  if (last === undefined || isBlank(last) || isBlank(line) || interrupts(line) || itemLine.test(line)) return false
  return endsInParagraph(before)
}

function endsInParagraph(lines: readonly string[]): boolean {
  let open: string | undefined
  for (const line of lines) {
    const fenced = fenceOf(line.replace(/^[\s>]*/, ''))
    if (!fenced) continue
    if (open === undefined) open = fenced.mark
    else if (fenced.mark[0] === open[0] && fenced.mark.length >= open.length) open = undefined
  }
  return open === undefined && !headingLine.test(lines.at(-1)!)
}

/** Whether a line ends the paragraph before it. A list does so only if it has words, and begins with 1 if it is numbered. */
function interrupts(line: string): boolean {
  if (fenceOf(line) || headingLine.test(line) || quoteLine.test(line)) return true
  const [, , mark, number, , , rest = ''] = itemLine.exec(line) ?? []
  return mark !== undefined && !isBlank(rest) && (number === undefined || Number(number) === 1)
}

interface Fence {
  mark: string
  info: string
}

function fenceOf(line: string): Fence | undefined {
  const [, mark, info = ''] = fence.exec(line) ?? []
  return mark && !(mark.startsWith('`') && info.includes('`')) ? { mark, info } : undefined
}

function isBlank(line: string): boolean {
  return line.trim() === ''
}

function orEmpty(blocks: Node[]): Node[] {
  return blocks.length > 0 ? blocks : [nodes.paragraph!.create()]
}

/** A piece of a line. `count` is set if it is a run of `*` or `_` that may still begin or end something. */
interface Piece {
  text: string
  node?: Node
  marks: readonly Mark[]
  count?: number
  opens?: boolean
  closes?: boolean
  /** A `[` that may begin a link. */
  isBracket?: boolean
}

const escapable = /[!-/:-@[-`{-~]/
const linkTarget = /^\(\s*(?:<([^<>\n]*)>|((?:[^\s()\\]|\\.|\([^\s()]*\))*))(?:\s+(?:"[^"]*"|'[^']*'))?\s*\)/
const autolink = /^<((?:https?|mailto|tel):[^\s<>]*)>/i
const picture = /^!\[([^[\]\n]*)\]\(\s*(?:<([^<>\n/:]+)>|([^\s()<>/:]+))\s*\)/
const pictureName = /\.(png|jpe?g|gif|webp|avif)$/i

function inlineNodes(text: string): Node[] {
  const pieces = piecesOf(text)
  emphasise(pieces, 0)
  return pieces.flatMap(({ text, node, marks, count }) => {
    const shown = count === undefined ? text : text.slice(0, count)
    if (node) return [node.mark(marks)]
    return shown === '' ? [] : [schema.text(shown, marks)]
  })
}

function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = []
  let at = 0
  let pending = ''
  const flush = () => {
    if (pending !== '') pieces.push({ text: pending, marks: [] })
    pending = ''
  }
  while (at < text.length) {
    const char = text[at]!
    const rest = text.slice(at, at + 4000)
    if (char === '\\' && text[at + 1] === '\n') {
      flush()
      pieces.push(lineBreak())
      at += 2
    } else if (char === '\\' && escapable.test(text[at + 1] ?? '')) {
      pending += text[at + 1]
      at += 2
    } else if (char === '\n') {
      pending = pending.replace(/[ \t]+$/, '')
      flush()
      pieces.push(lineBreak())
      at++
      while (text[at] === ' ') at++
    } else if (char === '`') {
      const [run] = /^`+/.exec(text.slice(at))!
      const end = closingTicks(text, at + run.length, run.length)
      if (end === undefined) pending += run
      else {
        flush()
        const code = text.slice(at + run.length, end).replaceAll('\n', ' ')
        const isPadded = /^ .* $/.test(code) && code.trim() !== ''
        pieces.push({ text: isPadded ? code.slice(1, -1) : code, marks: [marks.code!.create()] })
      }
      at = end === undefined ? at + run.length : end + run.length
    } else if (char === '*' || char === '_') {
      flush()
      const run = runAt(text, at)
      pieces.push(run)
      at += run.count!
    } else if (char === '!' && isPicture(rest)) {
      flush()
      const [whole, alt, angled, bare] = picture.exec(rest)!
      pieces.push({ text: '', marks: [], node: nodes.picture!.create({ name: angled ?? bare, alt }) })
      at += whole.length
    } else if (char === '[') {
      flush()
      pieces.push({ text: '[', marks: [], isBracket: true })
      at++
    } else if (char === ']') {
      flush()
      const from = pieces.findLastIndex(piece => piece.isBracket)
      const href = from >= 0 ? linkAt(rest.slice(1)) : undefined
      if (href) {
        pieces.splice(from, 1)
        emphasise(pieces, from)
        for (const piece of pieces.slice(from))
          piece.marks = [marks.link!.create({ href: href.address }), ...piece.marks]
        // There are no links within links.
        for (const piece of pieces) piece.isBracket = false
        at += 1 + href.length
      } else {
        if (from >= 0) pieces[from]!.isBracket = false
        pending += ']'
        at++
      }
    } else if (char === '<' && autolink.test(rest)) {
      flush()
      const [whole, address] = autolink.exec(rest)!
      pieces.push({ text: address!, marks: [marks.link!.create({ href: address })] })
      at += whole.length
    } else {
      pending += char
      at++
    }
  }
  flush()
  return pieces
}

function lineBreak(): Piece {
  return { text: '', marks: [], node: nodes.hard_break!.create() }
}

function isPicture(rest: string): boolean {
  const [, , angled, bare] = picture.exec(rest) ?? []
  return pictureName.test(angled ?? bare ?? '')
}

function closingTicks(text: string, from: number, count: number): number | undefined {
  for (const match of text.slice(from).matchAll(/`+/g)) if (match[0].length === count) return from + match.index
}

function linkAt(rest: string): { address: string; length: number } | undefined {
  const match = linkTarget.exec(rest)
  if (!match) return undefined
  const address = (match[1] ?? match[2]!).replace(/\\([!-/:-@[-`{-~])/g, '$1')
  return isLinkAddress(address) ? { address, length: match[0].length } : undefined
}

const isSpace = (char: string) => char === '' || /\s/u.test(char)
const isPunctuation = (char: string) => /[\p{P}\p{S}]/u.test(char)

function runAt(text: string, at: number): Piece {
  const char = text[at]!
  let end = at
  while (text[end] === char) end++
  const before = /.$/su.exec(text.slice(Math.max(0, at - 2), at))?.[0] ?? ''
  const after = /^./su.exec(text.slice(end, end + 2))?.[0] ?? ''
  const isLeft = !isSpace(after) && (!isPunctuation(after) || isSpace(before) || isPunctuation(before))
  const isRight = !isSpace(before) && (!isPunctuation(before) || isSpace(after) || isPunctuation(after))
  return {
    text: text.slice(at, end),
    marks: [],
    count: end - at,
    opens: char === '*' ? isLeft : isLeft && (!isRight || isPunctuation(before)),
    closes: char === '*' ? isRight : isRight && (!isLeft || isPunctuation(after))
  }
}

/** Gives the pieces between matching runs of `*` and `_` their marks: the rules of CommonMark. */
function emphasise(pieces: Piece[], bottom: number): void {
  const lengths = pieces.map(({ text }) => text.length)
  for (let at = bottom; at < pieces.length; at++) {
    const closer = pieces[at]!
    while (closer.closes && closer.count! > 0) {
      const from = openerBefore(pieces, at, bottom, lengths)
      if (from === undefined) break
      const opener = pieces[from]!
      const used = opener.count! >= 2 && closer.count! >= 2 ? 2 : 1
      const mark = used === 2 ? marks.strong!.create() : marks.em!.create()
      for (const piece of pieces.slice(from + 1, at)) {
        if (!piece.marks.some(({ type }) => type === marks.code)) piece.marks = mark.addToSet(piece.marks)
        if (piece.count !== undefined) piece.opens = piece.closes = false
      }
      opener.count! -= used
      closer.count! -= used
    }
  }
  // What is left of them is text.
  for (const piece of pieces.slice(bottom)) if (piece.count !== undefined) piece.opens = piece.closes = false
}

function openerBefore(pieces: Piece[], at: number, bottom: number, lengths: number[]): number | undefined {
  const closer = pieces[at]!
  for (let from = at - 1; from >= bottom; from--) {
    const opener = pieces[from]!
    if (!opener.opens || !opener.count || opener.text[0] !== closer.text[0]) continue
    const isOdd = (opener.closes || closer.opens) && (lengths[from]! + lengths[at]!) % 3 === 0
    if (isOdd && !(lengths[from]! % 3 === 0 && lengths[at]! % 3 === 0)) continue
    return from
  }
}
