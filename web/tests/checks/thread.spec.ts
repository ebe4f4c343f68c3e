import type { Page } from '@playwright/test'
import { expect, test } from '../support/test.ts'

const details = (page: Page) => page.getByRole('complementary', { name: 'Ticket details' })
const heading = (page: Page) => page.getByRole('heading', { level: 1 })

test('status, priority, assignee and tags are changed with two keys, at once, and with undo', async ({
  desk,
  client,
  consolePage: page
}) => {
  const tag = await desk.post('/api/admin/tags/create', { name: 'firmware-8.1', color: '#c0562f' }, desk.admin)
  const ticket = await desk.ticket(client, { subject: 'Properties' })
  await page.goto(`/desk/all/${ticket.ticket_number}`)
  await expect(heading(page)).toHaveText('Properties')
  const change = page.waitForRequest('**/api/admin/tickets/status')
  await page.keyboard.press('s')
  await page.keyboard.type('answ')
  await page.keyboard.press('Enter')
  await expect(details(page).getByRole('button', { name: /^Status/ })).toContainText('Answered')
  expect((await change).postDataJSON()).toMatchObject({ status: 'Answered', expected_version: 1 })
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
  await expect(details(page).getByRole('button', { name: /^Status/ })).toContainText('Open')

  await page.keyboard.press('e')
  await expect(details(page).getByRole('button', { name: /^Status/ })).toContainText('Closed')
  await page.getByText('Status set to Closed').waitFor()
  await page.keyboard.press('z')
  await expect(details(page).getByRole('button', { name: /^Status/ })).toContainText('Open')
  await page.keyboard.press('w')
  await expect(page.getByRole('button', { name: 'Stop watching this ticket' })).toBeVisible()

  await page.keyboard.press('i')
  await expect(details(page).getByRole('button', { name: /^Assignee/ })).toContainText('Admin')
  await page.getByText(/^Assigned to/).waitFor()
  await page.keyboard.press('z')
  await expect(details(page).getByRole('button', { name: /^Assignee/ })).toContainText('Nobody')
  await page.keyboard.press('t')
  await page.keyboard.type('firm')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await expect(details(page).getByText('firmware-8.1')).toBeVisible()
  expect(tag).toBeTruthy()

  // Where the service refuses, it goes back and says why.
  await page.route('**/api/admin/tickets/update', route =>
    route.fulfill({ status: 403, json: { status: 'error', reason: 'forbidden', message: 'No' } })
  )
  await page.keyboard.press('p')
  await page.keyboard.type('crit')
  await page.keyboard.press('Enter')
  await expect(page.locator('.toast')).toBeVisible()
  await expect(details(page).getByRole('button', { name: /^Priority/ })).toContainText('Medium')
})

test('a thread folds old messages and quotes, makes only safe links, and can hide its events', async ({
  desk,
  client,
  consolePage: page
}) => {
  const message =
    'Line one\nLine two\n\nSee https://example.com/help and javascript:alert(1)\n\n> quoted before\n> and more'
  const ticket = await desk.ticket(client, { subject: 'Long <b>thread</b>', message })
  for (let i = 1; i <= 8; i++) {
    await desk.post('/api/tickets/reply', { id: ticket.ticket_id, message: `Message ${i}` }, client)
  }
  for (const status of ['In Progress', 'Answered', 'Open'] as const) {
    await desk.post('/api/admin/tickets/status', { id: ticket.ticket_id, status }, desk.admin)
  }
  await page.goto(`/desk/all/${ticket.ticket_number}`)
  await expect(heading(page)).toHaveText('Long <b>thread</b>')
  await expect(page).toHaveTitle(`${ticket.ticket_number} Long <b>thread</b> · Deskline`)
  await expect(page.getByRole('article')).toHaveCount(6)
  const first = page.getByRole('article').first()
  await expect(first.getByRole('link', { name: 'https://example.com/help' })).toHaveAttribute(
    'rel',
    /noopener nofollow/
  )
  await expect(first.getByRole('link', { name: /javascript/ })).toHaveCount(0)
  await expect(first.getByText('quoted before')).toBeHidden()
  await first.getByText('Earlier text').click()
  await expect(first.getByText('quoted before')).toBeVisible()
  await page.getByRole('button', { name: '3 earlier messages' }).click()
  await expect(page.getByRole('article')).toHaveCount(9)

  await page.getByRole('button', { name: '3 changes' }).click()
  await expect(page.getByText(/set the status to In progress/)).toBeVisible()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Show changes between messages' }).click()
  await expect(page.getByText(/set the status to In progress/)).toHaveCount(0)

  await expect(details(page)).toContainText(client.email)
  await expect(details(page)).toContainText('Neither e-mail nor phone verified')
})

