import type { Page } from '@playwright/test'
import { expect, test } from '../support/test.ts'
import { expectWritten } from '../support/written-text.ts'

const replyField = (page: Page) => page.getByRole('textbox', { name: 'Reply', exact: true })
const messages = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text })

test('an expired session is renewed in a dialog, and the interrupted reply is sent', async ({
  desk,
  pageOf,
  client
}) => {
  const jonas = await desk.supporter(['tickets.view_all', 'tickets.reply'])
  const page = await pageOf(jonas)
  const ticket = await desk.ticket(client, { subject: 'Session ends' })
  await page.goto(`/desk/all/${ticket.ticket_number}`)
  await replyField(page).fill('Written before the session ended.')
  // An admin, a new password, or this person elsewhere has ended it.
  await desk.post('/api/account/sessions/revoke', { others: 1 }, jonas)
  await replyField(page).press('Control+Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  await expectWritten(replyField(page), 'Written before the session ended.')
  await dialog.locator('input[type=password]').fill(jonas.password)
  await page.keyboard.press('Enter')
  await expect(messages(page, 'Written before the session ended.')).toHaveCount(1)
  await expect(dialog).toHaveCount(0)
})

test('a reply that is sent offline waits visibly, and is sent once online', async ({
  desk,
  client,
  consolePage: page
}) => {
  const ticket = await desk.ticket(client, { subject: 'Offline' })
  await page.goto(`/desk/all/${ticket.ticket_number}`)
  await replyField(page).fill('Written on a train.')
  await page.context().setOffline(true)
  await page.keyboard.press('Control+Enter')
  const waiting = page.getByRole('listitem').filter({ hasText: `Reply to ${ticket.ticket_number}` })
  await expect(waiting).toBeVisible()
  await waiting.getByRole('button').click()
  await expect(waiting).toHaveCount(0)
  await expectWritten(replyField(page), 'Written on a train.')

  await page.keyboard.press('Tab')
  await replyField(page).press('Control+Enter')
  await expect(waiting).toBeVisible()
  await page.context().setOffline(false)
  await expect(messages(page, 'Written on a train.')).toHaveCount(1)
  await expectWritten(replyField(page), '')
})

test('a part of the page that cannot be loaded takes nothing else away, and can be loaded later', async ({
  desk,
  client,
  consolePage: page
}) => {
  const ticket = await desk.ticket(client, { subject: 'A bad network' })
  await page.goto(`/desk/all/${ticket.ticket_number}`)
  await replyField(page).fill('Written meanwhile.')
  await page.context().setOffline(true)
  await page.keyboard.press('Control+k')
  await expect(page.locator('.toast').getByText('You are offline', { exact: false })).toBeVisible()
  await page.context().setOffline(false)
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: 'Search or jump' })).toBeVisible()
  await page.keyboard.press('Escape')

  await page.route(/assets\/shortcuts-sheet-.*\.js$/, route => route.abort())
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('?')
  await expect(page.locator('.toast').getByText('This could not be loaded')).toBeVisible()
  await expectWritten(replyField(page), 'Written meanwhile.')
  await page.locator('.toast').getByRole('button', { name: 'Reload the page' }).click()
  await expectWritten(replyField(page), 'Written meanwhile.')
})

test('another tab shows the newer text with a notice, and that it was sent', async ({
  desk,
  client,
  consolePage: page,
  windowOf
}) => {
  const ticket = await desk.ticket(client, { subject: 'Two tabs' })
  await page.goto(`/desk/all/${ticket.ticket_number}`)
  const other = await windowOf(page)
  await other.goto(`/desk/all/${ticket.ticket_number}`)
  // What was written before a page was there is no newer text.
  await replyField(other).waitFor()
  await replyField(page).fill('Begun here.')
  await expectWritten(replyField(other), 'Begun here.')
  await expect(other.getByText('You continued writing this in another tab.', { exact: false })).toBeVisible()
  await replyField(other).fill('Begun here, and gone on.')
  await expectWritten(replyField(page), 'Begun here, and gone on.')

  await replyField(other).press('Control+Enter')
  await expect(messages(other, 'gone on.')).toHaveCount(1)
  await expectWritten(replyField(page), '')
  await expect(page.getByText('This reply was sent in another tab.')).toBeVisible()
})

test('a file that is being scanned or was refused says so', async ({ desk, client, consolePage: page }) => {
  const files = ['slow.csv', 'bad.csv'].map(name => new File([name], name, { type: 'text/csv' }))
  const ticket = await desk.ticket(client, { subject: 'Looked through', files })
  const statuses = [503, 410]
  await page.route('**/uploads/tickets/**', route => route.fulfill({ status: statuses.shift() ?? 503 }))
  await page.goto(`/desk/all/${ticket.ticket_number}`)
  const links = page.getByRole('article').getByRole('link')
  // What is pressed before its link is there is looked at first.
  await links.first().evaluate((link: HTMLElement) => link.click())
  await expect(links.first()).toContainText('Being checked')
  await links.last().evaluate((link: HTMLElement) => link.click())
  await expect(links.last()).toContainText('Refused: harmful')
})
