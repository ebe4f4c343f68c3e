import type { Page } from '@playwright/test'
import type { Desk, Person } from '../support/test.ts'
import { expect, test } from '../support/test.ts'

const details = (page: Page) => page.getByRole('complementary', { name: 'Ticket details' })
const panel = (page: Page) => page.getByRole('form', { name: 'Split off' })
const linked = (page: Page) => details(page).locator('section').filter({ hasText: 'Linked tickets' })
const messageWith = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text })

/** A ticket of the client with an answer, a note and two more messages of another matter. */
async function aThread(desk: Desk, client: Person) {
  const ticket = await desk.ticket(client, { subject: 'Inverter shows E-042', message: 'It shows E-042.' })
  const id = ticket.ticket_id
  await desk.post('/api/admin/tickets/reply', { id, message: 'Please restart it.' }, desk.admin)
  await desk.post('/api/admin/tickets/note', { id, note: 'Third one this week.' }, desk.admin)
  await desk.post('/api/tickets/reply', { id, message: 'The wallbox in the press house is dark.' }, client)
  await desk.post('/api/tickets/reply', { id, message: 'It is the one of May.' }, client)
  return ticket
}

/** The boxes by which messages and notes are chosen. */
const choices = (page: Page) => page.getByRole('checkbox', { name: /message of|note/ })

test('messages are split off with their own subject, lead there and back, and the split is undone', async ({
  desk,
  client,
  consolePage: page
}) => {
  const ticket = await aThread(desk, client)
  await page.goto(`/desk/all/${ticket.ticket_number}`)
  const message = messageWith(page, 'press house')
  await message.hover()
  await message.getByRole('button', { name: 'More about this message' }).click()
  await page.getByRole('menuitem', { name: 'Split off …' }).click()

  await expect(panel(page)).toContainText('1 message becomes a ticket of its own')
  await expect(panel(page).getByRole('textbox', { name: 'Subject' })).toHaveValue(
    'The wallbox in the press house is dark.'
  )
  await expect(page.getByRole('form', { name: 'Write a reply' })).toHaveCount(0)
  await expect(choices(page)).toHaveCount(4)
  await choices(page).last().focus()
  await page.keyboard.press('x')
  await expect(panel(page)).toContainText('2 messages become a ticket of their own')
  await page.getByRole('checkbox', { name: /note/ }).check()
  await expect(panel(page)).toContainText('1 note goes along; clients never see it.')
  await page.getByRole('checkbox', { name: /note/ }).uncheck()
  await panel(page).getByRole('textbox', { name: 'Subject' }).fill('Wallbox is dark')
  await panel(page).getByRole('button', { name: 'Split off' }).click()

  const line = page.getByRole('listitem').filter({ hasText: 'split off 2 messages of' })
  await expect(line).toBeFocused()
  await expect(messageWith(page, 'press house')).toHaveCount(0)
  await expect(linked(page)).toContainText('Split off to TIC-')
  await line.getByRole('link', { name: /Wallbox is dark/ }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Wallbox is dark')
  await expect(page.getByRole('article')).toHaveCount(2)
  await expect(linked(page)).toContainText(`Split off from ${ticket.ticket_number}`)

  await page
    .getByRole('listitem')
    .filter({ hasText: 'split 2 messages off' })
    .getByRole('button', { name: 'Undo' })
    .click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Inverter shows E-042')
  await expect(messageWith(page, 'press house')).toHaveCount(1)
  await expect(linked(page)).not.toContainText('Split off to')
})

test('a range is chosen with Shift, Esc keeps it together, and for another client the panel says who reads it', async ({
  desk,
  client,
  consolePage: page
}) => {
  const other = await desk.client()
  const ticket = await aThread(desk, client)
  await page.goto(`/desk/all/${ticket.ticket_number}`)
  await expect(messageWith(page, 'press house')).toBeVisible()
  await expect(page.getByRole('form', { name: 'Write a reply' })).toBeVisible()
  await page.keyboard.press('Shift+s')
  await expect(panel(page)).toContainText('Choose the messages that become a ticket of their own')
  await expect(page.getByRole('img', { name: /first message stays/ })).toBeVisible()
  await page.getByRole('checkbox', { name: /message of Support Admin/ }).click()
  await expect(panel(page)).toContainText('1 message becomes')
  await page
    .getByRole('checkbox', { name: /message of/ })
    .last()
    .click({ modifiers: ['Shift'] })
  await expect(panel(page)).toContainText('3 messages become a ticket of their own')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('form', { name: 'Write a reply' })).toBeVisible()

  await page.keyboard.press('Shift+s')
  await choices(page).last().check()
  await panel(page).getByRole('button', { name: 'For another client …' }).click()
  await page.keyboard.type(other.email)
  await page.getByRole('option', { name: new RegExp(other.email) }).click()
  await expect(panel(page)).toContainText(`${other.first_name} ${other.last_name} will read this 1 message.`)
  await panel(page).getByRole('button', { name: 'Split off' }).click()
  const line = page.getByRole('listitem').filter({ hasText: 'split off 1 message' })
  await line.getByRole('link').click()
  await expect(details(page)).toContainText(other.last_name)
})

