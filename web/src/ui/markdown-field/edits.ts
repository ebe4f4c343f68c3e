import type { Format } from '../rich-editor/commands.ts'

/** A piece of a text that another one replaces, and what is selected then. */
export interface Edit {
  from: number
  to: number
  text: string
  selection: Selection
}

export type Selection = readonly [from: number, to: number]

const inlineMarks = { bold: '**', italic: '*', code: '`' }
const lineMarks = {
  heading: { pattern: /^#{1,6} +/, mark: () => '## ' },
  list: { pattern: /^[-*+] +/, mark: () => '- ' },
  numbered: { pattern: /^\d{1,9}[.)] +/, mark: (number: number) => `${number}. ` },
  quote: { pattern: /^> ?/, mark: () => '> ' }
}
type LineFormat = keyof typeof lineMarks

/** Gives what is selected a format, or takes it away where it has it. */
export function formatted(text: string, selection: Selection, format: Format): Edit {
  if (format in lineMarks) return toggledLines(text, selection, format as LineFormat)
  const [from, to] = linesAround(text, selection)
  const isBlock = text.slice(...selection).includes('\n') || text.slice(from, to).trim() === ''
  if (format === 'code' && (isBlock || fencesAround(text, [from, to]))) return toggledFences(text, [from, to])
  return toggledMarks(text, selection, format as keyof typeof inlineMarks)
}

/** The formats of what is selected. */
export function formatsAt(text: string, selection: Selection): Set<Format> {
  const has = new Set<Format>()
  const inner = innermost(text, selection)
  for (const format of ['bold', 'italic', 'code'] as const) if (isMarked(text, inner, format)) has.add(format)
  const lines = linesAround(text, selection)
  for (const format of Object.keys(lineMarks) as LineFormat[])
    if (haveMarks(text.slice(...lines).split('\n'), format)) has.add(format)
  if (fencesAround(text, lines)) has.add('code')
  return has
}

/** The link that is selected, or in which the caret stands. */
export function linkAt(text: string, selection: Selection): (Edit & { href: string }) | undefined {
  return pairAt(text, selection, /(?<!!)\[((?:[^\]\n\\]|\\.)*)\]\(([^()\s]*|<[^<>\n]*>)\)/g)
}

/** The picture that is selected, or in which the caret stands. Its `text` is its description. */
export function pictureAt(text: string, selection: Selection): (Edit & { href: string }) | undefined {
  return pairAt(text, selection, /!\[((?:[^\]\n\\]|\\.)*)\]\(([^()\s]*|<[^<>\n]*>)\)/g)
}

/** Makes what is selected a link, leads a link elsewhere, or makes it words again. */
export function linked(text: string, selection: Selection, href: string | undefined): Edit {
  const {
    from,
    to,
    text: words
  } = linkAt(text, selection) ?? {
    ...{ from: selection[0], to: selection[1] },
    text: escaped(text.slice(...selection))
  }
  if (href === undefined) return { from, to, text: words, selection: [from, from + words.length] }
  const shown = words || escaped(href.replace(/^(mailto|tel):/, ''))
  const made = `[${shown}](${/[()\s]/.test(href) ? `<${href.replace(/[\s<>]/g, encodeURIComponent)}>` : href})`
  return { from, to, text: made, selection: [from + made.length, from + made.length] }
}

/** Says what can be seen in the picture at the caret. */
export function described(text: string, selection: Selection, description: string): Edit | undefined {
  const picture = pictureAt(text, selection)
  if (!picture) return undefined
  const made = `![${escaped(description.replace(/\s+/g, ' ').trim())}](${picture.href})`
  const at = picture.from + made.length
  return { from: picture.from, to: picture.to, text: made, selection: [at, at] }
}

/** A picture in a paragraph of its own, or within the line in whose middle it comes. Its description is selected. */
export function pictured(
  text: string,
  at: number,
  { href, description }: Record<'href' | 'description', string>
): Edit {
  const [start, end] = linesAround(text, [at, at])
  const gap = at === end && text.slice(start, at).trim() !== '' ? '\n\n' : ''
  const alt = escaped(description)
  const from = at + gap.length + 2
  return { from: at, to: at, text: `${gap}![${alt}](${href})`, selection: [from, from + alt.length] }
}

/** Enter within a list or a quote goes on with it, and ends it where nothing has been written. */
export function continued(text: string, [at, to]: Selection): Edit | undefined {
  const [start] = linesAround(text, [at, at])
  const [mark, indent, sign, number] = /^(\s*)(>|[-*+]|(\d{1,9})[.)]) +/.exec(text.slice(start, at)) ?? []
  if (mark === undefined) return undefined
  const end = linesAround(text, [at, to])[1]
  if (at === to && text.slice(start + mark.length, end).trim() === '')
    return { from: start, to: end, text: '', selection: [start, start] }
  const next = number === undefined ? sign! : sign!.replace(number, String(Number(number) + 1))
  const made = `\n${indent}${next} `
  return { from: at, to, text: made, selection: [at + made.length, at + made.length] }
}

