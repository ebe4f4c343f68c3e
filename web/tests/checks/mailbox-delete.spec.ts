import { expectAccessible, windows } from '../support/axe.ts'
import { expect, test } from '../support/test.ts'

test('an address is deleted once it is typed, and whoever does so chooses where the answers of its tickets come from', async ({
  desk,
  pageOf
}) => {
  const { departments } = await desk.post('/api/departments', {}, desk.admin)
  const add = async (address: string, is_active: 0 | 1) => {
    const server = { host: 'mail.box.example', security: 'tls', user: 'desk', password: 'n0tThat' } as const
    const given = { name: address, address, deptid: departments[0]!.deptid, auth: 'password', is_active } as const
    const servers = { imap: { ...server, port: 993 }, smtp: { ...server, port: 465 } }
    return (await desk.post('/api/admin/mail/mailboxes/create', { ...given, ...servers }, desk.admin)).mailbox
  }
  const old = await add(`old${Date.now()}@box.example`, 0)
  // One that is being set up cannot send yet.
  const next = await add(`next${Date.now()}@box.example`, 1)
  const page = await pageOf(desk.admin, { viewport: windows.desktop })
  await page.goto(`/desk/settings/email/${old.id}`)
  await page.getByRole('button', { name: `Actions for ${old.address}` }).click()
  await page.getByRole('menuitem', { name: 'Delete …' }).click()

  const dialog = page.getByRole('dialog', { name: `Delete ${old.address}?` })
  await expect(dialog).toContainText('Nothing is deleted at the provider.')
  await expect(dialog.getByLabel('Answers in its tickets then come from')).toBeVisible()
  const confirm = dialog.getByRole('button', { name: 'Delete address' })
  await expect(confirm).toBeDisabled()
  await expectAccessible(page, 'deleting an address')
  if (process.env.SHOTS) {
    await page.screenshot({ path: `${process.env.SHOTS}/delete-light.png` })
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.screenshot({ path: `${process.env.SHOTS}/delete-dark.png` })
    await page.setViewportSize(windows.phone)
    await page.screenshot({ path: `${process.env.SHOTS}/delete-phone.png` })
    await page.setViewportSize(windows.desktop)
  }
  await dialog.getByLabel('Answers in its tickets then come from').selectOption(next.address)
  await dialog.getByRole('textbox').fill(old.address)
  const deleting = page.waitForRequest('**/api/admin/mail/mailboxes/delete')
  await confirm.click()

  expect((await deleting).postDataJSON()).toMatchObject({ id: old.id, answers_from: next.address })
  await expect(page).toHaveURL(/\/desk\/settings\/email$/)
  const { mailboxes } = await desk.post('/api/admin/mail/mailboxes/list', {}, desk.admin)
  expect(mailboxes.map(({ id }) => id)).not.toContain(old.id)
  // Another test of this desk wants to find none.
  await desk.post('/api/admin/mail/mailboxes/delete', { id: next.id, expected_version: next.version }, desk.admin)
})
