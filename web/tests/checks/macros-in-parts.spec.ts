import { expect, test } from '../support/test.ts'
import { typeText } from '../support/type-text.ts'

test('M3 a custom field that a macro sets is marked, single changes are left out, and the rest is done with the reply', async ({
  desk,
  client,
  consolePage: page
}) => {
  const stamp = Date.now()
  const key = `part_${stamp}`
  const given = { key, label: `Part ${stamp}`, kind: 'text' as const, client_access: 'none' as const }
  await desk.post('/api/admin/fields/create', given, desk.admin)
  const actions = [{ set_priority: 'High' as const }, { set_field: { key, value: 'Earth clamp' } }]
  const name = `Clamp ${stamp}`
  const macro = { name, actions, reply_text: 'We send a clamp.', is_shared: 1 as const, deptids: [1] }
  await desk.post('/api/admin/macros/create', macro, desk.admin)
  const { ticket_id: id, ticket_number: number } = await desk.ticket(client)
  await page.goto(`/desk/all/${number}`)
  const details = page.getByRole('complementary')
  await typeText(page.getByRole('textbox', { name: 'Reply', exact: true }), `/${stamp}`)
  await page.getByRole('option', { name }).click()

  await expect(details.getByText('was Not set')).toBeVisible()
  await expect(details.getByRole('button', { name: /^Part .*Earth clamp/ })).toBeVisible()
  await expect(details.getByRole('button', { name: /^Priority/ })).toHaveText(/High.*was Medium/)
  await page.getByRole('button', { name: 'Leave out: sets the priority to High' }).click()
  await expect(details.getByRole('button', { name: /^Priority/ })).not.toHaveText(/was/)
  await expect(page.getByRole('textbox', { name: 'Reply', exact: true })).toBeFocused()
  await page.keyboard.press('Control+Enter')
  const saved = async () => (await desk.post('/api/admin/tickets/detail', { id }, desk.admin)).ticket
  await expect.poll(async () => (await saved()).fields[key]).toBe('Earth clamp')
  expect((await saved()).priority).toBe('Medium')
})

test('a macro is offered in its departments alone, and tells how often it was used', async ({
  desk,
  client,
  consolePage: page
}) => {
  const name = `Workshop ${Date.now()}`
  const { department } = await desk.post('/api/admin/departments/create', { name }, desk.admin)
  const made = await desk.post(
    '/api/admin/macros/create',
    { name, reply_text: 'We repair it.', is_shared: 1, deptids: [department.deptid] },
    desk.admin
  )
  const { ticket_number: number } = await desk.ticket(client)
  await page.goto(`/desk/all/${number}`)
  await typeText(page.getByRole('textbox', { name: 'Reply', exact: true }), `/${name.split(' ')[1]}`)
  await expect(page.getByText('No macro matches these words')).toBeVisible()

  await page.goto(`/desk/macros/${made.macro.id}`)
  await expect(page.getByText('not used in 30 days')).toBeVisible()
  await page.getByRole('button', { name }).last().click()
  await page.getByRole('option', { name }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Save' }).click()
  const stored = async () =>
    (await desk.post('/api/admin/macros/list', { search: name }, desk.admin)).macros[0]?.deptids
  await expect.poll(stored).toEqual([])
})

test('F1 a custom field of several tickets is set at once, and that is undone', async ({
  desk,
  client,
  consolePage: page
}) => {
  const stamp = Date.now()
  const key = `site_${stamp}`
  const label = `Site ${stamp}`
  await desk.post('/api/admin/fields/create', { key, label, kind: 'text', client_access: 'none' }, desk.admin)
  const opened = [await desk.ticket(client), await desk.ticket(client)]
  const values = async () =>
    await Promise.all(
      opened.map(async ({ ticket_id: id }) => {
        return (await desk.post('/api/admin/tickets/detail', { id }, desk.admin)).ticket.fields[key]
      })
    )
  await page.goto('/desk/all')
  for (const { ticket_number } of opened) await page.getByRole('checkbox', { name: `Select ${ticket_number}` }).check()
  await page.getByRole('button', { name: 'Change field' }).click()
  await page.getByRole('option', { name: label }).click()
  const dialog = page.getByRole('dialog', { name: `${label} of 2 tickets` })
  await dialog.getByRole('textbox').fill('Leipzig')
  await dialog.getByRole('button', { name: 'Set it' }).click()
  await expect.poll(values).toEqual(['Leipzig', 'Leipzig'])
  const toast = page.getByRole('status').filter({ hasText: `${label} of 2 tickets is now Leipzig.` })
  await toast.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(values).toEqual([undefined, undefined])
})