test('tickets of one client are merged, keep both threads, and can be unmerged', async ({
  desk,
  client,
  consolePage: page
}) => {
  const one = await desk.ticket(client, { subject: 'First report', message: 'It is broken.' })
  const other = await desk.ticket(client, { subject: 'Second report', message: 'Still broken.' })
  await page.goto(`/desk/all/${other.ticket_number}`)
  await expect(details(page).getByRole('link', { name: /First report/ })).toBeVisible()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: /^Merge into/ }).click()
  await page.getByRole('radio', { name: new RegExp(one.ticket_number) }).check()
  await expect(page.getByText(`${one.ticket_number} stays and shows both threads.`, { exact: false })).toBeVisible()
  await page.getByRole('button', { name: `Merge into ${one.ticket_number}` }).click()

  await expect(heading(page)).toHaveText('First report')
  await expect(page.getByRole('article')).toHaveCount(2)
  await page.getByRole('radio', { name: other.ticket_number }).check({ force: true })
  await expect(page.getByRole('article')).toHaveCount(1)
  await expect(page.getByRole('article')).toContainText('Still broken.')
  await page.getByRole('button', { name: `Take ${other.ticket_number} out again` }).click()
  await expect(page.getByText(`${other.ticket_number} is a separate ticket again`)).toBeVisible()
  await expect(page.getByRole('article')).toContainText('It is broken.')

  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: /^Move to trash/ }).click()
  await page.getByRole('button', { name: 'Move to trash' }).click()
  await expect(page.getByText('This ticket is in the trash.', { exact: false })).toBeVisible()
  await expect(page.getByRole('form')).toHaveCount(0)
  await page.getByRole('main').getByRole('button', { name: 'Restore from trash' }).first().click()
  await expect(page.getByRole('form', { name: 'Write a reply' })).toBeVisible()
})

test('a thread is printed whole, and with notes only on request', async ({ desk, client, consolePage: page }) => {
  const ticket = await desk.ticket(client, { subject: 'On paper' })
  await desk.post('/api/admin/tickets/note', { id: ticket.ticket_id, note: 'Staff alone.' }, desk.admin)
  await page.goto(`/desk/all/${ticket.ticket_number}`)
  const note = page.getByRole('article', { name: /^Note/ })
  await expect(note).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await expect(note).toBeHidden()
  await expect(details(page)).toBeHidden()
  await expect(page.getByRole('navigation').first()).toBeHidden()
  await expect(heading(page)).toBeVisible()
  await page.emulateMedia({ media: 'screen' })
  await page.evaluate(() => {
    window.print = () => document.body.setAttribute('data-printed', String(document.documentElement.dataset.printNotes))
  })
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Print with notes' }).click()
  await expect(page.locator('body')).toHaveAttribute('data-printed', '')
})

test('a missing ticket says so, and on phones links back to the list', async ({ desk, pageOf }) => {
  const page = await pageOf(desk.admin, { viewport: { width: 390, height: 844 } })
  await page.goto('/desk/all/TIC-999999')
  await expect(page.getByRole('heading', { level: 1, name: 'There is nothing here' })).toBeVisible()
  await page.getByRole('link', { name: 'Back to the list' }).click()
  await expect(page).toHaveURL(/\/desk\/all$/)
})

test.describe('with few permissions', () => {
  test.use({ grants: ['tickets.view_all'] })

  test('actions without permission are not offered', async ({ desk, client, consolePage: page }) => {
    const ticket = await desk.ticket(client, { subject: 'Look only' })
    await page.goto(`/desk/all/${ticket.ticket_number}`)
    await expect(page.getByRole('article')).toContainText('It hums no more.')
    await expect(page.getByRole('form')).toHaveCount(0)
    await expect(
      details(page).getByRole('button', { name: /^(Status|Priority|Assignee|Department|Tags)/ })
    ).toHaveCount(0)
    await expect(details(page).getByRole('link', { name: /Katharina/ })).toHaveCount(0)
    await page.getByRole('button', { name: 'More actions' }).click()
    await expect(page.getByRole('menuitem', { name: /Merge|trash/ })).toHaveCount(0)
  })
})

test.describe('with only the permission to reply', () => {
  test.use({ grants: ['tickets.view_all', 'tickets.reply'] })

  test('staff can reply and take unassigned tickets, but set no other status', async ({
    desk,
    client,
    consolePage: page
  }) => {
    const ticket = await desk.ticket(client, { subject: 'Reply only' })
    await page.goto(`/desk/all/${ticket.ticket_number}`)
    await page.getByRole('button', { name: 'Other ways to send' }).click()
    await expect(page.getByRole('menuitem')).toHaveCount(1)
    await page.keyboard.press('Escape')
    await expect(details(page).getByRole('button', { name: /^Status/ })).toHaveCount(0)
    await page.keyboard.press('a')
    await page.getByRole('option', { name: /Jonas Weber/ }).click()
    await expect(details(page).getByRole('button', { name: /^Assignee/ })).toContainText('Jonas Weber')
    await page.getByRole('textbox', { name: 'Reply', exact: true }).fill('On it.')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByRole('article').filter({ hasText: 'On it.' })).toHaveCount(1)
  })
})

