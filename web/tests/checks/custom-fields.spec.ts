import { expectAccessible } from '../support/axe.ts'
import { expect, test } from '../support/test.ts'

let serial = 0

/** A name and a key of this test alone: all tests of a worker share the desk. */
function named(word: string) {
  const key = `${word.toLowerCase()}_${Date.now()}_${++serial}`
  return { key, label: `${word} ${key.slice(word.length + 1)}` }
}

test('a field is added with its choices, moved, and changed; its key and its kind stay', async ({
  desk,
  consolePage: page
}) => {
  const { label } = named('Cause')
  const { field: above } = await desk.post('/api/admin/fields/create', { ...named('Above'), kind: 'text' }, desk.admin)
  await page.goto('/desk/fields')
  await page.getByRole('button', { name: 'Add field' }).click()
  const adding = page.getByRole('dialog', { name: 'Add field' })
  await adding.getByRole('textbox', { name: 'Name', exact: true }).fill(label)
  await expect(adding.getByRole('textbox', { name: 'Key' })).toHaveValue(label.toLowerCase().replace(' ', '_'))
  await adding.getByRole('radio', { name: 'One of' }).check()
  await adding.getByRole('button', { name: 'Add field' }).click()
  const choice = adding.getByRole('textbox', { name: 'Add a choice' })
  await expect(choice).toBeFocused()
  await choice.fill('Firmware')
  await choice.press('Enter')
  await choice.fill('Cable')
  await choice.press('Enter')
  await adding.getByRole('button', { name: 'Move Cable' }).press(' ')
  await adding.getByRole('button', { name: 'Move Cable' }).press('ArrowUp')
  await adding.getByRole('button', { name: 'Move Cable' }).press(' ')
  await adding.getByRole('combobox', { name: 'Needed' }).selectOption('To close')
  await adding.getByRole('checkbox', { name: 'Can be filtered by' }).check()
  await adding.getByRole('button', { name: 'Add field' }).click()
  await expect(adding).toHaveCount(0)

  const saved = async () => {
    const { fields } = await desk.post('/api/admin/fields/list', {}, desk.admin)
    return fields.find(field => field.label.startsWith(label))
  }
  expect(await saved()).toMatchObject({ kind: 'select', required_on: 'close', client_access: 'none', is_filterable: 1 })
  expect((await saved())!.options.map(option => option.label)).toEqual(['Cable', 'Firmware'])
  const row = page.getByRole('list', { name: 'Fields' }).getByRole('listitem').filter({ hasText: label })
  await expect(row).toContainText('One of 2')
  await expect(row).toContainText('Nowhere')
  await expect(row).not.toContainText('Filter is being prepared')

  const handle = page.getByRole('button', { name: `Move ${label}` })
  await handle.press(' ')
  await handle.press('ArrowUp')
  await handle.press(' ')
  const order = async () => {
    const { fields } = await desk.post('/api/admin/fields/list', {}, desk.admin)
    return fields.filter(field => field.id === above.id || field.label === label).map(({ id }) => id)
  }
  await expect.poll(order).toEqual([(await saved())!.id, above.id])
  // The list shows what was saved; until then a menu would close again.
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()

  await page.getByRole('button', { name: `Actions for ${label}` }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const editing = page.getByRole('dialog', { name: 'Edit field' })
  await expect(editing.getByRole('textbox', { name: 'Key' })).not.toBeEditable()
  await expect(editing.getByRole('radio', { name: 'Yes or no' })).toBeDisabled()
  await editing.getByRole('textbox', { name: 'Name', exact: true }).fill(`${label} anew`)
  await editing.getByRole('textbox', { name: 'Name of Cable' }).fill('Cables')
  await editing.getByRole('button', { name: 'Save' }).click()
  await expect(editing).toHaveCount(0)
  expect((await saved())!.label).toBe(`${label} anew`)
  expect((await saved())!.options.map(option => option.label)).toEqual(['Cables', 'Firmware'])
})

test('an archived field is deleted once nothing uses it; until then its uses are links', async ({
  desk,
  consolePage: page
}) => {
  const { key, label } = named('Product')
  const { field } = await desk.post(
    '/api/admin/fields/create',
    { key, label, kind: 'select', is_filterable: 1, options: [{ label: 'Inverter' }] },
    desk.admin
  )
  const view = await desk.post(
    '/api/admin/views/create',
    {
      name: `View ${key}`,
      query: { conditions: { all: [{ any: [{ field: `f${field.id}`, op: 'in', value: [1] }] }] } }
    },
    desk.admin
  )
  await page.goto('/desk/fields')
  const row = page.getByRole('listitem').filter({ hasText: label })
  await row.getByRole('button', { name: '1 view' }).click()
  await expect(page.getByRole('dialog').getByRole('link', { name: `View ${key}` })).toHaveAttribute(
    'href',
    `/desk/view-${view.view.id}`
  )
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()

  await page.getByRole('button', { name: `Actions for ${label}` }).click()
  await page.getByRole('menuitem', { name: 'Archive …' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Archive', exact: true }).click()
  await page.getByRole('button', { name: /^Show \d+ archived$/ }).click()
  await page.getByRole('button', { name: `Actions for ${label}` }).click()
  await page.getByRole('menuitem', { name: 'Delete …' }).click()
  const refusal = page.getByRole('dialog', { name: `${label} is still used` })
  await expect(refusal.getByRole('link', { name: `View ${key}` })).toBeVisible()
  await refusal.getByRole('button', { name: 'Close' }).last().click()

  await desk.post('/api/admin/views/delete', { id: view.view.id }, desk.admin)
  await page.reload()
  await page.getByRole('button', { name: /^Show \d+ archived$/ }).click()
  await page.getByRole('button', { name: `Actions for ${label}` }).click()
  await page.getByRole('menuitem', { name: 'Delete …' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByRole('button', { name: `Actions for ${label}` })).toHaveCount(0)
})

test('the list of fields and its dialog are accessible, on a phone too', async ({ desk, pageOf }) => {
  await desk.post('/api/admin/fields/create', { ...named('Colour'), kind: 'text', client_access: 'read' }, desk.admin)
  for (const viewport of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 }
  ]) {
    const page = await pageOf(desk.admin, { viewport })
    await page.goto('/desk/fields')
    await expect(page.getByRole('button', { name: /^Actions for Colour/ }).first()).toBeVisible()
    await expectAccessible(page, `the fields at ${viewport.width}`)
    await page.getByRole('button', { name: 'Add field' }).click()
    await page.getByRole('dialog').getByRole('radio', { name: 'Some of' }).check()
    await expectAccessible(page, `adding a field at ${viewport.width}`)
  }
})
