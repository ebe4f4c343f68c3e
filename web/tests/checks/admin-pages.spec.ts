import { expect, test } from '../support/test.ts'

test('departments: added, limited to people with a warning, and deleted with its tickets moved', async ({
  desk,
  client,
  consolePage: page
}) => {
  const name = `Hotline ${Date.now()}`
  const ben = await desk.supporter(['tickets.view_all'], { first_name: 'Ben', last_name: `Achter ${Date.now()}` })
  await page.goto('/desk/departments')
  await page.getByRole('button', { name: 'Add department' }).click()
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Description').fill('By phone until June')
  await page.getByRole('dialog').getByRole('button', { name: 'Add department' }).click()
  const row = page.getByRole('row', { name: new RegExp(name) })
  // What is usual is not said.
  await expect(row).not.toContainText(/In use|Nobody|supporter/)

  const act = async (item: string) => {
    await row.getByRole('button').click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await act('Limited to it …')
  await page.getByRole('checkbox', { name: `Ben ${ben.last_name}` }).check()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(row).toContainText('1 supporter')
  await act('Limited to it …')
  await page.getByRole('checkbox', { name: `Ben ${ben.last_name}` }).uncheck()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('belongs to no other department and will see all tickets')).toBeVisible()
  await page.getByRole('button', { name: 'Let them see all' }).click()
  await expect(row).not.toContainText('supporter')

  const { departments } = await desk.post('/api/admin/departments/list', { limit: 1000 }, desk.admin)
  const ticket = await desk.ticket(client, { deptid: departments.find(each => each.name === name)!.id })
  await page.reload()
  await act('Delete …')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Its one ticket moves to the department that you choose')
  await dialog.getByLabel('Move to').selectOption('Billing Department')
  await dialog.getByRole('textbox').fill(name)
  await dialog.getByRole('button', { name: 'Delete department' }).click()
  await expect(row).toHaveCount(0)
  const detail = await desk.post('/api/admin/tickets/detail', { id: ticket.ticket_id }, desk.admin)
  expect(detail.ticket.department.name).toBe('Billing Department')
})

test('tags: added, renamed, merged and deleted', async ({ consolePage: page }) => {
  const [one, other] = [`fw ${Date.now()}`, `firmware ${Date.now()}`]
  await page.goto('/desk/tags')
  for (const name of [one, other]) {
    await page.getByRole('button', { name: 'Add tag' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill(name)
    await page.getByRole('dialog').getByRole('button', { name: 'Add tag' }).click()
    await expect(page.getByRole('cell', { name, exact: true })).toBeVisible()
  }
  const renamed = `${one} of before`
  await page.getByRole('button', { name: `Actions for ${one}` }).click()
  await page.getByRole('menuitem', { name: 'Rename …' }).click()
  const dialog = page.getByRole('dialog', { name: `Edit ${one}` })
  await dialog.getByLabel('Name').fill(other)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('A tag with this name already exists. Merge them instead.')).toBeVisible()
  await expect(dialog.getByLabel('Name')).toBeFocused()
  await dialog.getByLabel('Name').fill(renamed)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('cell', { name: renamed, exact: true })).toBeVisible()
  await expect(page.getByRole('cell', { name: one, exact: true })).toHaveCount(0)

  await page.getByRole('button', { name: `Actions for ${renamed}` }).click()
  await page.getByRole('menuitem', { name: 'Merge …' }).click()
  await page.getByLabel('Into').selectOption(other)
  await expect(page.getByRole('dialog')).toContainText(`No ticket has ${renamed}.`)
  await page.getByRole('button', { name: 'Merge', exact: true }).click()
  await expect(page.getByRole('cell', { name: renamed, exact: true })).toHaveCount(0)
  await page.getByRole('button', { name: `Actions for ${other}` }).click()
  await page.getByRole('menuitem', { name: 'Delete …' }).click()
  await page.getByRole('button', { name: 'Delete tag' }).click()
  await expect(page.getByRole('cell', { name: other, exact: true })).toHaveCount(0)
})

test('the audit log keeps its filters in the address, expands a row and can be verified', async ({
  desk,
  consolePage: page
}) => {
  const staff = await desk.supporter(['staff.view'])
  await desk.post('/api/admin/staff/permissions', { id: staff.id, permissions: ['staff.manage'] }, desk.admin)
  await page.goto(`/desk/audit?action=staff.permissions_set&target=staff&targetId=${staff.id}`)
  await expect(page.getByText('The chain is intact.')).toBeVisible()
  await expect(page.getByText('1 row', { exact: true })).toBeVisible()
  const row = page.getByRole('row').filter({ hasText: 'set the permissions of' })
  await expect(row).toContainText(`Support Admin set the permissions of ${staff.first_name} ${staff.last_name}`)
  await expect(row).toContainText('Permissions: staff.view → staff.manage')
  await expect(row.getByRole('link', { name: staff.last_name })).toHaveAttribute('href', `/desk/staff/${staff.id}`)
  const time = row.locator('time')
  await expect(time).toHaveAttribute('title', /CET|CEST|GMT/)
  await expect(time).toHaveAttribute('datetime', /Z$/)
  await row.getByRole('button').click()
  await expect(page.getByText('staff.permissions_set', { exact: true }).last()).toBeVisible()
  await expect(page.getByRole('definition').first()).toContainText('staff.view')
  await expect(page.getByRole('definition').last()).toContainText('staff.manage')

  await page.getByRole('button', { name: /^staff\.permissions_set/ }).click()
  await expect(page).not.toHaveURL(/action=/)
  await page.getByRole('button', { name: 'Any time' }).click()
  await page.getByRole('option', { name: 'Last 7 days' }).click()
  await expect(page).toHaveURL(/days=7/)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download CSV' }).click()
  expect((await download).suggestedFilename()).toMatch(/\.csv$/)
})

