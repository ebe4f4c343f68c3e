import type { Page } from '@playwright/test'
import { expectAccessible } from './support/axe.ts'
import { expect, test } from './support/test.ts'
import { typeText } from './support/type-text.ts'
import { expectWritten } from './support/written-text.ts'

const replyField = (page: Page) => page.getByRole('textbox', { name: 'Reply', exact: true })
const kept = (page: Page) => page.getByText('Draft saved', { exact: true })

test.use({ grants: ['tickets.view_all', 'tickets.reply', 'tickets.edit_status'] })

test('a reply that was begun goes with its writer to another machine, and is gone everywhere once it was sent', async ({
  desk,
  client,
  member,
  pageOf,
  consolePage: page
}) => {
  const ticket = await desk.ticket(client, { subject: 'Goes along' })
  await page.goto(`/desk/all/${ticket.ticket_number}`)
  await typeText(replyField(page), 'Please switch it')
  await expect(page.getByText('Saved on this device')).toBeVisible()
  await expect(kept(page)).toBeVisible()

  const other = await pageOf(member)
  await other.goto(`/desk/all/${ticket.ticket_number}`)
  await expectWritten(replyField(other), 'Please switch it')
  await expect(other.getByText(/^From your other machine, /)).toBeVisible()
  await typeText(replyField(other), ' off.')
  await expect(kept(other)).toBeVisible()

  // The first machine takes up what it has not changed itself.
  await page.reload()
  await expectWritten(replyField(page), 'Please switch it off.')
  await other.getByRole('button', { name: 'Send and set Answered' }).click()
  await expectWritten(replyField(other), '')
  await page.reload()
  await expectWritten(replyField(page), '')
  const { drafts } = await desk.post('/api/admin/tickets/detail', { id: ticket.ticket_id }, desk.admin)
  expect(drafts).toEqual([])
})

test('if both machines have changed a reply, the newer text stands and the other one is shown on demand', async ({
  desk,
  client,
  member,
  consolePage: page
}) => {
  const ticket = await desk.ticket(client, { subject: 'Both have changed it' })
  await page.goto(`/desk/all/${ticket.ticket_number}`)
  await typeText(replyField(page), 'Here')
  await expect(kept(page)).toBeVisible()

  await desk.post('/api/admin/tickets/draft/save', { id: ticket.ticket_id, message: 'There' }, member)
  await typeText(replyField(page), ' and now')

  await expect(page.getByText(/^You also changed this on another machine, /)).toBeVisible()
  await expectWritten(replyField(page), 'Here and now')
  await page.getByRole('button', { name: 'Show the other' }).click()
  await expectWritten(replyField(page), 'There')
  await page.getByRole('button', { name: 'Show the other' }).click()
  await expectWritten(replyField(page), 'Here and now')
  await expect(kept(page)).toBeVisible()
})

test('colleagues see that there is a draft, its text only if the desk shares it, and take it over', async ({
  desk,
  client,
  consolePage: page
}) => {
  const ticket = await desk.ticket(client, { subject: 'Somebody has begun' })
  const jonas = await desk.supporter(['tickets.view_all', 'tickets.reply'], { first_name: 'Jonas', last_name: 'P' })
  await desk.post('/api/admin/tickets/draft/save', { id: ticket.ticket_id, message: 'Firmware 8.1.2 comes' }, jonas)

  await page.goto(`/desk/all/${ticket.ticket_number}`)
  const panel = page.getByRole('region', { name: /^Jonas began a reply at / })
  await expect(panel).toBeVisible()
  await expectAccessible(page, 'a draft of a colleague', ['nav', '.tooltip'])
  await expect(page.getByRole('link', { name: /Somebody has begun/ }).first()).toContainText('Draft')
  await expect(panel.getByRole('button', { name: 'Show' })).toHaveCount(0)
  await expect(page.getByText('Firmware 8.1.2')).toHaveCount(0)

  await desk.post('/api/admin/settings/update', { share_drafts: 1 }, desk.admin)
  try {
    await page.reload()
    await panel.getByRole('button', { name: 'Show' }).click()
    await expect(panel).toContainText('Firmware 8.1.2 comes')
    await expectAccessible(page, 'the text of a draft', ['nav', '.tooltip'])
    await panel.getByRole('button', { name: 'Take over' }).click()
    await expectWritten(replyField(page), 'Firmware 8.1.2 comes')
    await expect(kept(page)).toBeVisible()
  } finally {
    await desk.post('/api/admin/settings/update', { share_drafts: 0 }, desk.admin)
  }
  const { drafts } = await desk.post('/api/admin/tickets/detail', { id: ticket.ticket_id }, desk.admin)
  expect(drafts.map(({ by }) => by.first_name)).toContain('Jonas')
  await panel.getByRole('button', { name: 'Close' }).click()
  await expect(panel).toHaveCount(0)
})
