import type { Page } from '@playwright/test'
import { expectAccessibleInEachWindow } from '../support/axe.ts'
import { expect, test } from '../support/test.ts'

test('axe finds no fault in the portal', async ({ desk, client, pageOf }) => {
  test.setTimeout(180_000)
  const files = [new File(['smoke'], 'log.txt', { type: 'text/plain' })]
  const ticket = await desk.ticket(client, { files })
  await desk.post('/api/tickets/reply', { id: ticket.ticket_id, message: 'Is it on?' }, desk.admin)
  const closed = await desk.ticket(client, { subject: 'Solved' })
  await desk.post('/api/tickets/status', { id: closed.ticket_id, status: 'Closed' }, client)
  const stranger = await pageOf()
  const page = await pageOf(client)

  for (const path of ['/sign-in', '/sign-up', '/forgot', '/reset', '/reset?token=a.b.c&email=ada%40example.com']) {
    await stranger.goto(path)
    await isClean(stranger, path)
  }
  await stranger.goto('/sign-up')
  await stranger.getByRole('button', { name: 'Open account' }).click()
  await isClean(stranger, 'sign-up with errors')

  const tickets = [`/tickets/${ticket.ticket_number}`, `/tickets/${closed.ticket_number}`, '/tickets/TIC-000001']
  const lists = ['/', '/?show=all', '/?q=inverter', '/?q=nothing-has-this']
  const others = ['/new', '/account', '/account/security', '/account/emails', '/verify', '/nowhere']
  for (const path of [...lists, ...tickets, ...others]) {
    await page.goto(path)
    await isClean(page, path)
  }
  await page.goto('/new')
  await page.getByRole('button', { name: 'Send ticket' }).click()
  await isClean(page, 'new ticket with errors')
  await page.goto('/account/security')
  await page.getByRole('button', { name: 'Turn two-factor on' }).click()
  await isClean(page, 'two-factor set-up')
  await page.goto(tickets[0]!)
  await page.getByRole('button', { name: 'Close ticket' }).click()
  await isClean(page, 'closing')
  const follower = { id: ticket.ticket_id, email: 'grace@example.com', name: 'Grace' }
  await desk.post('/api/admin/tickets/followers/add', follower, desk.admin)
  await page.goto(tickets[0]!)
  await page.getByRole('region', { name: 'They get the answers too' }).waitFor()
  await isClean(page, 'a ticket with followers')
  await page.getByRole('button', { name: 'Send Grace no more answers' }).press('Enter')
  await isClean(page, 'the question before a follower goes')
})

async function isClean(page: Page, place: string): Promise<void> {
  await expect(page.getByRole('heading', { level: 1, includeHidden: true })).toBeVisible()
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  await expectAccessibleInEachWindow(page, place)
}