test('the address of a ticket with its id redirects to its number, and the ticket can be answered there', async ({
  desk,
  client,
  consolePage: page
}) => {
  const { ticket_id: id, ticket_number } = await desk.ticket(client)
  await page.goto(`/desk/all/${id}`)
  await expect(page).toHaveURL(new RegExp(`/desk/all/${ticket_number}$`))
  await page.getByRole('textbox', { name: /Reply|reply/ }).fill('We are on our way.')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('article').filter({ hasText: 'We are on our way.' })).toBeVisible()
})

test('replying can assign an unassigned ticket to oneself', async ({ desk, client, member, consolePage: page }) => {
  const [first, second] = [await desk.ticket(client), await desk.ticket(client)]
  const assigneeOf = async (id: number) =>
    (await desk.post('/api/admin/tickets/detail', { id }, desk.admin)).ticket.assignee?.id
  const field = page.getByRole('textbox', { name: 'Reply', exact: true })
  const answer = async (number: string) => {
    await page.goto(`/desk/all/${number}`)
    await field.fill('I shall see to it.')
    await page.getByRole('button', { name: 'Send and set Answered' }).click()
    await expect(page.getByRole('article').filter({ hasText: 'I shall see to it.' })).toBeVisible()
    await expect(field).toHaveText('')
  }
  await answer(first.ticket_number)
  expect(await assigneeOf(first.ticket_id)).toBeUndefined()

  await page.getByRole('button', { name: 'Other ways to send' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Assign to me if nobody has it' }).click()
  await answer(second.ticket_number)
  await expect.poll(() => assigneeOf(second.ticket_id)).toBe(member.id)
})

test('a short thread begins at the top, under its subject', async ({ desk, client, consolePage: page }) => {
  const { ticket_number } = await desk.ticket(client, { subject: 'Short one' })
  await page.goto(`/desk/all/${ticket_number}`)
  const message = page.getByRole('article').first()
  await expect(page.locator('form[data-kind]')).toBeVisible()
  const { y } = (await message.boundingBox())!
  const head = (await page.locator('header:has(h1)').boundingBox())!
  expect(y - head.y - head.height).toBeLessThan(40)
})

test('A and Enter take a ticket of nobody; a tag that there is not is created where tags are chosen', async ({
  desk,
  client,
  consolePage: page
}) => {
  const tag = `new-${Date.now()}`
  const { ticket_id, ticket_number } = await desk.ticket(client, { subject: 'Nobody has it' })
  await page.goto(`/desk/all/${ticket_number}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Nobody has it' })).toBeVisible()
  await page.keyboard.press('a')
  await expect(page.getByRole('combobox', { name: /assign/i })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText(/^Assigned to/)).toBeVisible()

  // What says so does not cover what one writes in.
  const toast = page.locator('.toast')
  const composer = page.locator('form[data-kind]')
  await expect(composer).toBeVisible()
  const [said, written] = [(await toast.boundingBox())!, (await composer.boundingBox())!]
  expect(said.y + said.height).toBeLessThanOrEqual(written.y)

  await page.keyboard.press('t')
  const search = page.getByRole('combobox', { name: /tags/i })
  await expect(search).toBeFocused()
  await search.fill(tag)
  await expect(page.getByRole('option', { name: `Create tag “${tag}”` })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(details(page).getByText(tag)).toBeVisible()
  await expect
    .poll(async () => {
      const { ticket } = await desk.post('/api/admin/tickets/detail', { id: ticket_id }, desk.admin)
      return ticket.tags.map(({ name }) => name)
    })
    .toEqual([tag])
  await page.keyboard.press('t')
  await search.fill(tag.toUpperCase())
  await expect(page.getByRole('option', { name: tag })).toHaveCount(1)
})

test('beside the composer stands what the client gets of an answer', async ({ desk, client, consolePage: page }) => {
  const verified = await desk.client({ verified: true, first_name: 'Vera' })
  const plain = await desk.ticket(verified)
  const unconfirmed = await desk.ticket(client)
  const reply = page.getByRole('textbox', { name: 'Reply', exact: true })
  await page.goto(`/desk/all/${plain.ticket_number}`)
  await expect(reply).toHaveAccessibleDescription('To Vera Brandt')
  await page.goto(`/desk/all/${unconfirmed.ticket_number}`)
  await expect(reply).toHaveAccessibleDescription(
    'To Katharina Brandt The address is not confirmed: Katharina gets an e-mail that there is an answer, without its text.'
  )
  await desk.post('/api/account/notifications', { ticket_emails: 0 }, verified)
  await page.goto(`/desk/all/${plain.ticket_number}`)
  await expect(
    page.getByText('Vera gets no e-mail of this: all e-mails about tickets are turned off in the account.')
  ).toBeVisible()
  await page.getByRole('radio', { name: 'Note' }).check({ force: true })
  await expect(page.getByText('gets no e-mail of this')).toHaveCount(0)
})
