import { expectAccessibleInEachWindow } from '../support/axe.ts'
import { type Desk, expect, test } from '../support/test.ts'

const markdown = `E-042 says that the inverter lost its **earth** reference for a moment. See [the manual](https://example.com/manual).

## Try this first

1. Switch the DC side off, with the grey lever under the inverter.
2. Wait two minutes. The green light must be out.

## If it comes back

| Firmware | What to do |
|---|---|
| 8.1 | Wait for \`8.1.2\` |

> Your battery keeps working.

\`\`\`
reset --all --a-very-long-option=with-a-value-that-does-not-fit-into-the-window-of-a-telephone
\`\`\`

## When to write to us

If E-042 comes more than five times a day.`

/** Six articles in three categories, one of them for clients, one in German alone. */
async function write(desk: Desk): Promise<void> {
  const post = (path: 'categories' | 'articles', body: object) =>
    desk.post(`/api/admin/kb/${path}/create`, body as never, desk.admin)
  const ids: number[] = []
  for (const [en, de] of [
    ['Inverters', 'Wechselrichter'],
    ['Storage', 'Speicher'],
    ['Contract and invoices', 'Vertrag']
  ] as const) {
    const { category } = (await post('categories', { name: { en, de }, audience: 'public' })) as never as {
      category: { id: number }
    }
    ids.push(category.id)
  }
  const short = { title: 'Read the display', markdown: 'It shows what it does.' }
  for (const [at, texts, audience] of [
    [0, { en: { title: 'What E-042 means, and what to do', markdown }, de: { title: 'Was E-042 bedeutet', markdown } }],
    [0, { en: short }],
    [0, { de: { title: 'Fehlercodes auf einen Blick', markdown: 'E-042: Erdungsbezug verloren.' } }],
    [1, { en: { title: 'Reserve for a power cut', markdown: 'Set it to 20 %.' } }],
    [1, { en: { title: 'Noise from the fan', markdown: 'Quiet hours help.' } }],
    [2, { en: { title: 'Change the bank account', markdown: 'Write to us.' } }],
    [2, { en: { title: 'Your contract', markdown: 'It ends with the year.' } }, 'clients']
  ] as const) {
    const { article } = (await post('articles', { category_id: ids[at], audience, texts })) as never as {
      article: { id: number }
    }
    await desk.post('/api/admin/kb/articles/publish', { id: article.id }, desk.admin)
  }
}

test('the help centre is read, searched and answered without a script, and axe finds no fault in it', async ({
  desk,
  pageOf,
  client
}) => {
  await write(desk)
  const plain = await pageOf(undefined, { javaScriptEnabled: false })
  await plain.goto('/help')
  await plain.getByRole('searchbox').fill('e-042 inverter')
  await plain.getByRole('button', { name: 'Search' }).click()
  await expect(plain.getByRole('status')).toHaveText('1 article')
  await plain.getByRole('link', { name: /What E-042 means/ }).click()
  await expect(plain.getByRole('heading', { level: 1 })).toHaveText('What E-042 means, and what to do')
  await plain.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'If it comes back' }).click()
  await expect(plain).toHaveURL(/#h-if-it-comes-back$/)
  await plain.getByRole('button', { name: 'No' }).click()
  await plain.getByLabel('What is missing? (optional)').fill('The colour of the lever')
  await plain.getByRole('button', { name: 'Send' }).click()
  await expect(plain.getByText('Thank you.')).toBeVisible()
  await plain.getByRole('link', { name: 'auf Deutsch' }).click()
  await expect(plain.getByText('War das hilfreich?')).toBeVisible()

  // Signed in, one reads more; the pages know it without a script.
  const own = await pageOf(client)
  await own.goto('/help/en/contract-and-invoices')
  await expect(own.getByRole('link', { name: 'Your contract' })).toBeVisible()
  for (const path of [
    '/help/en',
    '/help/en/inverters',
    '/help/en?search=e-042',
    '/help/en?search=zzz',
    '/help/en/inverters/what-e-042-means-and-what-to-do',
    '/help/en/inverters/what-e-042-means-and-what-to-do?answer=no',
    '/help/de'
  ]) {
    await own.goto(path)
    await expect(own.getByRole('heading', { level: 1 })).toHaveCount(1)
    await expectAccessibleInEachWindow(own, path)
  }
})

test('the search finds while one types, and what was looked for in vain becomes the subject of a ticket', async ({
  desk,
  portalPage: page
}) => {
  const { category } = await desk.post(
    '/api/admin/kb/categories/create',
    { name: { en: 'Gardens' }, audience: 'public' },
    desk.admin
  )
  const texts = { en: { title: 'When to water hydrangeas', markdown: 'In the morning.' } }
  const made = await desk.post('/api/admin/kb/articles/create', { category_id: category.id, texts }, desk.admin)
  await desk.post('/api/admin/kb/articles/publish', { id: made.article.id }, desk.admin)

  await page.goto('/')
  await page.getByRole('navigation').getByRole('link', { name: 'Help centre' }).click()
  await page.getByRole('searchbox').pressSequentially('hydr')
  await expect(page.getByRole('status')).toHaveText('1 article')
  await expect(page.getByRole('link', { name: /When to water hydrangeas/ })).toBeVisible()
  await expect(page.getByRole('searchbox')).toBeFocused()
  await expect(page).toHaveURL(/\?search=hydr$/)
  await page.getByRole('searchbox').fill('hydrangeas on Mars')
  await expect(page.getByRole('status')).toHaveText('Nothing has these words')
  await page.getByRole('link', { name: 'Write to us' }).click()
  await expect(page.getByLabel('Subject')).toHaveValue('hydrangeas on Mars')
  await page.getByLabel('Subject').fill('')
  await page.goto('/help/en')
  await page.getByRole('main').getByRole('link', { name: 'My tickets' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('My tickets')
})
