import { expectAccessible } from '../support/axe.ts'
import { expect, test } from '../support/test.ts'

let deptid = 0

test.afterEach(async ({ desk }) => {
  // All tests of a worker share the desk.
  await desk.post('/api/admin/departments/update', { id: deptid, is_active: 0 }, desk.admin)
})

test('the details of a ticket say which field closing needs, and why its fields are asked', async ({
  desk,
  client,
  consolePage: page
}) => {
  const { admin } = desk
  const key = (word: string) => `${word}_${Date.now()}`
  const { department } = await desk.post('/api/admin/departments/create', { name: key('Hardware') }, admin)
  deptid = department.deptid
  const options = ['Inverter', 'Storage'].map(label => ({ label }))
  const product = { key: key('product'), label: key('Product'), kind: 'select' as const, options }
  const part = { key: key('part'), label: key('Part'), kind: 'text' as const, required_on: 'close' as const }
  const { field: control } = await desk.post('/api/admin/fields/create', product, admin)
  const { field: needed } = await desk.post('/api/admin/fields/create', part, admin)
  const items = [
    { field_id: control.id, required: 1 as const },
    { field_id: needed.id, show_if: { field_id: control.id, in: [1] } }
  ]
  await desk.post('/api/admin/ticket-forms/create', { name: 'Devices', deptids: [deptid], items }, admin)
  const opening = { deptid, subject: 'It stops', message: 'Every day.', client_id: client.id }
  const { ticket } = await desk.post('/api/admin/tickets/create', opening, admin)

  await page.goto(`/desk/all/${ticket.ticket_number}`)
  const fields = page.getByRole('region', { name: 'Fields' })
  const why = fields.getByRole('button', { name: 'Why are these asked?' })
  await why.click()
  await expect(why).toHaveAttribute('aria-expanded', 'true')
  await expect(fields.getByText('The form “Devices” asks them')).toBeVisible()
  await expect(fields.getByText(`Not asked for these answers: ${part.label}`)).toBeVisible()
  await expect(fields.getByText('needed to close')).toHaveCount(0)
  // Where the desk has many fields, those without a value are folded.
  const button = fields.getByRole('button', { name: `${product.label}:` })
  const fold = fields.getByRole('button', { name: /^\d+ empty$/ })
  await expect(button.or(fold).first()).toBeVisible()
  if (!(await button.isVisible())) await fold.click()
  await button.click()
  await page.getByRole('option', { name: 'Inverter' }).click()

  await expect(fields.getByText(`since ${product.label} is Inverter · needed to close`)).toBeVisible()
  await expect(fields.getByText('needed from clients who open a ticket')).toBeVisible()
  await expect(fields.getByRole('button', { name: `${part.label}: needed to close` })).toBeVisible()
  await expectAccessible(page, 'why fields are asked')
})
