import type { Mark, Node } from 'prosemirror-model'
import { readMarkdown } from './read-markdown.ts'
import { marks, nodes } from './schema.ts'

/** A document as Markdown. Positions in it and in the text belong together. */
export interface Written {
  text: string
  /** The place in the text of a position in the document. */
  offsetOf(position: number): number
  positionOf(offset: number): number
}

/** The Markdown of a document. Characters that would be read as marks are escaped, all others stay as they are typed. */
export function writeMarkdown(doc: Node): Written {
  // Positions and their places in the text, both growing.
  const positions: number[] = [0]
  const offsets: number[] = [0]
  let text = ''

  function put(position: number): void {
    positions.push(position)
    offsets.push(text.length)
  }

  function blocks(parent: Node, start: number, prefix: string, isTight: boolean): void {
    let former: Node | undefined
    let isOther = false
    parent.forEach((node, offset) => {
      if (former) {
        const isListBelow = isTight && isList(node)
        text += isListBelow ? `\n${prefix}` : `\n${prefix.trimEnd()}\n${prefix}`
      }
      // Two lists, one after the other, would be one if they had the same marks.
      isOther = former?.type === node.type && isList(node) && !isOther
      block(node, start + offset, prefix, isOther)
      former = node
    })
  }

  function block(node: Node, position: number, prefix: string, isOther: boolean): void {
    const start = position + 1
    if (node.type === nodes.blockquote) {
      text += '> '
      blocks(node, start, `${prefix}> `, false)
    } else if (isList(node)) items(node, start, prefix, isOther)
    else if (node.type === nodes.code_block) code(node, start, prefix)
    else words(node, start, prefix)
  }

  function items(list: Node, start: number, prefix: string, isOther: boolean): void {
    list.forEach((item, offset, index) => {
      if (index > 0) text += `\n${prefix}`
      const bullet = isOther ? '*' : '-'
      const mark = list.type === nodes.bullet_list ? `${bullet} ` : `${list.attrs.start + index}${isOther ? ')' : '.'} `
      text += mark
      blocks(item, start + offset + 1, prefix + ' '.repeat(mark.length), true)
    })
  }

  function code(node: Node, start: number, prefix: string): void {
    const ticks = Math.max(3, ...[...node.textContent.matchAll(/`+/g)].map(([run]) => run.length + 1))
    text += `${'`'.repeat(ticks)}${node.attrs.language}\n${prefix}`
    put(start)
    ;[...node.textContent].reduce((at, char) => {
      text += char === '\n' ? `\n${prefix}` : char
      put(at + char.length)
      return at + char.length
    }, start)
    text += `\n${prefix}${'`'.repeat(ticks)}`
  }

  function words(node: Node, start: number, prefix: string): void {
    if (node.type === nodes.heading) text += `${'#'.repeat(node.attrs.level)} `
    const line = inlineOf(node)
    let from = 0
    line.places.forEach((place, at) => {
      text += line.text.slice(from, place).replaceAll('\n', `\n${prefix}`)
      from = place
      put(start + at)
    })
    text += line.text.slice(from).replaceAll('\n', `\n${prefix}`)
  }

  blocks(doc, 0, '', false)
  return {
    text,
    offsetOf: position => offsets[lastUpTo(positions, position)]!,
    positionOf: offset => positions[lastUpTo(offsets, offset)]!
  }
}

/** The index of the last entry that is at most this. */
function lastUpTo(sorted: readonly number[], most: number): number {
  let low = 0
  let high = sorted.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (sorted[middle]! <= most) low = middle
    else high = middle - 1
  }
  return low
}

function isList({ type }: Node): boolean {
  return type === nodes.bullet_list || type === nodes.ordered_list
}

/** A line in Markdown, and where each of its positions is. */
interface Line {
  text: string
  places: number[]
}

interface Style {
  /** Escapes all that could be a mark. */
  isEscaped: boolean
  em: '*' | '_'
  /** What bold and italic words do not begin or end with. */
  edge: RegExp
  /** Bold and italic words lie within a link, also where they last longer. */
  isLinkAround: boolean
}

const plain: Style = { isEscaped: false, em: '*', edge: /\s/, isLinkAround: false }
const styles: Style[] = [plain, { ...plain, isEscaped: true }].flatMap(style => [
  style,
  { ...style, em: '_' },
  { ...style, isLinkAround: true },
  { ...style, em: '_', isLinkAround: true }
])
/** Markdown cannot say that a bold bracket is followed by a letter: then the bracket is not bold. */
const simplest: Style = { ...plain, isEscaped: true, edge: /[\s\p{P}\p{S}]/u }
const lines = new WeakMap<Node, Line>()

/** The simplest way to write a line that is read as the same again. A line stays as it is until it changes. */
function inlineOf(node: Node): Line {
  const known = lines.get(node)
  if (known) return known
  const isPlain = node.content.content.every(
    ({ isText, text, marks }) => isText && marks.length === 0 && !mayMark.test(text!)
  )
  const line = isPlain
    ? lineIn(node, plain)
    : (styles.map(style => lineIn(node, style)).find(({ text }) => isReadAs(text, node)) ?? lineIn(node, simplest))
  lines.set(node, line)
  return line
}

const mayMark = /[\\`*_[\]<>#~]|^\s*[-+\d]/

function isReadAs(text: string, node: Node): boolean {
  const isHeading = node.type === nodes.heading
  const doc = readMarkdown(isHeading ? `${'#'.repeat(node.attrs.level)} ${text}` : text)
  const [first] = doc.content.content
  if (doc.childCount !== 1 || first!.type !== node.type) return false
  return shapeOf(first!) === shapeOf(node)
}

/** The characters with their marks. Spaces at the edges of lines and marks do not count. */
function shapeOf(node: Node): string {
  return unitsOf(node)
    .map(({ text, marks, node }) => {
      if (node) return node.type === nodes.hard_break ? '\n' : `{${node.attrs.name}|${node.attrs.alt}}`
      if (text === ' ' && !marks.some(({ type }) => type === codeMark)) return ' '
      return `${text}${marks.map(({ type, attrs }) => `<${type.name}${attrs.href ?? ''}>`).join('')}`
    })
    .join('\u0000')
    .replace(/(\0? )*\0?\n(\0? )*/g, '\n')
    .replace(/^(\0? )+\0?|(\0? )+$/g, '')
}

const codeMark = marks.code

interface Unit {
  text: string
  node?: Node
  marks: readonly Mark[]
}

function unitsOf(node: Node): Unit[] {
  return node.content.content.flatMap(child =>
    child.isText
      ? [...child.text!].map(text => ({ text, marks: child.marks }))
      : [{ text: '', node: child, marks: child.marks }]
  )
}

function lineIn(node: Node, { isEscaped, em, edge, isLinkAround }: Style): Line {
  const units = unitsOf(node)
  expel(units, edge)
  const open: Mark[] = []
  const places: number[] = []
  let text = ''
  units.forEach((unit, at) => {
    closeTo(unit.marks)
    for (const mark of opening(units, at, open, isLinkAround)) {
      text += opened(mark, units, at)
      open.push(mark)
    }
    places.push(text.length)
    // A character beyond the first plane has two positions.
    if (unit.text.length === 2) places.push(text.length)
    text += written(unit, text)
  })
  closeTo([])
  places.push(text.length)
  return { text, places }

  function closeTo(kept: readonly Mark[]): void {
    const ended = open.findIndex(mark => !mark.isInSet(kept))
    if (ended < 0) return
    for (const mark of open.splice(ended).reverse()) text += closed(mark)
  }

  function opened(mark: Mark, units: Unit[], at: number): string {
    if (mark.type === codeMark) return ticksFor(units, at)
    return mark.type === marks.link ? '[' : delimiter(mark)
  }

  function closed(mark: Mark): string {
    if (mark.type === codeMark) return currentTicks.split('').reverse().join('')
    return mark.type === marks.link ? `](${target(mark.attrs.href)})` : delimiter(mark)
  }

  function delimiter({ type }: Mark): string {
    return type === marks.strong ? '**' : em
  }

  function written({ text: char, node: leaf, marks }: Unit, before: string): string {
    if (leaf?.type === nodes.hard_break) return '\n'
    // The service does not show them either.
    if (/\s/.test(char) && before.trim() === '') return ''
    if (leaf) return `![${leaf.attrs.alt.replace(/[[\]\n]/g, ' ')}](${pictureTarget(leaf.attrs.name)})`
    if (!isEscaped || marks.some(({ type }) => type === codeMark)) return char
    const line = before.slice(before.lastIndexOf('\n') + 1)
    const isHash = char === '#' && node.type === nodes.heading
    const isMark = isHash || /[\\`*_[\]<]/.test(char) || (/[#>+~-]/.test(char) && line.trim() === '')
    return isMark || (/[.)]/.test(char) && /^\s*\d{1,9}$/.test(line)) ? `\\${char}` : char
  }
}

let currentTicks = ''

/** The backticks that begin a piece of code: more than it has in a row. */
function ticksFor(units: readonly Unit[], at: number): string {
  const rest = units.slice(at)
  const end = rest.findIndex(({ marks }) => !marks.some(({ type }) => type === codeMark))
  const code = rest
    .slice(0, end < 0 ? undefined : end)
    .map(({ text }) => text)
    .join('')
  const runs = new Set([...code.matchAll(/`+/g)].map(([run]) => run.length))
  let count = 1
  while (runs.has(count)) count++
  const isPadded = /^`|`$|^ .* $/.test(code) && code.trim() !== ''
  currentTicks = '`'.repeat(count) + (isPadded ? ' ' : '')
  return currentTicks
}

/** Spaces at the edges of bold and italic words go out of them: `**so **` is not bold. */
function expel(units: Unit[], edge: RegExp): void {
  for (const type of [marks.strong!, marks.em!]) {
    const has = (at: number) => units[at]?.marks.some(mark => mark.type === type) ?? false
    const isEmpty = ({ text, node }: Unit) => edge.test(text) || node?.type === nodes.hard_break
    const drop = (at: number) => {
      units[at] = { ...units[at]!, marks: type.removeFromSet(units[at]!.marks) }
    }
    for (let at = 0; at < units.length; at++) if (has(at) && !has(at - 1) && isEmpty(units[at]!)) drop(at)
    for (let at = units.length - 1; at >= 0; at--) if (has(at) && !has(at + 1) && isEmpty(units[at]!)) drop(at)
  }
}

/** The marks that begin here, those that last longer first. */
function opening(units: readonly Unit[], at: number, open: readonly Mark[], isLinkAround: boolean): Mark[] {
  const lasts = (mark: Mark) => {
    if (mark.type === codeMark) return 0
    if (mark.type === marks.link && isLinkAround) return units.length + 1
    let end = at
    while (units[end] && mark.isInSet(units[end]!.marks)) end++
    return end
  }
  const beginning = units[at]!.marks.filter(mark => !mark.isInSet(open))
  if (beginning.length < 2) return beginning
  return beginning.toSorted((one, other) => lasts(other) - lasts(one))
}

function target(href: string): string {
  return /[\s()<>\\*_]/.test(href) ? `<${href.replace(/[\s<>]/g, encodeURIComponent)}>` : href
}

function pictureTarget(name: string): string {
  return /[\s()]/.test(name) ? `<${name}>` : name
}
