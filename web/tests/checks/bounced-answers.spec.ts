import { expectAccessible } from '../support/axe.ts'
import { nobodyHas } from '../support/inbound-mail.ts'
import { expect, test } from '../support/test.ts'

const elsewhere = ['nav', '.tooltip']

test('an answer that came back is sent again from the thread, once it is confirmed, and the mail log shows it', async ({
  desk,
  consolePage: page
}) => {
  const client = await desk.client({ verified: true })
  const { ticket_id: id, ticket_number: number } = await desk.ticket(client)
  await desk.outbox.emailTo(client.email, new RegExp(number))
  await desk.post('/api/tickets/reply', { id, message: 'Turn it off and on.' }, desk.admin)
  const { messageId } = await desk.outbox.emailTo(client.email, /Turn it off/)
  await nobodyHas(desk, client.email, /Turn it off/)
  await desk.post('/api/admin/clients/deliver-again', { id: client.id }, desk.admin)
  await page.goto(`/desk/all/${number}`)

  const again = page.getByRole('button', { name: 'Send again', exact: true })
  await again.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Send this e-mail again?' })
  await dialog.getByRole('button', { name: 'Leave it as it is' }).click()
  await expect(again).toBeFocused()
  await again.press('Enter')
  await expectAccessible(page, 'sending an answer again', elsewhere)
  await dialog.getByRole('button', { name: 'Send again', exact: true }).click()

  await expect(dialog).toHaveCount(0)
  await expect(page.getByText('The e-mail is queued again')).toBeVisible()
  await expect.poll(async () => (await desk.outbox.emailTo(client.email, /Turn it off/)).messageId).not.toBe(messageId)
  await page.getByRole('button', { name: 'Show it' }).click()
  await expect(page).toHaveURL(/\/desk\/mail\/log\/\d+/)
})

test('an answer that came back goes to another address, which becomes the client’s if that is wanted', async ({
  desk,
  consolePage: page
}) => {
  const client = await desk.client({ verified: true })
  const taken = await desk.client()
  const { ticket_id: id, ticket_number: number } = await desk.ticket(client)
  const other = `new${id}@example.com`
  await desk.outbox.emailTo(client.email, new RegExp(number))
  await desk.post('/api/tickets/reply', { id, message: 'Have you tried sand?' }, desk.admin)
  await nobodyHas(desk, client.email, /Have you tried sand/)
  await page.goto(`/desk/all/${number}`)

  await page.getByRole('button', { name: 'Another address', exact: true }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Send this e-mail to another address' })
  const address = dialog.getByRole('textbox', { name: 'E-mail address' })
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(address).toBeFocused()
  await dialog.getByRole('checkbox', { name: 'Also change the address of Katharina Brandt' }).check({ force: true })
  await address.fill(taken.email)
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(dialog.getByText('Another client has this address.')).toBeVisible()
  await expectAccessible(page, 'another address for an answer', elsewhere)
  await address.fill(other)
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()

  await expect(dialog).toHaveCount(0)
  await expect(page.getByText('The e-mail is queued again')).toBeVisible()
  expect((await desk.outbox.emailTo(other, /Have you tried sand/)).to).toBe(other)
  const detail = await desk.post('/api/admin/clients/detail', { id: client.id }, desk.admin)
  expect(detail.client.email).toBe(other)
})
