import { expectAccessible } from '../support/axe.ts'
import { expect, test } from '../support/test.ts'

test('a form is put together, shows a field depending on another, and is tried beside it', async ({
  desk,
  consolePage: page
}) => {
  const mark = Date.now()
  const make = async (label: string, kind: 'select' | 'text') => {
    const options = kind === 'select' ? [{ label: 'Inverter' }, { label: 'Wallbox' }] : []
    const body = { key: `${label.toLowerCase()}_${mark}`, label: `${label} ${mark}`, kind, options }
    return (await desk.post('/api/admin/fields/create', { ...body, client_access: 'write' }, desk.admin)).field
  }
  const [product, code] = [await make('Product', 'select'), await make('Code', 'text')]
  const { department } = await desk.post('/api/admin/departments/create', { name: `Repairs ${mark}` }, desk.admin)
  await page.goto('/desk/forms/new')
  await page.getByRole('textbox', { name: 'Name' }).fill(`Hardware ${mark}`)
  for (const { label } of [product, code]) {
    await page.getByRole('button', { name: 'Add a field' }).click()
    await page.getByRole('option', { name: label }).click()
  }
  await page.getByRole('button', { name: 'always' }).click()
  await page.getByRole('option', { name: `if ${product.label}` }).click()
  await page.getByRole('button', { name: 'choose …' }).click()
  await page.getByRole('listbox').getByRole('option', { name: 'Inverter' }).click()
  await page.keyboard.press('Escape')
  await page
    .getByRole('group', { name: `${code.label} is needed` })
    .getByText('When shown')
    .click()
  const list = page.getByRole('list', { name: 'Asked for' })
  await expect(list).toContainText(`If ${product.label} is Inverter`)

  const preview = page.getByRole('region', { name: 'As a client sees it' })
  await expect(preview.getByRole('textbox', { name: code.label })).toHaveCount(0)
  await preview.getByRole('combobox', { name: product.label }).selectOption('Inverter')
  await expect(preview.getByRole('textbox', { name: code.label })).toBeVisible()
  await expectAccessible(page, 'a form being put together')

  // A field stays below the one on which it depends.
  await page.getByRole('button', { name: `Actions for ${code.label}` }).click()
  await page.getByRole('menuitem', { name: 'Move up' }).click()
  await expect(page.getByText(`${code.label} stays below ${product.label}`)).toBeVisible()

  await page.getByRole('button', { name: 'No department' }).click()
  await page.getByRole('option', { name: department.name }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Save form' }).click()
  await expect(page.getByRole('heading', { level: 1, name: `Hardware ${mark}` })).toBeVisible()
  const saved = async () => {
    const { forms } = await desk.post('/api/admin/ticket-forms/list', {}, desk.admin)
    return forms.find(({ name }) => name === `Hardware ${mark}`)
  }
  expect(await saved()).toMatchObject({
    deptids: [department.deptid],
    is_default: 0,
    items: [
      { field_id: product.id, required: 0, show_if: null },
      { field_id: code.id, required: 1, show_if: { field_id: product.id, in: [1] } }
    ]
  })

  await page.goto('/desk/forms')
  const row = page.getByRole('row').filter({ hasText: `Hardware ${mark}` })
  await expect(row).toContainText(department.name)
  await expect(row).toContainText('2 fields')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(page, 'the forms on a phone')
  await row.getByRole('button', { name: `Actions for Hardware ${mark}` }).click()
  await page.getByRole('menuitem', { name: 'Archive …' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Archive', exact: true }).click()
  await expect.poll(async () => (await saved())?.is_archived).toBe(1)
})
