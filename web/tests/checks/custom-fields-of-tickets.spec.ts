import { expectAccessible } from '../support/axe.ts'
import { expect, test } from '../support/test.ts'

let serial = 0

/** A name and a key of this test alone: all tests of a worker share the desk. */
function named(word: string) {
  const key = `${word.toLowerCase()}_${Date.now()}_${++serial}`
  return { key, label: `${word} ${key.slice(word.length + 1)}` }
}

test('fields of a ticket are set where they stand, undone, and told in the timeline', async ({
  desk,
  client,
  consolePage: page
}) => {
  const make = async (word: string, kind: 'text' | 'number' | 'date' | 'checkbox' | 'select' | 'multi_select') => {
    const options = kind.endsWith('select') ? [{ label: 'Fuse' }, { label: 'Cable' }] : []
    const body = {
      ...named(word),
      kind,
      client_access: kind === 'text' ? ('read' as const) : ('none' as const),
      options
    }
    return (await desk.post('/api/admin/fields/create', body, desk.admin)).field
  }
  const serialNumber = await make('Serial', 'text')
  const yieldField = await make('Yield', 'number')
  const bought = await make('Bought', 'date')
  const warranty = await make('Warranty', 'checkbox')
  const cause = await make('Cause', 'select')
  const parts = await make('Parts', 'multi_select')
  const { ticket_id } = await desk.ticket(client)
  const detail = async () => (await desk.post('/api/admin/tickets/detail', { id: ticket_id }, desk.admin)).ticket
  await page.goto(`/desk/all/${(await detail()).ticket_number}`)
  const fields = page.getByRole('region', { name: 'Fields', exact: true })
  await expect(fields).toBeVisible()
  const fold = fields.getByRole('button', { name: /^\d+ empty$/ })
  if (await fold.isVisible()) await fold.click()

  await fields.getByRole('button', { name: `${serialNumber.label}: Set` }).click()
  const typed = fields.getByRole('textbox', { name: serialNumber.label })
  await typed.fill('gone again')
  await typed.press('Escape')
  await expect(fields.getByRole('button', { name: `${serialNumber.label}: Set` })).toBeFocused()
  await fields.getByRole('button', { name: `${serialNumber.label}: Set` }).click()
  await typed.fill('SN-1')
  await typed.press('Enter')
  await expect(fields.getByRole('button', { name: `${serialNumber.label}: SN-1` })).toBeFocused()
  await fields.getByRole('button', { name: `${yieldField.label}: Set` }).click()
  const number = fields.getByRole('textbox', { name: yieldField.label })
  await number.fill('much')
  await expect(number).toHaveAttribute('aria-invalid', 'true')
  await number.fill('12,5')
  await number.press('Enter')
  await fields.getByRole('button', { name: `${bought.label}: Set` }).click()
  await fields.getByLabel(bought.label, { exact: true }).fill('2026-03-01')
  await fields.getByLabel(bought.label, { exact: true }).press('Enter')
  await fields.getByRole('button', { name: `${warranty.label}: Set` }).click()
  await fields.getByRole('button', { name: `${cause.label}: Set` }).click()
  await page.getByRole('option', { name: 'Cable' }).click()
  await fields.getByRole('button', { name: `${parts.label}: Set` }).click()
  await page.getByRole('option', { name: 'Fuse' }).click()
  await page.keyboard.press('Escape')
  await expect
    .poll(async () => (await detail()).fields)
    .toEqual({
      [serialNumber.key]: 'SN-1',
      [yieldField.key]: 12.5,
      [bought.key]: '2026-03-01',
      [warranty.key]: true,
      [cause.key]: 2,
      [parts.key]: [1]
    })
  await expect(fields.getByRole('button', { name: `${bought.label}: 1 Mar 2026` })).toBeVisible()
  await expect(fields.getByText('The client sees this')).not.toHaveCount(0)

  await expect(page.getByText(`${parts.label} is now Fuse`)).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(async () => (await detail()).fields[parts.key]).toBeUndefined()
  await page.reload()
  await page.getByRole('button', { name: /^\d+ changes$/ }).click()
  await expect(page.getByText(`set ${cause.label} to Cable`)).toBeVisible()
  await expect(page.getByText(`cleared ${parts.label}`)).toBeVisible()

  await desk.post('/api/admin/fields/archive', { id: cause.id }, desk.admin)
  await page.reload()
  await expect(fields.getByText('no longer asked')).toBeVisible()
  await expect(fields.getByRole('button', { name: new RegExp(`^${cause.label}`) })).toHaveCount(0)
  await expectAccessible(page, 'a ticket with fields')
})

