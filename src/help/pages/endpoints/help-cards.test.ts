import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aCategory, anArticle } from '../../../../test/support/articles.ts'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin } from '../../../../test/support/people.ts'

const desk = await bootDesk()
const admin = await anAdmin(desk)

test('a card of the first page names the three articles that helped most, and says that they did', async () => {
  const category_id = await aCategory(desk, admin, { name: { en: 'Inverters & more', de: 'Wechselrichter' } })
  const ids: number[] = []
  for (let number = 1; number <= 6; number++) {
    const texts = { en: { title: `Article number ${number}`, markdown: 'Words.' } }
    ids.push((await anArticle(desk, admin, { category_id, texts })).id)
  }
  const answers: [number, 0 | 1][] = [
    [5, 1],
    [5, 1],
    [3, 1],
    [2, 0]
  ]
  for (const [at, is_helpful] of answers) {
    const said = { article_id: ids[at], locale: 'en', is_helpful }
    assert.equal((await desk.post('/api/kb/feedback', await aClient(desk), said)).status, 200)
  }

  const pages = await Promise.all(['en', 'de'].map(async locale => (await fetch(`${desk.url}/help/${locale}`)).text()))
  const [named] = /<ul aria-label="What helped most: Inverters &#38; more">.*?<\/ul>/.exec(pages[0]!) ?? ['']

  assert.deepEqual(
    [...named.matchAll(/Article number (\d)/g)].map(([, number]) => number),
    ['6', '4', '1']
  )
  assert.match(pages[1]!, /<ul aria-label="Was am meisten half: Wechselrichter">/)
})
