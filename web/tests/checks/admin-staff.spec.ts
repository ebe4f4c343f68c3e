import { expect, test } from '../support/test.ts'

test('an admin adds a supporter, grants a permission and revokes it', async ({ desk, consolePage: page }) => {
  const email = `hannah.${Date.now()}@example.com`
  await page.goto('/desk/staff')
  await page.getByRole('button', { name: 'Add supporter' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('First name').fill('Hannah')
  await dialog.getByLabel('Last name').fill('Lindqvist')
  await dialog.getByLabel('E-mail').fill('hannah@example')
  await dialog.getByLabel('First password').fill('a long sentence')
  await dialog.getByRole('button', { name: 'Add supporter' }).click()
  await expect(dialog.getByText('This is not a whole address')).toBeVisible()
  await expect(dialog.getByLabel('E-mail')).toBeFocused()
  await dialog.getByLabel('E-mail').fill(email)
  await dialog.getByRole('button', { name: 'Add supporter' }).click()

  await expect(page.getByRole('heading', { level: 1, name: 'Hannah Lindqvist' })).toBeVisible()
  await expect(page.getByRole('group', { name: /^(Clients|Tickets|Departments|Staff)/ })).toHaveCount(4)
  await expect(page.getByRole('group').getByRole('checkbox')).toHaveCount(12)
  await expect(page.getByRole('button', { name: 'Save permissions' })).toHaveCount(0)

  await page.getByRole('checkbox', { name: /View departments/ }).check()
  await page.getByRole('checkbox', { name: /Reply to tickets/ }).uncheck()
  await expect(page.getByText('2 changes: Reply to tickets taken away, View departments added')).toBeVisible()
  await page.getByRole('button', { name: 'Save permissions' }).click()
  await expect(page.getByText('2 changes')).toHaveCount(0)

  const { staff } = await desk.post('/api/admin/staff/list', {}, desk.admin)
  const hannah = staff.find(member => member.email === email)!
  const granted = ['clients.view', 'departments.view', 'tickets.edit_status', 'tickets.view_all']
  expect(hannah.permissions.sort()).toEqual(granted)
})

test('the permissions of admins and the own ones are shown but cannot be changed', async ({
  desk,
  consolePage: page,
  pageOf
}) => {
  await page.goto(`/desk/staff/${desk.admin.id}`)
  await expect(page.getByText('Admins may do everything')).toBeVisible()
  for (const box of await page.getByRole('checkbox').all()) await expect(box).toBeDisabled()

  const reader = await desk.supporter(['staff.view'])
  const theirs = await pageOf(reader)
  await theirs.goto(`/desk/staff/${reader.id}`)
  await expect(theirs.getByText('Only admins change this')).toBeVisible()
  await expect(theirs.getByRole('checkbox', { name: /View staff/ })).toBeDisabled()
  for (const name of ['Add supporter', 'Edit', 'Reset password', 'More actions'])
    await expect(theirs.getByRole('button', { name })).toHaveCount(0)
})

test('deactivating an account says what happens, and deleting it asks for the name', async ({
  desk,
  client,
  consolePage: page
}) => {
  const last_name = `Okafor ${Date.now()}`
  const samuel = await desk.supporter(['tickets.reply'], { first_name: 'Samuel', last_name })
  const ticket = await desk.ticket(client)
  await desk.post('/api/admin/tickets/assign', { id: ticket.ticket_id, staff_id: samuel.id }, desk.admin)
  await page.goto(`/desk/staff/${samuel.id}`)

  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Deactivate …' }).click()
  await expect(page.getByRole('dialog')).toContainText('One open ticket stays assigned to them.')
  await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click()
  await expect(page.getByText('Supporter · Deactivated')).toBeVisible()

  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete …' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('One open ticket becomes unassigned.')
  await expect(dialog.getByRole('button', { name: 'Delete supporter' })).toBeDisabled()
  await dialog.getByRole('textbox').fill(`Samuel ${last_name}`)
  await dialog.getByRole('button', { name: 'Delete supporter' }).click()
  await expect(page).toHaveURL(/\/desk\/staff$/)
  await expect(page.getByText(samuel.email)).toHaveCount(0)
})