test('closing asks for what it needs over the composer; a reply is kept and goes out with it', async ({
  desk,
  client,
  consolePage: page
}) => {
  const { key, label } = named('Needed')
  const { field } = await desk.post(
    '/api/admin/fields/create',
    { key, label, kind: 'select', required_on: 'close', options: [{ label: 'Firmware' }, { label: 'Cable' }] },
    desk.admin
  )
  const { field: optional } = await desk.post(
    '/api/admin/fields/create',
    { ...named('Optional'), kind: 'text' },
    desk.admin
  )
  const { department } = await desk.post('/api/admin/departments/create', { name: `Closing ${key}` }, desk.admin)
  const items = [{ field_id: field.id }, { field_id: optional.id }]
  const name = `Form ${key}`
  await desk.post('/api/admin/ticket-forms/create', { name, deptids: [department.deptid], items }, desk.admin)
  const open = async () => {
    const { ticket_id } = await desk.ticket(client)
    const body = { id: ticket_id, department_id: department.deptid }
    return (await desk.post('/api/admin/tickets/update', body, desk.admin)).ticket
  }
  const now = async (id: number) => (await desk.post('/api/admin/tickets/detail', { id }, desk.admin)).ticket
  const panel = page.getByRole('alertdialog', { name: 'One field is needed to close' })

  const closed = await open()
  await page.goto(`/desk/all/${closed.ticket_number}`)
  await page.getByRole('textbox', { name: 'Reply', exact: true }).waitFor()
  await expect(page.getByRole('region', { name: 'Fields', exact: true })).toBeVisible()
  const fold = page.getByRole('button', { name: /^\d+ empty$/ })
  if (await fold.isVisible()) await fold.click()
  await expect(page.getByRole('button', { name: `${label}: needed to close` })).toBeVisible()
  await page.keyboard.press('e')
  await expect(panel.getByRole('combobox', { name: label })).toBeFocused()
  await expect(panel).toContainText(name)
  await expect(panel.getByRole('textbox', { name: optional.label })).toBeVisible()
  await expectAccessible(page, 'what closing needs')
  await panel.getByRole('button', { name: 'Close the ticket' }).click()
  await expect(panel.getByRole('combobox', { name: label })).toHaveAttribute('aria-invalid', 'true')
  await panel.getByRole('combobox', { name: label }).selectOption('Cable')
  await panel.getByRole('button', { name: 'Close the ticket' }).click()
  await expect.poll(async () => (await now(closed.id)).status).toBe('Closed')
  expect((await now(closed.id)).fields).toEqual({ [key]: 2 })
  await expect(panel).toHaveCount(0)

  const replied = await open()
  await page.goto(`/desk/all/${replied.ticket_number}`)
  await page.getByRole('textbox', { name: 'Reply', exact: true }).fill('Firmware 8.1.2 holds.')
  await page.getByRole('button', { name: 'Other ways to send' }).click()
  await page.getByRole('menuitem', { name: 'Send and close' }).click()
  await expect(panel).toContainText('Your reply is kept below.')
  expect((await now(replied.id)).status).toBe('Open')
  await panel.getByRole('combobox', { name: label }).selectOption('Firmware')
  await panel.getByRole('button', { name: 'Send and close' }).click()
  await expect.poll(async () => (await now(replied.id)).status).toBe('Closed')
  await expect(page.getByText('Firmware 8.1.2 holds.')).toBeVisible()
})

test('whoever opens a ticket for a client fills in what the form of its department asks', async ({
  desk,
  client,
  consolePage: page
}) => {
  const { key, label } = named('Model')
  const { field } = await desk.post('/api/admin/fields/create', { key, label, kind: 'text' }, desk.admin)
  const { department } = await desk.post('/api/admin/departments/create', { name: `Models ${key}` }, desk.admin)
  const form = { name: `Form ${key}`, deptids: [department.deptid], items: [{ field_id: field.id }] }
  await desk.post('/api/admin/ticket-forms/create', form, desk.admin)
  await page.goto(`/desk/clients/${client.id}`)
  await page.getByRole('button', { name: 'New ticket' }).click()
  const dialog = page.getByRole('dialog', { name: 'New ticket for a client' })
  await expect(dialog.getByRole('textbox', { name: label })).toHaveCount(0)
  await dialog.getByRole('combobox', { name: 'Department' }).selectOption(department.name)
  await dialog.getByRole('textbox', { name: label }).fill('X8')
  await dialog.getByRole('textbox', { name: 'Subject' }).fill(`By phone ${key}`)
  await dialog.getByRole('textbox', { name: /^Message/ }).fill('It hums.')
  await dialog.getByRole('button', { name: 'Open ticket' }).click()
  await expect(page.getByRole('heading', { level: 1, name: `By phone ${key}` })).toBeVisible()
  const { tickets } = await desk.post('/api/admin/tickets/list', { client_id: client.id }, desk.admin)
  const { ticket } = await desk.post('/api/admin/tickets/detail', { id: tickets[0]!.id }, desk.admin)
  expect(ticket.fields).toEqual({ [key]: 'X8' })
})

