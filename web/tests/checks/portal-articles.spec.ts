import { expectAccessibleInEachWindow } from '../support/axe.ts'
import { expect, test } from '../support/test.ts'

test('articles are offered below the subject without moving the form, and "This answered it" is counted; the search of tickets finds them too', async ({
  desk,
  portalPage: page
}) => {
  const made = await desk.post(
    '/api/admin/kb/categories/create',
    { name: { en: 'Inverters' }, audience: 'public' },
    desk.admin
  )
  const texts = { en: { title: 'What E-042 on the inverter means', markdown: 'It lost its **earth** for a moment.' } }
  const body = { category_id: made.category.id, texts }
  const { article } = await desk.post('/api/admin/kb/articles/create', body, desk.admin)
  await desk.post('/api/admin/kb/articles/publish', { id: article.id }, desk.admin)

  await page.goto('/new')
  const message = page.getByLabel('What happened?')
  await expect(message).toBeVisible()
  await expect(page.getByRole('region', { name: 'Articles' })).toBeAttached()
  const before = await message.boundingBox()
  await page.getByLabel('Subject').fill('Inverter shows E-042')
  const summary = page.locator('summary', { hasText: /may help\. You can go on writing\.$/ })
  await expect(summary).toBeVisible()
  expect((await message.boundingBox())!.y).toBe(before!.y)
  await summary.click()
  const link = page.getByRole('link', { name: 'What E-042 on the inverter means' })
  await expect(link).toHaveAttribute('href', new RegExp(`^/help/en/[\\w-]+/${article.texts.en!.slug}$`))
  await expectAccessibleInEachWindow(page, 'articles that may help')
  const solved = page.waitForResponse('**/api/kb/solved')
  await page.getByRole('button', { name: /^This answered it ?: What E-042 on the inverter means$/ }).click()
  expect((await solved).status()).toBe(200)
  await expect(page.getByText('Thank you. You need not send this ticket.')).toBeVisible()
  await expect(page.getByLabel('Subject')).toHaveValue('Inverter shows E-042')

  await page.goto('/?q=earth')
  const found = page.getByRole('region', { name: 'Articles' })
  await expect(found.getByRole('link', { name: /What E-042 on the inverter means/ })).toContainText('lost its earth')
  await expectAccessibleInEachWindow(page, 'a search that finds articles')
})
