import { expect, test } from '../support/test.ts'

test('placeholders are inserted at the caret, unknown ones are reported, and the preview is filled in as in a ticket', async ({
  desk,
  client,
  consolePage: page
}) => {
  const ticket = await desk.ticket(client)
  const { profile } = await desk.post('/api/account/profile', {}, desk.admin)
  const title = `Greeting ${ticket.ticket_number}`
  await page.goto('/desk/macros/new')
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
  const silence = { name: `Silence ${Date.now()}`, reply_text: 'We wait.', is_shared: 1 as const }
  const { macro } = await desk.post('/api/admin/macros/create', silence, desk.admin)
  // The address of before leads here.
  await page.goto(`/desk/canned?reply=${macro.id}`)
  await expect(page).toHaveURL(new RegExp(`/macros/${macro.id}$`))
  const text = page.getByLabel('Text', { exact: true })
  await text.fill('We still wait.')

  await page.getByRole('link', { name: 'Reports' }).click()
  const question = page.getByRole('dialog', { name: 'This macro is not saved' })
  await expect(question.getByRole('button', { name: 'Stay' })).toBeFocused()
  await question.getByRole('button', { name: 'Stay' }).click()
  await expect(text).toHaveValue('We still wait.')

  await page.getByRole('link', { name: 'Reports' }).click()
  await question.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Reports' })).toBeVisible()

  // Also who goes back by the browser is asked, and stays at the address where they were.
  await page.goBack()
  await expect(text).toHaveValue('We still wait.')
  await text.fill('Nor this.')
  await page.goForward()
  await question.getByRole('button', { name: 'Stay' }).click()
  await expect(page).toHaveURL(/\/macros\/\d+$/)
  await expect(text).toHaveValue('Nor this.')
  await page.goForward()
  await question.getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Reports' })).toBeVisible()
  await page.goBack()
  await expect(text).toHaveValue('We still wait.')
  await text.fill('Never mind.')
  await page.getByRole('link', { name: 'Reports' }).click()
  await question.getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Reports' })).toBeVisible()
  const { macros } = await desk.post('/api/admin/macros/list', { search: 'Silence' }, desk.admin)
  expect(macros.find(({ id }) => id === macro.id)!.reply_text).toBe('We still wait.')
})

test('a macro is made with a text and changes, is found by its kind, and loses a change again', async ({
  desk,
  consolePage: page
}) => {
  const name = `Earth ${Date.now()}`
  const saved = async () =>
    (await desk.post('/api/admin/macros/list', { search: name }, desk.admin)).macros.map(({ actions }) => actions)
  await page.goto('/desk/macros')
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await page.getByLabel('Title', { exact: true }).fill(name)
  await page.getByRole('button', { name: 'Add a change' }).click()
  await page.getByRole('option', { name: 'set priority to' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('A change is unfinished')).toBeVisible()
  await page.getByRole('button', { name: 'set priority to choose …', exact: true }).click()
  await page.getByRole('option', { name: 'High' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const row = page.getByRole('link', { name: new RegExp(name) })
  await expect(row).toHaveAttribute('aria-current', 'page')
  await expect(row).toContainText('1 change')
  await expect(row).toContainText('No text')
  expect(await saved()).toEqual([[{ set_priority: 'High' }]])

  await page.getByRole('button', { name: 'Text only' }).click()
  await expect(row).toBeHidden()
  await page.getByRole('button', { name: 'With changes' }).click()
  await expect(row).toBeVisible()

  await page.getByLabel('Text', { exact: true }).fill('Dear {{client.first_name|you}}, it is safe.')
  await page.getByRole('button', { name: /^Remove: set priority/ }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.poll(saved).toEqual([[]])
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete macro' }).click()
  await expect(page).toHaveURL(/\/macros$/)
  expect(await saved()).toEqual([])
})
