import { expect, test } from '../support/test.ts'

test('a client is added and invited, edited, and gets a new ticket, all on the client’s page', async ({
  desk,
  consolePage: page
}) => {
  const email = `ngozi.${Date.now()}@example.com`
  await page.goto('/desk/clients')
  await page.getByRole('button', { name: 'Add client' }).click()
  const form = page.getByRole('dialog', { name: 'Add a client' })
  await form.getByRole('button', { name: 'Add and invite' }).click()
  await expect(form.getByText('Fill this in.')).toHaveCount(3)
  await form.getByLabel('First name').fill('Ngozi')
  await form.getByLabel('Last name').fill('Adeyemi-Clarke')
  await form.getByLabel('E-mail').fill(email)
  await form.getByLabel('Language').selectOption('Deutsch')
  await form.getByRole('button', { name: 'Add and invite' }).click()
  await expect(form).toBeHidden()
  expect((await desk.outbox.emailTo(email)).subject).toBe('Ihr Konto bei unserem Support')

  await page.getByRole('searchbox', { name: 'Search the clients' }).fill(email)
  await page.getByRole('link', { name: 'Ngozi Adeyemi-Clarke' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Ngozi Adeyemi-Clarke' })).toBeFocused()
  await page.getByRole('button', { name: 'Edit' }).click()
  const edit = page.getByRole('dialog', { name: /Edit Ngozi/ })
  await expect(edit.getByLabel('Language')).toHaveValue('de')
  await edit.getByLabel('Language').selectOption('As the desk writes')
  await edit.getByLabel('Company').fill('Clarke Installations')
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Clarke Installations')).toBeVisible()
  const id = Number(/\d+$/.exec(page.url())![0])
  expect((await desk.post('/api/admin/clients/deliverability', { id }, desk.admin)).language).toBe(null)

  await page.getByRole('button', { name: 'New ticket' }).click()
  const dialog = page.getByRole('dialog', { name: 'New ticket for a client' })
  await expect(dialog.getByText(email)).toBeVisible()
  await dialog.getByLabel('Subject').fill('Call of this morning')
  await dialog.getByLabel('Message to Ngozi').fill('As agreed we come on Thursday.')
  await dialog.getByRole('button', { name: 'Open ticket' }).click()
  await expect(page).toHaveURL(/\/desk\/all\/TIC-\d+/)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Call of this morning')
})

test('who edits a client before the phone number is known does not remove it', async ({
  desk,
  client,
  consolePage: page
}) => {
  await desk.post('/api/admin/clients/update', { id: client.id, phone_number: '+4930123456' }, desk.admin)
  const list = Promise.withResolvers<void>()
  await page.route('**/api/admin/clients/list', async route => {
    await list.promise
    await route.continue()
  })
  await page.goto(`/desk/clients/${client.id}`)
  await page.getByRole('button', { name: 'Edit' }).click()
  list.resolve()
  const edit = page.getByRole('dialog', { name: /Edit/ })
  await expect(edit.getByLabel('Phone')).toHaveValue('+4930123456')
  await edit.getByLabel('Company').fill('Clarke Installations')
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Clarke Installations')).toBeVisible()
  await expect(page.getByRole('link', { name: '+4930123456' })).toBeVisible()
})

test('the text of a new ticket survives a reload, until it is discarded', async ({ consolePage: page }) => {
  await page.goto('/desk/clients')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog', { name: 'New ticket for a client' })
  await dialog.getByLabel('Subject').fill('Half a thought')
  await expect(dialog.getByText('Draft saved')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('c')
  await expect(dialog.getByLabel('Subject')).toHaveValue('Half a thought')
  await dialog.getByRole('button', { name: 'Discard' }).click()
  await page.keyboard.press('c')
  await expect(dialog.getByLabel('Subject')).toHaveValue('')
})

test('a client is anonymized after the address is typed, and the tickets stay', async ({
  desk,
  client,
  consolePage: page
}) => {
  await desk.ticket(client, { subject: 'The cellar is dark' })
  await page.goto(`/desk/clients/${client.id}`)
  await page.getByRole('button', { name: 'Delete or anonymise …' }).click()
  const dialog = page.getByRole('dialog')
  const confirm = dialog.getByRole('button', { name: 'Anonymise', exact: true })
  await expect(dialog.getByText('1 ticket?')).toBeVisible()
  await expect(confirm).toBeDisabled()
  await dialog.getByRole('textbox').fill(client.email)
  await confirm.click()
  await expect(page).toHaveURL(/\/desk\/clients$/)
  await expect(page.getByText('is anonymised')).toBeVisible()
  const { tickets } = await desk.post('/api/admin/tickets/list', { search: 'The cellar is dark' }, desk.admin)
  expect(tickets).toHaveLength(1)
})

test.describe('a supporter who may only view clients', () => {
  test.use({ grants: ['clients.view'] })

  test('is offered nothing that changes a client', async ({ client, consolePage: page }) => {
    await page.goto(`/desk/clients/${client.id}`)
    await expect(page.getByRole('heading', { level: 2, name: 'Contact' })).toBeVisible()
    for (const name of ['New ticket', 'Edit', 'Send password reset', 'Turn two-factor off …', 'Export everything'])
      await expect(page.getByRole('button', { name })).toHaveCount(0)
    await page.goto('/desk/clients')
    await expect(page.getByRole('button', { name: 'Add client' })).toHaveCount(0)
  })
})
