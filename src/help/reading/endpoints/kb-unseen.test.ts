import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aCategory, anArticle } from '../../../../test/support/articles.ts'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../../test/support/people.ts'

const desk = await bootDesk()
const [admin, ada, supporter] = [await anAdmin(desk), await aClient(desk), await aSupporter(desk, 'clients.view')]
const ask = (name: string, body: object = {}, by?: Person) => desk.post(`/api/kb/${name}`, by, body)
const idsOf = ({ data }: { data: { articles: { id: number }[] } }) => data.articles.map(({ id }) => id)

test('K1 K8 suggestions do not tell which words stand in articles that the reader may not see', async () => {
  const category_id = await aCategory(desk, admin)
  const write = async (title: string, audience?: 'clients' | 'staff') =>
    (
      await anArticle(desk, admin, {
        category_id,
        ...(audience && { audience }),
        texts: { en: { title, markdown: title } }
      })
    ).id
  const open = await write('Photovoltaic')
  await write('Layoffs', 'staff')
  await write('Surcharge', 'clients')
  for (let number = 0; number < 5; number++) await write(`Filler number ${number}`)

  for (const [reader, word] of [
    [undefined, 'layoffs'],
    [undefined, 'surcharge'],
    [ada, 'layoffs']
  ] as const) {
    const known = idsOf(await ask('suggest', { subject: `photovoltaic ${word}` }, reader))
    const unknown = idsOf(await ask('suggest', { subject: 'photovoltaic quagga' }, reader))
    assert.deepEqual([known, unknown], [[open], [open]], word)
  }
  assert.deepEqual(idsOf(await ask('suggest', { subject: 'layoffs' }, supporter)).length, 1)
})

test('K3 an address that an unseen article has in another language does not hide the one that is seen', async () => {
  const hidden = { de: { title: 'Geheim', markdown: 'Geheim.', slug: 'one-address' } }
  const shown = { en: { title: 'Open', markdown: 'Open.', slug: 'one-address' } }
  await anArticle(desk, admin, { texts: hidden, isDraft: true })
  const { id } = await anArticle(desk, admin, { texts: shown })
  const read = (locale: string) => ask('article', { slug: 'one-address', locale })

  assert.deepEqual([(await read('en')).data.article.id, (await read('de')).data?.article?.id], [id, id])
})
