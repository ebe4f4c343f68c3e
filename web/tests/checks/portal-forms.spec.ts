import type { Page } from '@playwright/test'
import { chooseDepartment } from '../support/choose-department.ts'
import type { Desk } from '../support/desk.ts'
import { expect, test } from '../support/test.ts'

const send = (page: Page) => page.getByRole('button', { name: 'Send ticket' }).click()

/** A department whose form asks for the product and, of an inverter, for its error code and its yield; in another one the product too. */
async function twoForms(desk: Desk) {
  const { admin } = desk
  const suffix = Math.random().toString(36).slice(2, 8)
  const department = async (name: string) => {
    const body = { name: `${name} ${suffix}` }
    const { department } = await desk.post('/api/admin/departments/create', body, admin)
    made.push(department.deptid)
    return department
  }
  const field = async (key: string, kind: 'select' | 'text' | 'number' | 'multi_select', label: string) => {
    const options = kind.endsWith('select') ? ['Inverter', 'Storage', 'Other'].map(label => ({ label })) : []
    const body = { key: `${key}_${suffix}`, kind, label, options, client_access: 'write' as const }
    return (await desk.post('/api/admin/fields/create', body, admin)).field
  }
  const [hardware, elsewhere] = [await department('Hardware'), await department('Elsewhere')]
  const product = await field('product', 'select', 'Product')
  const code = await field('code', 'text', 'Error code')
  const kwh = await field('kwh', 'number', 'Yield in kWh')
  const modules = await field('modules', 'multi_select', 'Modules')
  const show_if = { field_id: product.id, in: [1] }
  const form = (name: string, deptid: number, items: object[]) =>
    desk.post('/api/admin/ticket-forms/create', { name, deptids: [deptid], items: items as [] }, admin)
  await form('Hardware', hardware.deptid, [
    { field_id: product.id, required: 1 },
    { field_id: code.id, required: 1, show_if },
    { field_id: kwh.id, show_if },
    { field_id: modules.id }
  ])
  await form('Elsewhere', elsewhere.deptid, [{ field_id: product.id }])
  return { hardware, elsewhere, keys: { product: product.key, code: code.key, kwh: kwh.key, modules: modules.key } }
}

/** The departments of a test: all tests of a worker share the desk. */
const made: number[] = []

test.afterEach(async ({ desk }) => {
  for (const id of made.splice(0)) {
    await desk.post('/api/admin/departments/update', { id, is_active: 0 }, desk.admin)
  }
})

test('F2, F3 a new ticket asks what its department asks, opens questions below the answer that opens them, and sends what is shown', async ({
  desk,
  portalPage: page
}) => {
  const { hardware, elsewhere, keys } = await twoForms(desk)
  await page.goto('/new')
  const about = (department: { name: string }) => chooseDepartment(page, department)
  await about(hardware)
  await page.getByLabel('Subject').fill('Inverter stops')
  await page.getByLabel('What happened?').fill('Every 40 minutes.')
  await expect(page.getByLabel('Product', { exact: true })).toBeVisible()
  await expect(page.getByLabel('Error code')).toBeHidden()

  await send(page)
  await expect(page.getByText('Fill this in.')).toHaveCount(1)
  await expect(page.getByLabel('Product', { exact: true })).toBeFocused()
  await page.getByLabel('Product', { exact: true }).selectOption('Inverter')
  await expect(page.getByRole('status').filter({ hasText: '2 more questions' })).toBeAttached()
  await page.getByLabel('Yield in kWh').fill('much')
  await send(page)
  await expect(page.getByLabel('Error code')).toBeFocused()
  await expect(page.getByText('Type a number')).toBeVisible()
  await page.getByLabel('Error code').fill('E-042')
  await page.getByLabel('Yield in kWh').fill('12,5')

  // What was typed is kept where the other department asks the same, and for the way back.
  await about(elsewhere)
  await expect(page.getByLabel('Error code')).toBeHidden()
  await expect(page.getByLabel('Product', { exact: true })).toHaveValue('1')
  await about(hardware)
  await expect(page.getByLabel('Error code')).toHaveValue('E-042')
  await page.getByLabel('Product', { exact: true }).selectOption('Storage')
  await expect(page.getByLabel('Error code')).toBeHidden()
  await page.getByLabel('Product', { exact: true }).selectOption('Inverter')
  await page.getByRole('checkbox', { name: 'Storage' }).check()
  await page.getByRole('checkbox', { name: 'Other' }).check()
  await send(page)

  await expect(page.getByRole('main').getByText(/We have it\. TIC-\d+ is its number\./)).toBeVisible()
  const number = new URL(page.url()).pathname.split('/').at(-1)!
  const { ticket } = await desk.post('/api/admin/tickets/detail', { id: number }, desk.admin)
  expect(ticket.fields).toEqual({
    [keys.product]: 1,
    [keys.code]: 'E-042',
    [keys.kwh]: 12.5,
    [keys.modules]: [2, 3]
  })
})

test('F2 people without an account fill in the form of a department, too', async ({ desk, page }) => {
  const { hardware, keys } = await twoForms(desk)
  await desk.post('/api/admin/settings/update', { tickets_without_account: 1 }, desk.admin)
  const email = `stranger.${Date.now()}@example.com`
  await page.goto('/open')
  await page.getByLabel('Your name').fill('Ada Lovelace')
  await page.getByLabel('E-mail').fill(email)
  await chooseDepartment(page, hardware)
  await page.getByLabel('Subject').fill('Storage is full')
  await page.getByLabel('What happened?').fill('It is.')
  await expect(page.getByLabel('Product', { exact: true })).toBeVisible()
  await send(page)
  await expect(page.getByLabel('Product', { exact: true })).toBeFocused()
  await page.getByLabel('Product', { exact: true }).selectOption('Storage')
  await send(page)

  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Thank you')
  const { tickets } = await desk.post('/api/admin/tickets/list', { department_id: hardware.deptid }, desk.admin)
  const { ticket } = await desk.post('/api/admin/tickets/detail', { id: tickets[0]!.id }, desk.admin)
  expect(ticket.fields).toEqual({ [keys.product]: 2 })
})
