import { expect, test } from '../support/test.ts'

test('placeholders are inserted at the caret, unknown ones are reported, and the preview is filled in as in a ticket', async ({
  desk,
  client,
  consolePage: page
}) => {
  const ticket = await desk.ticket(client)
  const { profile } = await desk.post('/api/account/profile', {}, desk.admin)
  const title = `Greeting ${ticket.ticket_number}`
  await page.goto('/desk/canned?reply=new')
  await page.getByLabel('Title', { exact: true }).fill(title)
  const text = page.getByLabel('Text', { exact: true })
  await text.fill('Dear ,')
  await text.press('ArrowLeft')
  await page.getByRole('button', { name: 'Client', exact: true }).click()
  await page.getByRole('menuitem', { name: 'First name' }).click()
  await expect(text).toHaveValue('Dear {{client.first_name}},')
  await text.press('Control+z')
  await expect(text).toHaveValue('Dear ,')
  await text.press('Control+Shift+z')
  await expect(text).toHaveValue('Dear {{client.first_name}},')
  await expect(page.getByRole('region', { name: 'Preview' })).toContainText('Dear Katharina,')

  await text.fill('Dear {{client.nickname}},')
  await expect(page.getByText('Not known: {{client.nickname}}. There are {{client.first_name}}')).toBeVisible()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(text).toBeFocused()

  await text.fill('Dear {{client.first_name}}, it is {{staff.first_name}}.')
  await page.getByRole('radio', { name: 'Only me' }).check()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const row = page.getByRole('link', { name: new RegExp(title) })
  await expect(row).toContainText('Only me')
  await expect(row).toHaveAttribute('aria-current', 'page')
  await expect(page.getByRole('region', { name: 'Preview' })).toContainText(
    `Dear Katharina, it is ${profile.first_name}.`
  )
})

test('leaving unsaved changes asks to stay, save or discard', async ({ desk, consolePage: page }) => {
  const { canned_reply } = await desk.post(
    '/api/admin/canned-replies/create',
    { title: `Silence ${Date.now()}`, text: 'We wait.', is_shared: 1 },
    desk.admin
  )
  await page.goto(`/desk/canned?reply=${canned_reply.id}`)
  const text = page.getByLabel('Text', { exact: true })
  await text.fill('We still wait.')

  await page.getByRole('link', { name: 'Counts' }).click()
  const question = page.getByRole('dialog', { name: 'This canned reply is not saved' })
  await expect(question.getByRole('button', { name: 'Stay' })).toBeFocused()
  await question.getByRole('button', { name: 'Stay' }).click()
  await expect(text).toHaveValue('We still wait.')

  await page.getByRole('link', { name: 'Counts' }).click()
  await question.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Counts' })).toBeVisible()

  // Also who goes back by the browser is asked, and stays at the address where they were.
  await page.goBack()
  await expect(text).toHaveValue('We still wait.')
  await text.fill('Nor this.')
  await page.goForward()
  await question.getByRole('button', { name: 'Stay' }).click()
  await expect(page).toHaveURL(/\/canned\?reply=/)
  await expect(text).toHaveValue('Nor this.')
  await page.goForward()
  await question.getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Counts' })).toBeVisible()
  await page.goBack()
  await expect(text).toHaveValue('We still wait.')
  await text.fill('Never mind.')
  await page.getByRole('link', { name: 'Counts' }).click()
  await question.getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Counts' })).toBeVisible()
  const { canned_replies } = await desk.post('/api/admin/canned-replies/list', { search: 'Silence' }, desk.admin)
  expect(canned_replies.find(({ id }) => id === canned_reply.id)!.text).toBe('We still wait.')
})