test('a list is filtered by a field, and the filter is saved as a view', async ({
  desk,
  client,
  consolePage: page
}) => {
  const { key, label } = named('Device')
  const options = [{ label: 'Inverter' }, { label: 'Wallbox' }]
  const body = { key, label, kind: 'select' as const, is_filterable: 1 as const, options }
  const { field } = await desk.post('/api/admin/fields/create', body, desk.admin)
  const ticket = async (subject: string, option: number) => {
    const { ticket_id } = await desk.ticket(client, { subject })
    await desk.post('/api/admin/tickets/update', { id: ticket_id, fields: { [key]: option } }, desk.admin)
  }
  await ticket(`Hums ${key}`, 1)
  await ticket(`Does not load ${key}`, 2)
  const isReady = async () => {
    const { fields } = await desk.post('/api/admin/fields/list', {}, desk.admin)
    return fields.find(({ id }) => id === field.id)?.is_filter_ready
  }
  await expect.poll(isReady).toBe(1)
  await page.goto('/desk/all')
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('button', { name: label }).click()
  await page.getByRole('option', { name: 'Wallbox' }).click()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(new RegExp(`f${field.id}=in`))
  await expect(page.getByRole('link', { name: `Does not load ${key}` })).toBeVisible()
  await expect(page.getByRole('link', { name: `Hums ${key}` })).toHaveCount(0)

  await page.getByRole('button', { name: 'Save as view' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill(`Wallboxes ${key}`)
  await page.getByRole('dialog').getByRole('button', { name: 'Save view' }).click()
  await expect(page.getByRole('heading', { level: 1, name: `Wallboxes ${key}` })).toBeVisible()
  await expect(page.getByRole('button', { name: `${label}: Wallbox` })).toBeVisible()
  await expect(page.getByRole('link', { name: `Does not load ${key}` })).toBeVisible()
  await expect(page.getByRole('link', { name: `Hums ${key}` })).toHaveCount(0)
})

test('a client reads what they may of the fields of a ticket, and changes what they may write', async ({
  desk,
  client,
  portalPage: page
}) => {
  const make = async (word: string, client_access: 'none' | 'read' | 'write') =>
    (await desk.post('/api/admin/fields/create', { ...named(word), kind: 'text', client_access }, desk.admin)).field
  const [hidden, read, written] = [
    await make('Hidden', 'none'),
    await make('Read', 'read'),
    await make('Write', 'write')
  ]
  const { ticket_id } = await desk.ticket(client)
  const fields = { [hidden.key]: 'for us', [read.key]: 'for both', [written.key]: 'SN-1' }
  await desk.post('/api/admin/tickets/update', { id: ticket_id, fields }, desk.admin)
  await page.goto(`/tickets/${ticket_id}`)
  await expect(page.getByText('for both')).toBeVisible()
  await expect(page.getByText('for us')).toHaveCount(0)
  await page.getByRole('button', { name: 'Change' }).click()
  const dialog = page.getByRole('dialog', { name: 'Details of your ticket' })
  await expect(dialog.getByRole('textbox', { name: read.label })).toHaveCount(0)
  await dialog.getByRole('textbox', { name: written.label }).fill('SN-2')
  await expectAccessible(page, 'a client changes fields')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText('SN-2')).toBeVisible()
  const { ticket } = await desk.post('/api/admin/tickets/detail', { id: ticket_id }, desk.admin)
  expect(ticket.fields).toEqual({ ...fields, [written.key]: 'SN-2' })
})

test('F3 what the form of the department hides is not asked when a client changes the details of a ticket', async ({
  desk,
  client,
  portalPage: page
}) => {
  const written = { client_access: 'write' as const }
  const options = [{ label: 'Inverter' }, { label: 'Storage' }]
  const [product, code] = [
    (
      await desk.post(
        '/api/admin/fields/create',
        { ...named('Product'), ...written, kind: 'select', options },
        desk.admin
      )
    ).field,
    (await desk.post('/api/admin/fields/create', { ...named('Code'), ...written, kind: 'text' }, desk.admin)).field
  ]
  const items = [{ field_id: product.id }, { field_id: code.id, show_if: { field_id: product.id, in: [1] } }]
  const { department } = await desk.post('/api/admin/departments/create', { name: `Roofs ${product.id}` }, desk.admin)
  const { form } = await desk.post(
    '/api/admin/ticket-forms/create',
    { name: `Roofs ${product.id}`, deptids: [department.deptid], items },
    desk.admin
  )
  const { ticket_id } = await desk.ticket(client, { deptid: department.deptid })
  await page.goto(`/tickets/${ticket_id}`)
  await page.getByRole('button', { name: /^(Add details|Change)$/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Details of your ticket' })
  await expect(dialog.getByLabel(product.label)).toBeVisible()
  await expect(dialog.getByRole('textbox', { name: code.label })).toHaveCount(0)
  await dialog.getByLabel(product.label).selectOption('Inverter')
  await dialog.getByRole('textbox', { name: code.label }).fill('E-042')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toHaveCount(0)

  const { ticket } = await desk.post('/api/admin/tickets/detail', { id: ticket_id }, desk.admin)
  expect(ticket.fields).toEqual({ [product.key]: 1, [code.key]: 'E-042' })
  await desk.post('/api/admin/ticket-forms/archive', { id: form.id }, desk.admin)
})
