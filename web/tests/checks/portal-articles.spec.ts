import { expectAccessibleInEachWindow } from '../support/axe.ts'
import { chooseDepartment } from '../support/choose-department.ts'
import { expect, test } from '../support/test.ts'

test('articles are offered below the subject without moving the form, and "This answered it" is counted; staff see what was read before', async ({
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
  await expect(page.getByText('Articles that fit are offered here.')).toBeVisible()
  const before = await message.boundingBox()
  await page.getByLabel('Subject').fill('Inverter shows E-042')
  const summary = page.locator('summary', { hasText: /may help\. You can go on writing\.$/ })
  await expect(summary).toBeVisible()
  expect((await message.boundingBox())!.y).toBe(before!.y)
  await summary.click()
  const link = page.getByRole('link', { name: 'What E-042 on the inverter means' })
  await expect(link).toHaveAttribute('href', new RegExp(`^/help/en/[\\w-]+/${article.texts.en!.slug}$`))
  await expectAccessibleInEachWindow(page, 'articles that may help')
  await link.click()
  const panel = page.getByRole('dialog', { name: 'What E-042 on the inverter means' })
  await expect(panel.getByText('It lost its earth for a moment.')).toBeVisible()
  await expectAccessibleInEachWindow(page, 'an article over the form')
  await panel.getByRole('button', { name: 'Go on writing' }).click()
  await expect(panel).toBeHidden()
  await expect(link).toBeFocused()
  await link.click()
  const solved = page.waitForResponse('**/api/kb/solved')
  await panel.getByRole('button', { name: 'This answered it' }).click()
  expect((await solved).status()).toBe(200)
  await expect(page.getByRole('region', { name: 'Articles' })).toContainText(
    'Thank you. You need not send this ticket.'
  )
  await expect(page.getByLabel('Subject')).toHaveValue('')
  const takenBack = page.waitForRequest('**/api/kb/solved')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByLabel('Subject')).toHaveValue('Inverter shows E-042')
  expect((await takenBack).postDataJSON()).toMatchObject({ article_id: article.id, is_solved: 0 })

  await chooseDepartment(page, { name: 'Technical Support' })
  await message.fill('It stopped at noon.')
  await page.getByRole('button', { name: 'Send ticket' }).click()
  await page.waitForURL(/\/tickets\/TIC-/)
  const ticket_id = new URL(page.url()).pathname.split('/').at(-1)!
  await expect
    .poll(async () => {
      const { articles } = await desk.post('/api/admin/kb/tickets/detail', { ticket_id }, desk.admin)
      return articles.map(({ id, how }) => [id, how])
    })
    .toEqual([[article.id, 'suggested']])

  await page.goto('/?q=earth')
  const found = page.getByRole('region', { name: 'Articles' })
  await expect(found.getByRole('link', { name: /What E-042 on the inverter means/ })).toContainText('lost its earth')
  await expectAccessibleInEachWindow(page, 'a search that finds articles')
})
