import { expect, test } from '../support/test.ts'
import { typeText } from '../support/type-text.ts'

test('two people at one ticket see each other, and writing a note never shows as replying', async ({
  desk,
  client,
  consolePage: page,
  pageOf
}) => {
  const hannah = await desk.supporter(['tickets.view_all', 'tickets.reply', 'tickets.edit_status'], {
    first_name: 'Hannah',
    last_name: 'Lindqvist'
  })
  const ticket = await desk.ticket(client, { subject: 'Two at once' })
  await page.goto(`/desk/all/${ticket.ticket_number}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Two at once' })).toBeVisible()
  const others = await pageOf(hannah)
  await others.goto(`/desk/all/${ticket.ticket_number}`)
  await expect(page.getByText('Hannah is viewing')).toBeVisible()

  await others.getByRole('radio', { name: 'Note' }).check({ force: true })
  await typeText(others.getByRole('textbox', { name: /^Note/ }), 'Between us')
  await others.getByRole('radio', { name: 'Reply' }).check({ force: true })
  await expect(page.getByText('Hannah is viewing')).toBeVisible()
  await typeText(others.getByRole('textbox', { name: 'Reply', exact: true }), 'Dear')
  await expect(page.getByText('Hannah is replying', { exact: true })).toBeVisible()
  await expect(page.getByText('Hannah is replying to this ticket too')).toBeVisible()
  // Whoever turns to a note replies no more, at once.
  await others.getByRole('radio', { name: 'Note' }).check({ force: true })
  await expect(page.getByText('Hannah is viewing')).toBeVisible({ timeout: 5000 })
  await expect(page.getByText('Hannah is replying to this ticket too')).toBeHidden()

  // What the client writes comes by itself, to both.
  await desk.post('/api/tickets/reply', { id: ticket.ticket_id, message: 'It hums again.' }, client)
  await expect(page.getByRole('article').filter({ hasText: 'It hums again.' })).toBeVisible()
  await expect(page.locator('[data-announcer=polite]').last()).toContainText('New message from Katharina')

  // Of two changes of one thing the second is told of, and made only where it is wanted all the same.
  await page.route('**/api/admin/tickets/status', async route => {
    await desk.post('/api/admin/tickets/status', { id: ticket.ticket_id, status: 'Closed' }, hannah)
    await route.continue()
  })
  await page.keyboard.press('s')
  await page.keyboard.type('in pro')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Your change was not made: Hannah Lindqvist set the status to Closed.')).toBeVisible()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Do it anyway' }).click()
  await expect(page.getByText('Status set to In progress')).toBeVisible()

  await others.goto('/desk/closed')
  await expect(page.getByText(/Hannah is/)).toHaveCount(0, { timeout: 60_000 })
})

test('a reader further up is told of new messages, and the thread does not scroll', async ({
  desk,
  client,
  consolePage: page
}) => {
  const ticket = await desk.ticket(client, { subject: 'Reading above' })
  for (let i = 1; i <= 5; i++) {
    await desk.post(
      '/api/tickets/reply',
      { id: ticket.ticket_id, message: `Message ${i}\n${'line\n'.repeat(12)}end` },
      client
    )
  }
  await page.goto(`/desk/all/${ticket.ticket_number}`)
  await expect(page.getByRole('article').last()).toBeInViewport()
  const thread = page.getByRole('region', { name: 'Messages' })
  await thread.hover()
  await thread.evaluate(element => element.scrollTo(0, 100))
  await desk.post('/api/tickets/reply', { id: ticket.ticket_id, message: 'Are you there?' }, client)
  const pill = page.getByRole('button', { name: '1 new message' })
  await expect(pill).toBeVisible()
  expect(await thread.evaluate(element => element.scrollTop)).toBe(100)
  await pill.click()
  await expect(page.getByRole('article').filter({ hasText: 'Are you there?' })).toBeInViewport()
  await expect(pill).toHaveCount(0)
})
