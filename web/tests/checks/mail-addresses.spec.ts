import { expectAccessibleInEachWindow } from '../support/axe.ts'
import { expect, test } from '../support/test.ts'

test('of a department with several addresses it is chosen which one sends, and only there', async ({
  desk,
  consolePage: page
}) => {
  const before = (await desk.post('/api/admin/settings', {}, desk.admin)).settings
  const { department } = await desk.post('/api/admin/departments/create', { name: `Senders ${Date.now()}` }, desk.admin)
  const { deptid, name } = department
  const own = [`one-${deptid}@desk.example`, `two-${deptid}@desk.example`] as const
  await desk.post(
    '/api/admin/settings/update',
    { mail_addresses: { ...before.mail_addresses, [own[0]]: deptid }, mail_senders: [] },
    desk.admin
  )
  const sends = page.getByRole('checkbox', { name: `${name} sends from this address` })
  const senders = async () => {
    const { mail_senders } = (await desk.post('/api/admin/settings', {}, desk.admin)).settings
    return mail_senders.filter(address => (own as readonly string[]).includes(address))
  }
  const save = async () => {
    await page.getByRole('button', { name: 'Save addresses' }).click()
    await expect(page.getByRole('button', { name: 'Discard' })).toHaveCount(0)
  }

  await page.goto('/desk/settings/email')
  await page.getByRole('button', { name: `Remove ${own[0]}` }).waitFor()
  await expect(sends).toHaveCount(0)
  await page.getByRole('button', { name: 'Add address' }).click()
  await page.getByRole('textbox', { name: 'E-mail', exact: true }).last().fill(own[1])
  await page.getByRole('combobox', { name: 'Department' }).last().selectOption(name)
  await expect(sends).toHaveCount(2)
  await sends.nth(1).check()
  await save()
  await expect.poll(senders).toEqual([own[1]])

  await sends.nth(0).check()
  await expect(sends.nth(1)).not.toBeChecked()
  await save()
  await expect.poll(senders).toEqual([own[0]])
  await page.reload()
  await expect(sends.nth(0)).toBeChecked()
  // What is typed stays when the window becomes narrow, as a tablet that is turned.
  await page.getByRole('button', { name: 'Add address' }).click()
  const typed = page.getByRole('textbox', { name: 'E-mail', exact: true }).last()
  await typed.fill('three@desk.example')
  for (const width of [700, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(typed).toHaveValue('three@desk.example')
  }
  await page.getByRole('button', { name: 'Discard' }).click()
  await expectAccessibleInEachWindow(page, 'the addresses of the desk')
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/addresses-phone.png`, fullPage: true })

  const { mail_addresses, mail_senders } = before
  await desk.post('/api/admin/settings/update', { mail_addresses, mail_senders }, desk.admin)
})
