import type { Page } from '@playwright/test'
import { expectAccessible } from './support/axe.ts'
import { type Desk, expect, test } from './support/test.ts'
import { expectWritten } from './support/written-text.ts'

const reply = (page: Page) => page.getByRole('textbox', { name: 'Reply', exact: true })
const sendWindow = (page: Page) => page.locator('.send-window')

/** Replies of this desk wait for so long. */
async function wait(desk: Desk, undo_send_seconds: number): Promise<void> {
  await desk.post('/api/admin/settings/update', { undo_send_seconds }, desk.admin)
}

test('a reply waits, is taken back with its text and files, also from another ticket, and is sent once', async ({
  desk,
  client,
  consolePage: page
}) => {
  const one = await desk.ticket(client, { subject: 'Undone one' })
  const other = await desk.ticket(client, { subject: 'Undone two' })
  const seen = async () => JSON.stringify(await desk.post('/api/tickets/detail', { id: one.ticket_id }, client))
  await wait(desk, 60)
  await page.goto(`/desk/all/${one.ticket_number}`)
  await reply(page).fill('Leave it off tonight.')
  const file = { name: 'log.txt', mimeType: 'text/plain', buffer: Buffer.from('smoke') }
  await page.locator('form[data-kind=reply] input[type=file]').first().setInputFiles([file])

  await reply(page).press('Control+Enter')
  await expect(sendWindow(page)).toContainText(/Goes to Katharina in \d+ s/)
  await expect(page.getByText('Not sent yet. To Katharina, then Answered.')).toBeVisible()
  await expect(page.getByRole('link', { name: /Undone one/ }).first()).toContainText(/in \d+ s/)
  await expectWritten(reply(page), '')
  await expectAccessible(page, 'a reply that waits')
  expect(await seen()).not.toContain('Leave it off')

  await page
    .getByRole('link', { name: /Undone two/ })
    .first()
    .click()
  await expect(page.getByRole('heading', { level: 1, name: 'Undone two' })).toBeVisible()
  await expect(sendWindow(page)).toContainText(`${one.ticket_number} goes to Katharina`)
  await page.keyboard.press('z')
  await expect(page.getByRole('heading', { level: 1, name: 'Undone one' })).toBeVisible()
  await expectWritten(reply(page), 'Leave it off tonight.')
  await expect(reply(page)).toBeFocused()
  await expect(page.getByRole('form').getByRole('listitem')).toHaveText(/log\.txt/)
  await expect(sendWindow(page)).toHaveCount(0)

  await reply(page).press('Control+Enter')
  await sendWindow(page).getByRole('button', { name: 'Send now' }).click()
  await expect(page.getByRole('article').filter({ hasText: 'Leave it off tonight.' })).toHaveCount(1)
  await expect(page.getByText('Not sent yet.')).toHaveCount(0)
  expect(await seen()).toContain('Leave it off')
  expect(other.ticket_number).not.toBe(one.ticket_number)
  await wait(desk, 0)
})

test('when the client writes while a reply waits, it comes back into the composer', async ({
  desk,
  client,
  consolePage: page
}) => {
  const ticket = await desk.ticket(client, { subject: 'Overtaken' })
  await wait(desk, 60)
  await page.goto(`/desk/all/${ticket.ticket_number}`)
  await reply(page).fill('I have booked a technician.')
  await reply(page).press('Control+Enter')
  await expect(sendWindow(page)).toBeVisible()

  await desk.post('/api/tickets/reply', { id: ticket.ticket_id, message: 'Wait, it works again.' }, client)
  await expect(page.getByRole('alertdialog', { name: /Katharina wrote while you were typing/ })).toBeVisible()
  await expectWritten(reply(page), 'I have booked a technician.')
  await expect(sendWindow(page)).toHaveCount(0)
  await wait(desk, 0)
})

test('a reply that may not close its ticket any more comes back, and the page says so', async ({
  desk,
  client,
  member,
  consolePage: page
}) => {
  const ticket = await desk.ticket(client, { subject: 'Blocked since' })
  const other = await desk.ticket(client, { subject: 'Blocks it' })
  await wait(desk, 60)
  const body = { id: ticket.ticket_id, message: 'All is well.', status: 'Closed' as const, undo: 1 as const }
  await desk.post('/api/admin/tickets/reply', body, member)
  await page.goto(`/desk/all/${ticket.ticket_number}`)
  await expect(sendWindow(page)).toBeVisible()
  await desk.post(
    '/api/admin/tickets/link',
    { id: other.ticket_id, other_id: ticket.ticket_id, kind: 'blocks' },
    desk.admin
  )

  await sendWindow(page).getByRole('button', { name: 'Send now' }).click()

  await expect(page.getByText('Your reply did not go, and is here again.')).toBeVisible()
  await expectWritten(reply(page), 'All is well.')
  await wait(desk, 0)
})
