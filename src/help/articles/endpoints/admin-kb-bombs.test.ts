import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aCategory } from '../../../../test/support/articles.ts'
import { bootDesk } from '../../../../test/support/desk.ts'
import { anAdmin } from '../../../../test/support/people.ts'

const desk = await bootDesk()
const admin = await anAdmin(desk)
const most = 100_000
const filledWith = (part: string) => part.repeat(Math.floor(most / part.length))

const bombs = {
  'marks that never end': filledWith('*a_'),
  'quotes in quotes': filledWith('>'),
  'lists in lists': Array.from({ length: 400 }, (_, depth) => `${' '.repeat(depth)}- a`)
    .join('\n')
    .slice(0, most),
  'numbered lists in one line': filledWith('1. '),
  brackets: filledWith('[a]('),
  'brackets in brackets': filledWith('['),
  'a table of many columns': `${'|a'.repeat(6_000)}|\n${'|-'.repeat(6_000)}|\n${'|b\n'.repeat(20_000)}`.slice(0, most),
  'a table of many rows': `|a|b|\n|-|-|\n${filledWith('|1|2|\n')}`.slice(0, most),
  'headings of one name': filledWith('# a\n'),
  'code that never ends': filledWith('`a``'),
  'references to themselves': filledWith('[a]: /a\n'),
  entities: filledWith('&lt;'),
  'addresses in angles': filledWith('<http://a.b/')
}

test('a text that is made to be much work is shown or refused as any other, and the desk goes on', async () => {
  const category_id = await aCategory(desk, admin)
  for (const [what, markdown] of Object.entries(bombs)) {
    const shown = await desk.post('/api/admin/kb/articles/preview', admin, { markdown })
    const texts = { en: { title: what, markdown } }
    const saved = await desk.post('/api/admin/kb/articles/create', admin, { category_id, texts })

    assert.ok([200, 400].includes(shown.status), `${what}: ${shown.status}`)
    assert.equal(saved.status, shown.status === 200 ? 201 : 400, what)
    if (shown.status === 200) assert.ok(shown.data.html.length <= 500_000, what)
    assert.equal((await desk.post('/api/check')).status, 200)
  }
})
