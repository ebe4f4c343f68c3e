import { receive } from '../support/inbound-mail.ts'
import { expect, test } from '../support/test.ts'

test('a ticket is forwarded to a third party beside the client’s thread; the answer comes back there, and the client sees none of it', async ({
  desk,
  client,
  consolePage: page,
  pageOf
}) => {
  await desk.post('/api/admin/settings/update', { undo_send_seconds: 0 }, desk.admin)
  const ticket = await desk.ticket(client, { message: 'It shows E-042.' })
  await page.goto(`/desk/all/${ticket.ticket_number}`)
  await expect(page.getByRole('article').filter({ hasText: 'It shows E-042.' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Side conversations' })).toBeVisible()

  await page.keyboard.press('o')
  const pane = page.getByRole('complementary', { name: 'Side conversation' })
  await expect(pane.getByText('Katharina never sees this.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Choose what goes along' })).toBeVisible()
  await expect(page.getByRole('textbox', { name: /reply/i })).toBeHidden()
  await page.getByRole('checkbox', { name: /Send the message of Katharina/ }).check()
  await pane.getByRole('textbox', { name: 'To', exact: true }).fill('Sungrid <service@sungrid.example>')
  await page.keyboard.press('Enter')
  await pane.getByRole('textbox', { name: 'What do you want to ask?' }).fill('Is it safe?')
  await pane.getByRole('button', { name: 'Forward' }).click()

  await expect(pane.getByRole('article').filter({ hasText: 'Is it safe?' })).toBeVisible()
  await expect(page).toHaveURL(/side=\d+/)
  const { messageId } = await desk.outbox.emailTo('service@sungrid.example')
  await receive(desk, [
    'From: Sungrid Service <service@sungrid.example>',
    'To: support@desk.example',
    `In-Reply-To: ${messageId}`,
    'Subject: Re: Inverter is silent',
    '',
    'Yes, it is.',
    ''
  ])

  await expect(pane.getByRole('article').filter({ hasText: 'Yes, it is.' })).toBeVisible()
  await expect(page.locator('[data-side]')).toContainText('Sungrid Service answered: Yes, it is.')
  await page.keyboard.press('Escape')
  const portal = await pageOf(client)
  await portal.goto(`/tickets/${ticket.ticket_number}`)
  await expect(portal.getByText('It shows E-042.')).toBeVisible()
  await expect(portal.getByText(/Yes, it is|Is it safe|ungrid/)).toHaveCount(0)
  await desk.post('/api/admin/settings/update', { undo_send_seconds: 0 }, desk.admin)
})
