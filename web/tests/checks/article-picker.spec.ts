import { expectAccessible } from '../support/axe.ts'
import { type Desk, expect, test } from '../support/test.ts'

async function written(desk: Desk, title: string, audience: 'public' | 'staff'): Promise<void> {
  const { category } = await desk.post(
    '/api/admin/kb/categories/create',
    { name: { en: `For ${title}` }, audience: 'public' } as never,
    desk.admin
  )
  const texts = { en: { title, markdown: `Switch the **okapi** off.\n\nThen wait.` } }
  const body = { category_id: category.id, audience, texts }
  const { article } = await desk.post('/api/admin/kb/articles/create', body, desk.admin)
  await desk.post('/api/admin/kb/articles/publish', { id: article.id }, desk.admin)
}

test('an article is found and put into a reply by the keyboard, as a link or whole; one for staff fits into notes alone', async ({
  desk,
  client,
  consolePage: page
}) => {
  await written(desk, 'When the okapi hums', 'public')
  await written(desk, 'What okapis cost us', 'staff')
  const { ticket_number } = await desk.ticket(client, { subject: 'My okapi hums' })
  await page.goto(`/desk/all/${ticket_number}`)
  const text = page.getByRole('textbox', { name: 'Reply', exact: true })
  await text.click()
  await page.keyboard.type('See /insert an')
  await expect(page.getByRole('option', { name: 'Insert an article' })).toBeHidden()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('See /')
  await page.getByRole('option', { name: 'Insert an article' }).click()
  const search = page.getByRole('combobox', { name: 'Find an article' })
  await expect(search).toBeFocused()
  // It begins with the subject of the ticket.
  await expect(page.getByRole('option', { name: /When the okapi hums/ })).toBeVisible()
  await search.fill('okapi')
  await expect(page.getByRole('option', { name: /Switch the okapi off/ }).first()).toBeVisible()
  await expect(page.getByRole('option', { name: /What okapis cost us/ })).toHaveAttribute('aria-disabled', 'true')
  await expect(page.getByRole('option').first()).toContainText('When the okapi hums')
  await expectAccessible(page, 'article picker')
  await page.keyboard.press('Enter')
  await expect(text).toContainText(/See When the okapi hums: http.*\/help\/en\/.*\/when-the-okapi-hums/)
  await page.getByRole('button', { name: 'Insert an article' }).click()
  await search.fill('okapi')
  await expect(page.getByRole('option', { name: /Switch the okapi off/ }).first()).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await expect(text).toContainText('Then wait.')
  await page.getByRole('button', { name: 'Insert an article' }).click()
  await search.press('Escape')
  await expect(search).toBeHidden()
  await expect(text).toBeFocused()
})

test('a ticket that needs an article becomes one by hand: the editor names what tells who the client is', async ({
  desk,
  client,
  consolePage: page
}) => {
  await written(desk, 'When the tapir sleeps', 'public')
  const { ticket_number } = await desk.ticket(client, {
    subject: 'The tapir is loud',
    message: `It is loud. Ring me: +49 341 5550123. ${client.first_name}`
  })
  await page.goto(`/desk/all/${ticket_number}`)
  const details = page.getByRole('complementary').filter({ has: page.getByRole('heading', { name: 'Details' }) })
  await details.getByRole('checkbox', { name: 'Needs an article' }).click()
  await expect(details.getByRole('checkbox', { name: 'Needs an article' })).toBeChecked()
  await page.goto('/desk/knowledge')
  await page.getByRole('button', { name: 'Needed' }).click()
  await expectAccessible(page, 'tickets that need an article')
  await page.getByRole('button', { name: `Write an article from ${ticket_number}` }).click()
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('The tapir is loud')
  const text = page.getByRole('textbox', { name: 'Text (Markdown)' })
  const number = page.getByRole('button', { name: /\+49 341 5550123/ })
  await number.click()
  expect(
    await text.evaluate((field: HTMLTextAreaElement) => field.value.slice(field.selectionStart, field.selectionEnd))
  ).toBe('+49 341 5550123')
  await expectAccessible(page, 'draft from a ticket')
  await page.keyboard.press('Delete')
  await expect(number).toBeHidden()
  await text.fill('It is loud at night.')
  await expect(page.getByText('No name, address or number of the client was found')).toBeVisible()
  await page.keyboard.press('Control+s')
  await expect(page).toHaveURL(/\/knowledge\/\d+/)
  await page.goto(`/desk/all/${ticket_number}`)
  await expect(details.getByRole('link', { name: /The tapir is loud.*Solved by it · draft/ })).toBeVisible()
  await expect(details.getByRole('checkbox', { name: 'Needs an article' })).not.toBeChecked()
  await details.getByRole('button', { name: 'Solved by …' }).click()
  await page.keyboard.type('sleeps')
  await page.getByRole('option', { name: 'When the tapir sleeps' }).click()
  await expect(details.getByRole('link', { name: /When the tapir sleeps/ })).toBeVisible()
  await expectAccessible(page, 'articles of a ticket')
})
