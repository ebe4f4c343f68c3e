import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isFormattedText, xssInMarkdown } from '../../../test/support/xss-payloads.ts'
import { renderMarkdown } from './render-markdown.ts'

const shot = { fileName: 'my shot.png', fileType: 'image/png', path: '/uploads/tickets/5f/5f0c.png' }
const sheet = { fileName: 'sheet.svg', fileType: 'image/svg+xml', path: '/uploads/tickets/5f/5f0d.svg' }
const link = (href: string, words = href) =>
  `<a href="${href}" rel="noopener noreferrer nofollow" target="_blank">${words}</a>`

const rules: [what: string, typed: string, html: string][] = [
  ['bold and italic', '**b** *i* __b__ _i_', '<p><strong>b</strong> <em>i</em> <strong>b</strong> <em>i</em></p>'],
  ['code', 'set `P0.17 = <2>`', '<p>set <code>P0.17 = &lt;2&gt;</code></p>'],
  ['a block of code', '```ini\na = 1\n  b\n```', '<pre><code>a = 1\n  b\n</code></pre>'],
  ['a list', '- a\n- b', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>'],
  ['a numbered list', '5. a\n6. b', '<ol start="5">\n<li>a</li>\n<li>b</li>\n</ol>'],
  ['a quote', '> a', '<blockquote>\n<p>a</p>\n</blockquote>'],
  ['a heading', '## Steps', '<h2>Steps</h2>'],
  ['a line', 'a\nb', '<p>a<br />\nb</p>'],
  ['a link', '[steps](https://help.example/?a=1&b=2)', `<p>${link('https://help.example/?a=1&amp;b=2', 'steps')}</p>`],
  ['a link to nothing', '[words]() ![]()', '<p>words !</p>'],
  ['an address', 'see https://help.example/a_b_c.', `<p>see ${link('https://help.example/a_b_c')}.</p>`],
  ['an e-mail address', 'ada@example.com', `<p>${link('mailto:ada@example.com', 'ada@example.com')}</p>`],
  ['a telephone number', '[call](tel:+49301234)', `<p>${link('tel:+49301234', 'call')}</p>`],
  ['a picture', '![shot](<my shot.png>)', `<p><img src="${shot.path}" alt="shot" /></p>`],
  ['a picture by its encoded name', '![](my%20shot.png)', `<p><img src="${shot.path}" alt="my shot.png" /></p>`],
  ['a picture that is no file of the message', '![shot](other.png)', '<p>![shot](other.png)</p>'],
  ['a drawing, which can run scripts', '![s](sheet.svg)', '<p>![s](sheet.svg)</p>'],
  ['a picture elsewhere', '![p](https://evil.example/p.png)', `<p>!${link('https://evil.example/p.png', 'p')}</p>`],
  ['a place of our own', '[x](/admin) [y](a.html)', '<p>[x](/admin) [y](a.html)</p>'],
  ['HTML', '<b>x</b> &lt;', '<p>&lt;b&gt;x&lt;/b&gt; &amp;lt;</p>'],
  ['a table', 'a | b\n--|--\n1 | 2', '<p>a | b<br />\n--|--<br />\n1 | 2</p>'],
  ['lines below words', 'Bye\n---\n***', '<p>Bye<br />\n---<br />\n***</p>'],
  ['words that are indented', '    Dear Ada', '<p>Dear Ada</p>'],
  ['names with underscores', 'snake_case_name 2 * 3 * 4', '<p>snake_case_name 2 * 3 * 4</p>'],
  ['names that look like addresses', 'readme.md', '<p>readme.md</p>'],
  ['escaped signs', '\\*a\\*', '<p>*a*</p>'],
  ['what others read as a reference', '[1]: https://a.example', `<p>[1]: ${link('https://a.example')}</p>`]
]

test('the common part of Markdown is formatted, and everything else stays as it was typed', () => {
  for (const [what, typed, html] of rules) assert.equal(renderMarkdown(typed, [shot, sheet]), html, what)
})

test('none of the attacks of the public lists comes through', () => {
  for (const attack of xssInMarkdown) {
    const html = renderMarkdown(attack, [{ ...shot, fileName: 'shot.png' }])

    assert.ok(isFormattedText(html), `${attack}\n${html}`)
  }
})

test('whatever is typed, the HTML has only the tags and attributes of formatted text', () => {
  const pieces =
    '* ** _ ` ``` [ ]( ) ![ > - 1. # < &lt; &#58; " \' \\ \n javascript: https:// a x.png onerror= <img <a'.split(' ')
  const typed = fc.array(fc.oneof(fc.constantFrom(...pieces, ' '), fc.string({ unit: 'binary' })), { maxLength: 40 })

  fc.assert(
    fc.property(typed, parts => isFormattedText(renderMarkdown(parts.join(''), [shot]))),
    { numRuns: 500 }
  )
})

test('no text of 100 kB becomes much longer, nor goes deeper than twenty levels', () => {
  const bombs = [
    '*a_',
    '[',
    '![',
    '[a](<',
    '>',
    '- ',
    '- a\n',
    '`a',
    '<',
    'http://',
    'a@',
    '_',
    '```\n',
    '# a\n',
    'a\n\n'
  ]
  for (const bomb of bombs) {
    const html = renderMarkdown(bomb.repeat(100_000 / bomb.length), [])

    assert.ok(html.length < 800_000, `${bomb}: ${html.length}`)
    assert.ok((html.match(/<(blockquote|ul|ol)>/g) ?? []).length <= 20, bomb)
  }
})
