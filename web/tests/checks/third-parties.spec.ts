import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/axe.ts'
import { receive } from '../support/inbound-mail.ts'
import { expect, test } from '../support/test.ts'
import { expectWritten } from '../support/written-text.ts'

const reply = (page: Page) => page.getByRole('textbox', { name: 'Reply', exact: true })
const elsewhere = ['nav', '.tooltip']

test('a ticket waits until a third party answers, the queue says so, and the answer is taken into the reply as a quote', async ({
  desk,
  client,
  consolePage: page
}) => {
  const ticket = await desk.ticket(client, { subject: 'Waits for Sungrid', message: 'It shows E-042.' })
  const partner = `service${ticket.ticket_id}@sungrid.example`
  const given = {
    id: ticket.ticket_id,
    to: [`Sungrid <${partner}>`],
    subject: 'E-042',
    message: 'Is it safe?',
    waits: 1 as const
  }
  const { conversation } = await desk.post('/api/admin/tickets/forward', given, desk.admin)
  await page.goto(`/desk/all/${ticket.ticket_number}?side=${conversation?.id}`)
  const row = page.getByRole('link', { name: /Waits for Sungrid/ }).first()
  await expect(row).toContainText('A third party has not answered yet')

  await page.getByRole('button', { name: 'Snooze', exact: true }).click()
  await expect(page.getByText('The answer of Sungrid wakes it too.')).toBeVisible()
  await page.getByRole('menuitem', { name: 'Until Sungrid answers' }).click()
  await expect(page.locator('[data-snoozed]')).toContainText(
    'Snoozed until a third party answers or Katharina writes. Waiting for somebody else: Sungrid'
  )

  await expect(page.getByText(/snoozed this until a third party answers/)).toBeVisible()

  const { messageId } = await desk.outbox.emailTo(partner)
  await receive(desk, [
    `From: Sungrid <${partner}>`,
    'To: support@desk.example',
    `In-Reply-To: ${messageId}`,
    'Subject: Re: E-042',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    '',
    'Yes, it is safe.',
    'Update to 8.1.2.',
    '--b',
    'Content-Type: text/plain; name=steps.txt',
    'Content-Disposition: attachment; filename=steps.txt',
    '',
    'Hold the button.',
    '--b--',
    ''
  ])
  const pane = page.getByRole('complementary', { name: 'Side conversation' })
  await expect(pane.getByText('Update to 8.1.2.')).toBeVisible()
  await expect(page.locator('[data-snoozed]')).toHaveCount(0)

  await pane.getByRole('checkbox', { name: 'Take steps.txt along' }).check({ force: true })
  await pane.getByRole('button', { name: 'Take into the reply' }).click()
  const form = page.getByRole('form', { name: 'Write a reply' })
  await expect(form).toContainText('steps.txt')
  await expect(page.getByText('2 lines from the side conversation. Katharina will read them.')).toBeVisible()
  await expect(reply(page)).toContainText('Yes, it is safe.')
  await expect(reply(page)).toBeFocused()
  await expectAccessible(page, 'a quote of a third party', elsewhere)
  await page.getByRole('button', { name: 'Take out', exact: true }).click()
  await expectWritten(reply(page), '')
  await expect(page.getByText(/from the side conversation/)).toHaveCount(0)
  await expect(form).not.toContainText('steps.txt')
  await page.goto('/desk/all')
  await expect(row).toBeVisible()
  await expect(row).not.toContainText('A third party has not answered yet')
})

test('a reply to another address than the client’s asks once, and goes there', async ({
  desk,
  client,
  consolePage: page
}) => {
  const { ticket_id: id, ticket_number: number } = await desk.ticket(client, { subject: 'To somebody else' })
  const other = `other${id}@example.com`
  await page.goto(`/desk/all/${number}`)
  await page.getByRole('button', { name: 'To Katharina Brandt' }).press('Enter')
  const rows = page.getByRole('group', { name: 'Recipients' })
  await rows.getByRole('combobox', { name: 'To' }).fill(other)
  await page.keyboard.press('Enter')
  await expect(rows).toContainText(`Katharina and ${other} see each other.`)
  await rows.getByRole('button', { name: 'Take out Katharina Brandt' }).click()
  await expect(rows).toContainText('Katharina does not get this answer by e-mail')
  await expectAccessible(page, 'without the client', elsewhere)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: `To ${other}`, exact: true })).toBeVisible()

  await reply(page).fill('Please look at it.')
  await reply(page).press('Control+Enter')
  const asked = page.getByRole('alertdialog', { name: 'Katharina does not get this reply' })
  await expectAccessible(page, 'asked about the client', elsewhere)
  await asked.getByRole('button', { name: 'Send without Katharina' }).click()

  await expect(page.getByRole('article').filter({ hasText: 'Please look at it.' })).toHaveCount(1)
  // The thread shows it before it is stored.
  const sentTo = async () =>
    (await desk.post('/api/admin/tickets/detail', { id }, desk.admin)).messages.at(-1)?.recipients
  await expect.poll(sentTo).toMatchObject({ to_client: 0, to: [other] })
})