test('the audit log tells of tickets in sentences, with the names of people and departments', async ({
  desk,
  client,
  consolePage: page
}) => {
  const jonas = await desk.supporter(['tickets.view_all', 'tickets.reply'])
  const { ticket_id: id, ticket_number } = await desk.ticket(client)
  await desk.post('/api/admin/tickets/assign', { id, assigned_staff_id: jonas.id }, desk.admin)
  await desk.post('/api/admin/tickets/status', { id, status: 'Closed' }, desk.admin)
  await page.goto(`/desk/audit?target=ticket&targetId=${id}`)
  const row = (words: string) => page.getByRole('row').filter({ hasText: words })
  await expect(row(`changed the assignee of ${ticket_number}`)).toContainText(
    `Assignee: Nobody → ${jonas.first_name} ${jonas.last_name}`
  )
  await expect(row(`changed the status of ${ticket_number}`)).toContainText('Status: In progress → Closed')
  await row('changed the status').getByRole('link', { name: ticket_number }).click()
  await expect(page).toHaveURL(new RegExp(`/desk/all/${ticket_number}`))
})

test('a broken chain of the audit log is reported with a link to its row', async ({ consolePage: page }) => {
  await page.route('**/api/admin/audit/verify', route =>
    route.fulfill({
      json: {
        ...{ status: 'success', code: 200, message: 'The audit log is broken' },
        data: { is_whole: 0, sealed_up_to: 1, broken_id: 2 }
      }
    })
  )
  await page.goto('/desk/audit')
  await expect(page.getByRole('alert')).toContainText('Row 2 has been altered.')
  await page.getByRole('button', { name: 'Show the row' }).click()
  await expect(page).toHaveURL(/row=2/)
  await expect(page.getByRole('button', { name: '2', exact: true })).toHaveAttribute('aria-expanded', 'true')
})

test('reports stand where counts were, and each number of a group leads to its tickets', async ({
  desk,
  client,
  consolePage: page
}) => {
  const ticket = await desk.ticket(client, { subject: 'Counted once' })
  // The last department has the most.
  for (let time = 0; time < 3; time++) await desk.ticket(client, { subject: 'Counted too', deptid: 4 })
  await page.goto('/desk/counts')
  await expect(page).toHaveURL(/\/desk\/reports/)
  const main = page.getByRole('main')
  await expect(main.getByRole('tab', { name: /^New/ })).toHaveAttribute('aria-selected', 'true')
  const groups = main.getByRole('table', { name: 'By department' })
  const counts = await groups.locator('tbody td:nth-child(2)').allTextContents()
  expect(counts.map(Number)).toEqual(counts.map(Number).toSorted((one, other) => other - one))
  await groups
    .getByRole('row', { name: /Technical Support/ })
    .getByRole('link')
    .first()
    .click()
  await expect(main.getByRole('link', { name: ticket.ticket_number })).toBeVisible()
})

test('a deleted ticket is restored from the trash, or deleted for good after its number is typed', async ({
  desk,
  client,
  consolePage: page
}) => {
  const [kept, gone] = [await desk.ticket(client, { subject: 'Kept' }), await desk.ticket(client, { subject: 'Gone' })]
  for (const { ticket_id } of [kept, gone]) await desk.post('/api/admin/tickets/delete', { id: ticket_id }, desk.admin)
  await page.goto('/desk/trash')
  await page.getByRole('button', { name: `Actions for ${kept.ticket_number}` }).click()
  await page.getByRole('menuitem', { name: 'Restore' }).click()
  await expect(page.getByText(`${kept.ticket_number} is back`)).toBeVisible()
  await expect(page.getByRole('row', { name: new RegExp(kept.ticket_number) })).toHaveCount(0)

  await page.getByRole('button', { name: `Actions for ${gone.ticket_number}` }).click()
  await page.getByRole('menuitem', { name: 'Remove for good …' }).click()
  await page.getByRole('dialog').getByRole('textbox').fill(gone.ticket_number)
  await page.getByRole('dialog').getByRole('button', { name: 'Remove for good' }).click()
  await expect(page.getByRole('row', { name: new RegExp(gone.ticket_number) })).toHaveCount(0)
})
