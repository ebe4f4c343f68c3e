import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { renderMarkdown } from '../src/core/formatted-text/render-markdown.ts'
import { readField, writeField } from '../web/src/ui/rich-editor/field-text.ts'
import { readMarkdown } from '../web/src/ui/rich-editor/read-markdown.ts'
import { marks, nodes, schema } from '../web/src/ui/rich-editor/schema.ts'
import { writeMarkdown } from '../web/src/ui/rich-editor/write-markdown.ts'

type Node = ReturnType<typeof readMarkdown>

const shot = { fileName: 'shot.png', fileType: 'image/png', path: '/files/1' }

test('what the field shows is what the service renders of its Markdown', () => {
  fc.assert(
    fc.property(documents(), doc => {
      const { text } = writeMarkdown(doc)

      assert.equal(normal(renderMarkdown(text, [shot])), normal(htmlOf(doc)), text)
    }),
    { numRuns: 100 }
  )
})

test('a text in Markdown is the same again after it was shown', () => {
  fc.assert(
    fc.property(documents(), doc => {
      const shown = readMarkdown(writeMarkdown(doc).text)
      const { text } = writeMarkdown(shown)

      assert.equal(writeMarkdown(readMarkdown(text)).text, text)
      assert.equal(normal(htmlOf(shown)), normal(htmlOf(doc)))
    }),
    { numRuns: 100 }
  )
})

test('what people type by hand is read as the service renders it', () => {
  const texts = [
    'Dear Katharina,\nplease **switch it off**.\n\n- one\n- two\n  - below\n\n1. first\n2. second',
    'a * b * c, snake_case_name, 2*3*4, 5 < 6 & 7 > 3, ~20 %, #12',
    '> quoted\nand on\n\nafter',
    '```sh\nls *.png\n```\nafter',
    '`code` and ``a ` b`` and [link](https://example.org/a_b) and <https://example.org>',
    '***both*** and **bold *inner* bold** and *it **bo** it*',
    '# Head\ntext\n## Second #',
    '![shot](shot.png) and ![other](https://example.org/x.png)',
    '- \n- a\n\n  more\n\n      deep',
    '5. five\n6. six\n\nno\n2. list',
    '[js](javascript:alert(1)) [a](data:text/html,x) <b>no</b> &amp; &lt;',
    'under_score_ _it_ __bold__ foo__bar__',
    '* a\n+ b\n- c',
    '**a**b **"q"**x *a*b',
    'one  \ntwo\\\nthree'
  ]
  for (const text of texts) {
    const shown = htmlOf(readMarkdown(text))
    assert.equal(normal(shown), normal(renderMarkdown(text, [shot])), text)
  }
})

test('what is typed without marks stays as it is typed', () => {
  const texts = [
    '2 * 3 = 6',
    'snake_case',
    'a [note] (here)',
    'Costs < 5 € & more',
    'mail me: a_b@example.org',
    '-5 °C',
    'So #12.'
  ]
  for (const text of texts) {
    const doc = nodes.doc!.create(null, nodes.paragraph!.create(null, schema.text(text)))
    assert.equal(writeMarkdown(doc).text, text)
  }
})

test('each position of the document has its place in the text', () => {
  const doc = readMarkdown('Hello **bold** one\n\n- item\n\n`x`')

  const { text, offsetOf, positionOf } = writeMarkdown(doc)

  doc.descendants((node, position) => {
    if (!node.isText) return
    for (let at = 0; at < node.text!.length; at++) {
      assert.equal(text[offsetOf(position + at)], node.text![at])
      assert.equal(positionOf(offsetOf(position + at)), position + at)
    }
  })
})

