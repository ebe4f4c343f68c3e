import { expectAccessible } from '../support/axe.ts'
import { expect, test } from '../support/test.ts'

test('before an answer is written it is told what reaches whom', async ({ desk, client, consolePage: page }) => {
  const { ticket_id: id, ticket_number: number } = await desk.ticket(client, { subject: 'Without e-mails' })
  const anton = { id, email: `anton${id}@example.com`, name: 'Anton' }
  await desk.post('/api/admin/tickets/followers/add', anton, desk.admin)
  await page.goto(`/desk/all/${number}`)
  await expect(page.getByText('The address is not confirmed: Katharina gets an e-mail')).toBeVisible()
  const open = page.getByRole('button', { name: 'What reaches whom', exact: true })
  await open.press('Enter')
  const panel = page.getByRole('region', { name: 'What reaches whom' })
  await expect(panel.getByRole('listitem')).toHaveText([
    'Katharina Brandt, in the portal: this answer, at once',
    /^Katharina Brandt, by e-mail: The address is not confirmed/,
    'Anton, by e-mail: this answer'
  ])
  // It never takes the focus by itself.
  await expect(open).toBeFocused()
  await expectAccessible(page, 'what reaches whom', ['nav', '.tooltip'])
  await panel.getByRole('button', { name: 'Close what reaches whom' }).click()
  await expect(panel).toHaveCount(0)
})

test('e-mails that a client had turned off are turned on again because the client asked, and the timeline says by whom', async ({
  desk,
  client,
  consolePage: page
}) => {
  const { ticket_number: number } = await desk.ticket(client, { subject: 'On again' })
  await desk.post('/api/account/notifications', { ticket_emails: 0 }, client)
  await page.goto(`/desk/all/${number}`)
  await page.getByRole('button', { name: 'What reaches whom', exact: true }).press('Enter')
  const panel = page.getByRole('region', { name: 'What reaches whom' })
  await expect(panel.getByText('If Katharina asked for it. Stands in the time line.')).toBeVisible()

  await panel.getByRole('button', { name: 'Turn on again …' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Turn on e-mails to Katharina again?' })
  await expectAccessible(page, 'turning e-mails on again', ['nav', '.tooltip'])
  await dialog.getByRole('button', { name: 'Turn on again' }).click()

  await expect(dialog).toHaveCount(0)
  await expect(panel.getByText('Turn on again …')).toHaveCount(0)
  const { client_email } = await desk.post('/api/admin/tickets/detail', { id: number }, desk.admin)
  expect(client_email.state).not.toBe('turned_off')
})