test('tickets are linked by key and words, the link is undone, and what blocks keeps a ticket open until one insists', async ({
  desk,
  client,
  consolePage: page
}) => {
  const blocker = await desk.ticket(client, { subject: 'Firmware rollout quokka' })
  const ticket = await desk.ticket(client, { subject: 'Waits for the firmware' })
  await page.goto(`/desk/all/${blocker.ticket_number}`)
  await expect(linked(page)).toBeVisible()
  await page.keyboard.press('l')
  await page.getByRole('radio', { name: 'Blocks' }).check({ force: true })
  await page.getByRole('combobox', { name: 'Link a ticket' }).fill(ticket.ticket_number)
  await page.getByRole('option', { name: /Waits for the firmware/ }).click()
  await expect(linked(page)).toContainText(`Blocks ${ticket.ticket_number}`)
  await page.keyboard.press('z')
  await expect(linked(page)).not.toContainText('Blocks')
  await desk.post(
    '/api/admin/tickets/link',
    { id: blocker.ticket_id, other_id: ticket.ticket_id, kind: 'blocks' },
    desk.admin
  )

  await page.goto(`/desk/all/${ticket.ticket_number}`)
  await expect(linked(page)).toContainText(`Blocked by ${blocker.ticket_number}`)
  await page.getByRole('button', { name: '3 changes' }).click()
  await expect(page.getByText(`noted that ${blocker.ticket_number}`).first()).toBeVisible()
  await page.keyboard.press('e')
  const stop = page.getByRole('alertdialog')
  await expect(stop).toContainText(`${blocker.ticket_number} still blocks this one`)
  await expect(stop.getByRole('button', { name: 'Close all the same' })).toBeFocused()
  await stop.getByRole('button', { name: 'Keep open' }).click()
  await expect(details(page).getByRole('button', { name: /^Status/ })).toContainText('Open')

  await page.getByRole('textbox', { name: 'Reply', exact: true }).fill('It is done.')
  await page.getByRole('button', { name: 'Other ways to send' }).click()
  await page.getByRole('menuitem', { name: /close/ }).click()
  await expect(stop).toContainText('still blocks this one')
  await stop.getByRole('button', { name: 'Send, stay open' }).click()
  await expect(messageWith(page, 'It is done.')).toHaveCount(1)
  await expect(details(page).getByRole('button', { name: /^Status/ })).not.toContainText('Closed')
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('e')
  await stop.getByRole('button', { name: 'Close all the same' }).click()
  await expect(details(page).getByRole('button', { name: /^Status/ })).toContainText('Closed')
})

test('selected tickets are linked to one at once, and the links are undone', async ({
  desk,
  client,
  consolePage: page
}) => {
  const incident = await desk.ticket(client, { subject: 'Incident wombat' })
  const reports = [
    await desk.ticket(client, { subject: 'Report one' }),
    await desk.ticket(client, { subject: 'Report two' })
  ]
  await page.goto('/desk/all')
  for (const { ticket_number } of reports) {
    await page
      .getByRole('listitem')
      .filter({ hasText: ticket_number })
      .first()
      .getByRole('checkbox')
      .check({ force: true })
  }
  await expect(page.getByRole('toolbar').getByRole('button', { name: 'Link' })).toBeVisible()
  await page.keyboard.press('l')
  await page.getByRole('radio', { name: 'Duplicate of' }).check({ force: true })
  await page.getByRole('combobox', { name: 'Link a ticket' }).fill('wombat')
  await page.getByRole('option', { name: /Incident wombat/ }).click()
  await expect(page.getByText(`2 tickets are linked with ${incident.ticket_number}`)).toBeVisible()
  const links = async () =>
    (await desk.post('/api/admin/tickets/detail', { id: incident.ticket_id }, desk.admin)).links.length
  expect(await links()).toBe(2)
  await page.keyboard.press('z')
  await expect.poll(links).toBe(0)
})

test.describe('without the permission to edit', () => {
  test.use({ grants: ['tickets.view_all', 'tickets.reply'] })

  test('links are shown, and nothing is linked or split off', async ({ desk, client, consolePage: page }) => {
    const [one, other] = [await aThread(desk, client), await desk.ticket(client, { subject: 'Its twin' })]
    const ids = { id: one.ticket_id, other_id: other.ticket_id }
    await desk.post('/api/admin/tickets/link', { ...ids, kind: 'duplicate_of' }, desk.admin)
    await page.goto(`/desk/all/${one.ticket_number}`)
    await expect(linked(page)).toContainText(`Duplicate of ${other.ticket_number}`)
    await expect(linked(page).getByRole('button')).toHaveCount(0)
    await page.getByRole('button', { name: 'More about this message' }).last().click()
    await expect(page.getByRole('menuitem')).toHaveText(['Forward …'])
  })
})