function documents(): fc.Arbitrary<Node> {
  const words = fc
    .array(
      fc.constantFrom(
        'a',
        'b',
        'ü',
        ' ',
        '*',
        '_',
        '`',
        '[',
        ']',
        '(',
        ')',
        '<',
        '#',
        '>',
        '-',
        '+',
        '1',
        '.',
        '\\',
        '!',
        '~',
        '&',
        '"',
        '😀'
      ),
      {
        minLength: 1,
        maxLength: 8
      }
    )
    .map(chars => chars.join(''))
  const marked = fc.subarray(['strong', 'em', 'link'] as const)
  // Markdown cannot say that a bold bracket is followed by a letter, and little within words.
  const texts = fc.tuple(words, marked).map(([text, names]) =>
    schema.text(
      names.length > 0 ? `x${text}x` : text,
      names.map(name => marks[name]!.create(name === 'link' ? { href: 'https://example.org/a' } : null))
    )
  )
  const codes = words.map(text => schema.text(text, [marks.code!.create()]))
  const breaks = fc.constant(nodes.hard_break!.create())
  const pictures = fc.constant(nodes.picture!.create({ name: 'shot.png', alt: 'shot' }))
  const inline = fc.oneof({ weight: 6, arbitrary: texts }, codes, breaks, pictures)
  const paragraph = fc
    .array(inline, { minLength: 1, maxLength: 4 })
    .map(content =>
      nodes.paragraph!.create(
        null,
        content.flatMap(node => [node, schema.text(' ')])
      )
    )
    // Two breaks in a row begin a paragraph, and breaks at its edges are not seen.
    .filter(({ content }) => hasWords(content.content))
  const { block } = fc.letrec<{ block: Node; item: Node }>(tie => ({
    block: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      paragraph,
      fc.array(texts, { minLength: 1, maxLength: 2 }).map(content => nodes.heading!.create({ level: 2 }, content)),
      fc
        .array(words, { minLength: 1, maxLength: 3 })
        .map(rows => nodes.code_block!.create(null, schema.text(rows.join('\n')))),
      fc.array(tie('block'), { minLength: 1, maxLength: 2 }).map(content => nodes.blockquote!.create(null, content)),
      fc.array(tie('item'), { minLength: 1, maxLength: 3 }).map(content => nodes.bullet_list!.create(null, content)),
      fc
        .array(tie('item'), { minLength: 1, maxLength: 3 })
        .map(content => nodes.ordered_list!.create({ start: 1 }, content))
    ),
    item: fc
      .tuple(paragraph, fc.array(tie('block'), { maxLength: 1 }))
      .map(([first, rest]) => nodes.list_item!.create(null, [first, ...rest]))
  }))
  return fc.array(block, { minLength: 1, maxLength: 3 }).map(content => nodes.doc!.create(null, content))
}

function hasWords(content: readonly Node[]): boolean {
  const text = content.map(node => (node.type === nodes.hard_break ? '\n' : (node.text ?? 'x'))).join('')
  return text.split('\n').every(line => line.trim() !== '')
}

/** The HTML of a document, as the service would write it. */
function htmlOf(node: Node): string {
  const inside = node.content.content.map(htmlOf).join('')
  switch (node.type) {
    case schema.nodes.text:
      return node.marks.reduceRight(
        (html, { type, attrs }) =>
          type === marks.link ? `<a href="${attrs.href}">${html}</a>` : `<${type.name}>${html}</${type.name}>`,
        escaped(node.text!)
      )
    case nodes.hard_break:
      return '<br />'
    case nodes.picture:
      return node.attrs.name === 'shot.png' ? `<img src="/files/1" alt="${node.attrs.alt || 'shot.png'}" />` : ''
    case nodes.paragraph:
      return `<p>${inside}</p>`
    case nodes.heading:
      return `<h${node.attrs.level}>${inside}</h${node.attrs.level}>`
    case nodes.code_block:
      return `<pre><code>${inside}\n</code></pre>`
    case nodes.blockquote:
      return `<blockquote>${inside}</blockquote>`
    case nodes.bullet_list:
      return `<ul>${inside}</ul>`
    case nodes.ordered_list:
      return `<ol${node.attrs.start === 1 ? '' : ` start="${node.attrs.start}"`}>${inside}</ol>`
    case nodes.list_item:
      return `<li>${inside}</li>`
    default:
      return inside
  }
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** What is seen of it: each character with the elements around it, whatever their order is. Spaces at the edges of lines are not seen. */
function normal(html: string): string {
  const open: string[] = []
  const seen: string[] = []
  for (const [, tag, entity, char] of html.matchAll(/<([^>]*)>|(&\w+;)|([^<])/gsu)) {
    if (tag === undefined) {
      const text = entity ?? char!
      const around = open.filter(name => name !== 'p').toSorted()
      const isSpace = /\s/.test(text) && !around.includes('code')
      seen.push(isSpace ? ' ' : `${text}{${around}}`)
    } else if (tag.startsWith('/')) {
      open.pop()
      if (!isInline(tag.slice(1))) seen.push('\n')
    } else if (tag.endsWith('/')) seen.push(tag.startsWith('img') ? `<${tag}>` : '\n')
    else {
      const name = tag.replace(/ (rel|target)="[^"]*"/g, '').replace(/ class="[^"]*"/, '')
      if (!isInline(name.split(' ')[0]!)) seen.push('\n')
      open.push(name)
    }
  }
  return seen
    .join('')
    .replace(/ *\n+ */g, '\n')
    .replace(/ *\n[ \n]*/g, '\n')
    .trim()
}

function isInline(name: string): boolean {
  return ['strong', 'em', 'code', 'a'].includes(name)
}

test('the blanks at the ends of a text stay in the field, and its end is its end', () => {
  for (const text of [' off', 'Hello ', '  one  two  ', '- item ', '   ', '', ' **bold** ', 'one\n\ntwo ']) {
    const doc = readField(text)
    const written = writeField(doc)

    assert.equal(written.text, text)
    assert.equal(written.offsetOf(written.positionOf(text.length)), text.length, text)
  }
  assert.equal(readField('Hello\n').childCount, 2)
})