function toggledMarks(text: string, selection: Selection, format: keyof typeof inlineMarks): Edit {
  const mark = inlineMarks[format]
  const width = mark.length
  const [from, to] = innermost(text, selection)
  const words = text.slice(from, to)
  if (isMarked(text, [from, to], format)) {
    const selected = [from - width, to - width] as const
    return { from: from - width, to: to + width, text: words, selection: selected }
  }
  // Marks do not reach from one paragraph into another.
  const made = words
    .split(/(\n\s*\n)/)
    .map((part, at) => (at % 2 === 1 ? part : `${mark}${part}${mark}`))
    .join('')
  return { from, to, text: made, selection: [from + width, from + made.length - width] }
}

/** What is selected without the blanks and marks at its edges. */
function innermost(text: string, [from, to]: Selection): Selection {
  const words = text.slice(from, to)
  if (words.trim() === '') return [from, to]
  let start = from + words.length - words.trimStart().length
  let end = to - (words.length - words.trimEnd().length)
  while (end - start > 2 && /[*`]/.test(text[start]!) && text[start] === text[end - 1]) {
    start++
    end--
  }
  return [start, end]
}

/** One asterisk on each side is italic, two are bold, three are both. */
function isMarked(text: string, [from, to]: Selection, format: keyof typeof inlineMarks): boolean {
  const sign = inlineMarks[format][0]!
  let count = 0
  while (text[from - 1 - count] === sign && text[to + count] === sign) count++
  if (format === 'italic') return count === 1 || count === 3
  return count >= inlineMarks[format].length
}

function toggledLines(text: string, selection: Selection, format: LineFormat): Edit {
  const [from, to] = linesAround(text, selection)
  const lines = text.slice(from, to).split('\n')
  const isOn = haveMarks(lines, format)
  const isEmpty = lines.every(line => line.trim() === '')
  let number = 0
  const made = lines
    .map(line => {
      if (line.trim() === '' && !isEmpty) return line
      const [, indent, words] = /^(\s*)(.*)$/.exec(line)!
      const bare = withoutMark(words!, format)
      return isOn ? indent! + bare : indent! + lineMarks[format].mark(++number) + bare
    })
    .join('\n')
  if (lines.length > 1) return { from, to, text: made, selection: [from, from + made.length] }
  const moved = made.length - (to - from)
  const place = (at: number) => Math.max(from, at + moved)
  return { from, to, text: made, selection: [place(selection[0]), place(selection[1])] }
}

/** A line is a heading or an item of one kind of list alone. */
function withoutMark(words: string, format: LineFormat): string {
  if (format === 'quote') return words.replace(lineMarks.quote.pattern, '')
  const { heading, list, numbered } = lineMarks
  return words.replace(heading.pattern, '').replace(list.pattern, '').replace(numbered.pattern, '')
}

function haveMarks(lines: readonly string[], format: LineFormat): boolean {
  const filled = lines.filter(line => line.trim() !== '')
  return filled.length > 0 && filled.every(line => lineMarks[format].pattern.test(line.trimStart()))
}

function toggledFences(text: string, [from, to]: Selection): Edit {
  const fences = fencesAround(text, [from, to])
  const code = text.slice(from, to)
  if (fences) return { ...fences, text: code, selection: [fences.from, fences.from + code.length] }
  return { from, to, text: `\`\`\`\n${code}\n\`\`\``, selection: [from + 4, from + 4 + code.length] }
}

/** The lines of backticks right above and below these lines. */
function fencesAround(text: string, [from, to]: Selection): { from: number; to: number } | undefined {
  const [above] = /(?:^|(?<=\n))```[^\n`]*\n$/.exec(text.slice(0, from)) ?? []
  const [below] = /^\n```[ \t]*(?=\n|$)/.exec(text.slice(to)) ?? []
  return above && below ? { from: from - above.length, to: to + below.length } : undefined
}

function pairAt(text: string, [from, to]: Selection, pattern: RegExp): (Edit & { href: string }) | undefined {
  const [start, end] = linesAround(text, [from, to])
  for (const match of text.slice(start, end).matchAll(pattern)) {
    const at = start + match.index
    const after = at + match[0].length
    if (from < at || to > after) continue
    const href = match[2]!.replace(/^<(.*)>$/, '$1')
    return { from: at, to: after, text: match[1]!, href, selection: [at, after] }
  }
}

/** The whole lines of what is selected, without a line of which only the beginning is. */
function linesAround(text: string, [from, to]: Selection): [number, number] {
  const last = to > from && text[to - 1] === '\n' ? to - 1 : to
  const end = text.indexOf('\n', last)
  return [text.lastIndexOf('\n', from - 1) + 1, end < 0 ? text.length : end]
}

function escaped(words: string): string {
  return words.replace(/[[\]\\]/g, '\\$&')
}
