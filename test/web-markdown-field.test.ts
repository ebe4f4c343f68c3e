import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  continued,
  described,
  type Edit,
  formatsAt,
  formatted,
  linkAt,
  linked,
  pictured,
  type Selection
} from '../web/src/ui/markdown-field/edits.ts'
import type { Format } from '../web/src/ui/rich-editor/commands.ts'

/** `a [b] c`: ⟦ and ⟧ are the edges of what is selected, ‸ is a caret. */
function read(shown: string): [text: string, selection: Selection] {
  const text = shown.replace(/[⟦⟧‸]/g, '')
  const from = shown.search(/[⟦‸]/)
  const end = shown.replace('⟦', '').indexOf('⟧')
  return [text, [from, end < 0 ? from : end]]
}

function shown(text: string, edit: Edit | undefined): string | undefined {
  if (!edit) return undefined
  const now = text.slice(0, edit.from) + edit.text + text.slice(edit.to)
  const [from, to] = edit.selection
  if (from === to) return `${now.slice(0, from)}‸${now.slice(from)}`
  return `${now.slice(0, from)}⟦${now.slice(from, to)}⟧${now.slice(to)}`
}

function pressed(given: string, format: Format): string {
  const [text, selection] = read(given)
  return shown(text, formatted(text, selection, format))!
}

test('a mark comes around what is selected, without its blanks, and goes when it is pressed again', () => {
  assert.equal(pressed('It is ⟦red ⟧now', 'bold'), 'It is **⟦red⟧** now')
  assert.equal(pressed('It is **⟦red⟧** now', 'bold'), 'It is ⟦red⟧ now')
  assert.equal(pressed('It is ⟦**red**⟧ now', 'bold'), 'It is ⟦red⟧ now')
  assert.equal(pressed('‸', 'bold'), '**‸**')
  assert.equal(pressed('**‸**', 'bold'), '‸')
  assert.equal(pressed('⟦x⟧', 'code'), '`⟦x⟧`')
  assert.equal(pressed('⟦One.\n\nTwo.⟧', 'italic'), '*⟦One.*\n\n*Two.⟧*')
})

test('bold and italic words are told apart: three asterisks are both', () => {
  assert.equal(pressed('**⟦red⟧**', 'italic'), '***⟦red⟧***')
  assert.equal(pressed('***⟦red⟧***', 'bold'), '*⟦red⟧*')
  assert.equal(pressed('***⟦red⟧***', 'italic'), '**⟦red⟧**')
  assert.deepEqual([...formatsAt(...read('***⟦red⟧***'))], ['bold', 'italic'])
  assert.deepEqual([...formatsAt(...read('**⟦red⟧**'))], ['bold'])
})

test('lines become a list, a numbered list, a quote or a heading, and lines again', () => {
  assert.equal(pressed('⟦One\n\nTwo⟧', 'list'), '⟦- One\n\n- Two⟧')
  assert.equal(pressed('⟦- One\n- Two⟧', 'numbered'), '⟦1. One\n2. Two⟧')
  assert.equal(pressed('⟦1. One\n2. Two⟧', 'numbered'), '⟦One\nTwo⟧')
  assert.equal(pressed('Look ‸first', 'heading'), '## Look ‸first')
  assert.equal(pressed('# Look ‸first', 'heading'), 'Look ‸first')
  assert.equal(pressed('- Look ‸first', 'heading'), '## Look ‸first')
  assert.equal(pressed('‸', 'quote'), '> ‸')
  assert.equal(pressed('⟦One\n⟧Two', 'list'), '- ⟦One\n⟧Two')
  assert.deepEqual([...formatsAt(...read('> quo‸ted'))], ['quote'])
})

test('code of several lines, or on an empty line, stands between fences', () => {
  assert.equal(pressed('⟦a\nb⟧', 'code'), '```\n⟦a\nb⟧\n```')
  assert.equal(pressed('```\n⟦a\nb⟧\n```', 'code'), '⟦a\nb⟧')
  assert.equal(pressed('```sh\na‸\n```', 'code'), '⟦a⟧')
  assert.equal(pressed('‸', 'code'), '```\n‸\n```')
})

test('a link is made of words, led elsewhere, and made words again', () => {
  const put = (given: string, href: string | undefined) => {
    const [text, selection] = read(given)
    return shown(text, linked(text, selection, href))
  }
  assert.equal(put('See ⟦the steps⟧.', 'https://a.example/x'), 'See [the steps](https://a.example/x)‸.')
  assert.equal(put('‸', 'mailto:a@b.example'), '[a@b.example](mailto:a@b.example)‸')
  assert.equal(put('[the s‸teps](https://a.example)', '/help/en'), '[the steps](/help/en)‸')
  assert.equal(put('[the s‸teps](https://a.example)', undefined), '⟦the steps⟧')
  assert.equal(put('⟦a [b]⟧', 'https://a.example/(x)'), '[a \\[b\\]](<https://a.example/(x)>)‸')
  assert.equal(linkAt(...read('![a‸](/help/files/x.png)')), undefined)
})

test('a picture stands in a paragraph of its own with its description selected, which can be said later', () => {
  const put = (given: string, description: string) => {
    const [text, [at]] = read(given)
    return shown(text, pictured(text, at, { href: '/help/files/x.png', description }))
  }
  assert.equal(put('Look:‸', 'relay'), 'Look:\n\n![⟦relay⟧](/help/files/x.png)')
  assert.equal(put('Look ‸here', 'relay'), 'Look ![⟦relay⟧](/help/files/x.png)here')
  assert.equal(put('‸', ''), '![‸](/help/files/x.png)')
  const [text, selection] = read('A ![re‸lay](/help/files/x.png)')
  assert.equal(
    shown(text, described(text, selection, 'The [grey] relay')),
    'A ![The \\[grey\\] relay](/help/files/x.png)‸'
  )
  assert.equal(described('None', [1, 1], 'x'), undefined)
})

test('Enter goes on with a list or a quote, and ends it on an empty item', () => {
  const enter = (given: string) => {
    const [text, selection] = read(given)
    return shown(text, continued(text, selection))
  }
  assert.equal(enter('- One‸'), '- One\n- ‸')
  assert.equal(enter('9. Nine‸'), '9. Nine\n10. ‸')
  assert.equal(enter('> Said‸'), '> Said\n> ‸')
  assert.equal(enter('  - One ‸more'), '  - One \n  - ‸more')
  assert.equal(enter('- One\n- ‸'), '- One\n‸')
  assert.equal(enter('Words‸'), undefined)
  assert.equal(enter('**Bold‸**'), undefined)
})
