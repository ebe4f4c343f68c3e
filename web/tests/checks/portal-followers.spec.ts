import { receive } from '../support/inbound-mail.ts'
import { expect, test } from '../support/test.ts'

test('a client sees the followers of a ticket, and can remove one', async ({ desk, client, portalPage: page }) => {
  // What comes by e-mail is seen by an account whose address is proven.
  await desk.post('/api/auth/send-email-verification', {}, client)
  await desk.post('/api/auth/verify-email', { code: await desk.outbox.codeFor(client.email) }, client)
  const { ticket_id: id, ticket_number: number } = await desk.ticket(client)
  const listed = async () => {
    const { followers } = await desk.post('/api/tickets/followers/list', { id }, client)
    return followers.map(({ email }) => email)
  }
  await page.goto(`/tickets/${number}`)
  await expect(page.getByLabel('Your answer')).toBeVisible()
  await expect(page.getByRole('region', { name: 'They get the answers too' })).toHaveCount(0)
  await desk.post('/api/admin/tickets/followers/add', { id, email: 'grace@example.com', name: 'Grace' }, desk.admin)
  await desk.post('/api/admin/tickets/followers/add', { id, email: 'alan@example.com' }, desk.admin)

  // What she answers is hers, and not the client's.
  await desk.post('/api/tickets/reply', { id, message: 'Have you tried water?' }, desk.admin)
  const { messageId } = await desk.outbox.emailTo('grace@example.com', /water/)
  const head = ['From: Grace <grace@example.com>', 'To: support@desk.example', `In-Reply-To: ${messageId}`]
  expect(await receive(desk, [...head, '', 'It is wet.', ''])).toMatchObject({ ticket_number: number })
  await page.reload()
  const hers = page.getByRole('article').filter({ hasText: 'It is wet.' })
  await expect(hers).toHaveAccessibleName(/^Grace/)
  await expect(hers.getByText('Gets the answers too')).toBeVisible()
  await expect(page.getByRole('article').filter({ hasText: 'It hums no more.' })).toHaveAccessibleName(/^You/)
  const followers = page.getByRole('region', { name: 'They get the answers too' })
  await expect(followers.getByText('grace@example.com')).toBeVisible()
  const remove = followers.getByRole('button', { name: 'Send Grace no more answers' })
  await remove.click()
  await page.getByRole('button', { name: 'Keep sending' }).click()
  expect(await listed()).toHaveLength(2)
  await remove.press('Enter')
  await page.getByRole('button', { name: 'Send no more' }).click()
  await expect(remove).toHaveCount(0)
  await expect(page.locator('[data-announcer="polite"]')).toHaveText('Grace gets no more answers')
  await expect(followers.getByRole('heading')).toBeFocused()
  expect(await listed()).toEqual(['alan@example.com'])
})
