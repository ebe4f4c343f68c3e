import { expectAccessible } from '../support/axe.ts'
import { receive } from '../support/inbound-mail.ts'
import { expect, test } from '../support/test.ts'

test('a ticket is forwarded to a third party beside the client’s thread; the answer comes back there, and the client sees none of it', async ({
  desk,
  client,
  consolePage: page,
  pageOf
}) => {
  await desk.post('/api/admin/settings/update', { undo_send_seconds: 30 }, desk.admin)
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
  await pane.getByRole('button', { name: 'Preview' }).click()
  const preview = page.getByRole('dialog', { name: 'Preview' })
  await expect(preview).toContainText('service@sungrid.example')
  await expect(preview.frameLocator('iframe').getByText('Is it safe?')).toBeVisible()
  await expect(preview.frameLocator('iframe').getByText('Client wrote:')).toBeVisible()
  await expectAccessible(page, 'the preview of what is forwarded', ['nav', '.tooltip'])
  await preview.getByRole('button', { name: 'Close' }).click()
  await pane.getByRole('button', { name: 'Forward', exact: true }).click()

  // It can be taken back as it was, and goes at once if one does not want to wait.
  const waiting = page.locator('.send-window')
  await expect(waiting).toContainText(/Goes to Sungrid in \d+ s/)
  await expect(page.getByText(/Not sent yet. Goes to Sungrid in \d+ s/)).toBeVisible()
  await waiting.getByRole('button', { name: 'Undo' }).click()
  await expect(waiting).toHaveCount(0)
  await expect(pane.getByRole('textbox', { name: 'What do you want to ask?' })).toHaveValue('Is it safe?')
  await expect(page.getByRole('checkbox', { name: /Send the message of Katharina/ })).toBeChecked()
  await expect(pane).toContainText('service@sungrid.example')
  await pane.getByRole('button', { name: 'Forward', exact: true }).click()
  await waiting.getByRole('button', { name: 'Send now' }).click()
  await page.locator('[data-side]').getByRole('button').click()

  await expect(pane.getByRole('article').filter({ hasText: 'Is it safe?' })).toBeVisible()
  await expect(page).toHaveURL(/side=\d+/)
  const { messageId } = await desk.outbox.emailTo('service@sungrid.example')
  await receive(desk, [
    'From: Sungrid Service <service@sungrid.example>',
    `To: support@desk.example, ${client.email}`,
    `In-Reply-To: ${messageId}`,
    'Subject: Re: Inverter is silent',
    '',
    'Yes, it is.',
    ''
  ])

  await expect(pane.getByRole('article').filter({ hasText: 'Yes, it is.' })).toBeVisible()
  await expect(pane.getByText('Sungrid Service put Katharina in copy.')).toBeVisible()
  await expectAccessible(page, 'a side conversation of which the client knows', ['nav', '.tooltip'])
  await expect(page.locator('[data-side]')).toContainText('Sungrid Service answered: Yes, it is.')
  const field = pane.getByRole('textbox', { name: /Write to/ })
  await field.fill('Thank you.')
  const chooser = page.waitForEvent('filechooser')
  await pane.getByRole('button', { name: /Attach/ }).click()
  await (await chooser).setFiles({ name: 'meter.txt', mimeType: 'text/plain', buffer: Buffer.from('42') })
  await field.press('Control+Enter')
  await expect(pane.getByText(/Not sent yet/)).toBeVisible()
  // Also by a page that did not send it.
  await page.reload()
  await waiting.getByRole('button', { name: 'Undo' }).click()
  await expect(pane.getByRole('textbox', { name: /Write to/ })).toHaveValue('Thank you.')
  await expect(pane.getByText('meter.txt')).toBeVisible()
  await page.keyboard.press('Escape')
  const portal = await pageOf(client)
  await portal.goto(`/tickets/${ticket.ticket_number}`)
  await expect(portal.getByText('It shows E-042.')).toBeVisible()
  await expect(portal.getByText(/Yes, it is|Is it safe|ungrid/)).toHaveCount(0)
  await desk.post('/api/admin/settings/update', { undo_send_seconds: 0 }, desk.admin)
})

test('what does not go to a third party any more comes back, and why is told in the language of the page', async ({
  desk,
  client,
  consolePage: page
}) => {
  await desk.post('/api/admin/settings/update', { undo_send_seconds: 60 }, desk.admin)
  const ticket = await desk.ticket(client, { message: 'It shows E-043.' })
  await page.addInitScript(() => localStorage.setItem('deskline:language', 'de'))
  await page.goto(`/desk/all/${ticket.ticket_number}`)
  await expect(page.getByRole('article').filter({ hasText: 'It shows E-043.' })).toBeVisible()
  await page.keyboard.press('o')
  const pane = page.getByRole('complementary', { name: 'Nebengespräch' })
  await pane.getByRole('textbox', { name: 'An', exact: true }).fill('service@sungrid.example')
  await page.keyboard.press('Enter')
  await pane.getByRole('textbox', { name: 'Was möchten Sie fragen?' }).fill('Is it safe?')
  await pane.getByRole('button', { name: 'Weiterleiten', exact: true }).click()
  const waiting = page.locator('.send-window')
  await expect(waiting).toBeVisible()
  await desk.post(
    '/api/admin/tickets/followers/add',
    { id: ticket.ticket_number, email: 'service@sungrid.example' },
    desk.admin
  )

  await waiting.getByRole('button', { name: 'Jetzt senden' }).click()

  await expect(page.getByText('service@sungrid.example folgt dem Ticket.')).toBeVisible()
  await expect(pane.getByRole('textbox', { name: 'Was möchten Sie fragen?' })).toHaveValue('Is it safe?')
  await pane.getByRole('button', { name: 'Weiterleiten', exact: true }).click()
  await expect(pane.getByText('Schreiben Sie stattdessen eine Antwort.')).toBeVisible()
  await desk.post('/api/admin/settings/update', { undo_send_seconds: 0 }, desk.admin)
})
