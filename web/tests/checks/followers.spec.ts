import { expectAccessible, windows } from '../support/axe.ts'
import { nobodyHas, receive, returnAddressOf } from '../support/inbound-mail.ts'
import { expect, test } from '../support/test.ts'

// The navigation and the tooltips are those of every page, and are looked at there.
const elsewhere = ['nav', '.tooltip']

test('followers are added by keyboard, counted in the composer, and removed with undo', async ({
  desk,
  client,
  member,
  consolePage: page
}) => {
  const { ticket_id: id, ticket_number: number } = await desk.ticket(client)
  await page.goto(`/desk/all/${number}`)
  const details = page.getByRole('complementary', { name: 'Ticket details' })
  const add = details.getByRole('button', { name: 'Add a follower' })
  await expect(page.getByText('To Katharina Brandt', { exact: true })).toBeVisible()

  await add.press('Enter')
  const email = details.getByRole('textbox', { name: 'E-mail address' })
  await expect(email).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(add).toBeFocused()
  await add.press('Enter')
  await page.keyboard.type('grace')
  await page.keyboard.press('Enter')
  await expect(details.getByText('This is no e-mail address.')).toBeVisible()
  await expect(email).toBeFocused()
  await email.fill(client.email)
  await page.keyboard.press('Enter')
  await expect(details.getByText('The client of the ticket gets its answers anyway')).toBeVisible()
  await expectAccessible(page, 'an address that was refused', elsewhere)
  await email.fill('grace@example.com')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Grace Hopper')
  await page.keyboard.press('Enter')
  await expect(page.locator('[data-announcer="polite"]')).toHaveText('Grace Hopper gets the answers by e-mail now')
  await expect(add).toBeFocused()
  await expect(page.getByText('To Katharina Brandt and 1 follower', { exact: true })).toBeVisible()

  // A colleague's change arrives by itself.
  await desk.post('/api/admin/tickets/followers/add', { id, email: 'alan@example.com' }, desk.admin)
  await expect(page.getByText('To Katharina Brandt and 2 followers', { exact: true })).toBeVisible()
  await expectAccessible(page, 'a ticket with followers', elsewhere)

  const remove = details.getByRole('button', { name: 'Send Grace Hopper no more answers' })
  await remove.press('Enter')
  await expect(remove).toHaveCount(0)
  await expect(add).toBeFocused()
  await expect(page.getByRole('status').getByText('Grace Hopper gets no more answers')).toBeVisible()
  await expect(page.getByText('To Katharina Brandt and 1 follower', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(remove).toBeVisible()
  await expect(page.getByText('To Katharina Brandt and 2 followers', { exact: true })).toBeVisible()
  const { followers } = await desk.post('/api/admin/tickets/followers/list', { id }, member)
  expect(followers.map(({ name, email }) => [name, email]).toSorted()).toEqual([
    ['', 'alan@example.com'],
    ['Grace Hopper', 'grace@example.com']
  ])

  await page.setViewportSize(windows.phone)
  await page.getByRole('button', { name: 'Details', exact: true }).click()
  await add.press('Enter')
  await expect(email).toBeFocused()
  await expectAccessible(page, 'adding a follower on a phone', elsewhere)
  await page.keyboard.press('Escape')
  await expect(email).toHaveCount(0)
  await expect(add).toBeFocused()
})

test('staff who may not reply see the followers, but cannot add or remove any', async ({ desk, client, pageOf }) => {
  const page = await pageOf(await desk.supporter(['tickets.view_all']))
  const { ticket_id: id, ticket_number: number } = await desk.ticket(client)
  await desk.post('/api/admin/tickets/followers/add', { id, email: 'grace@example.com' }, desk.admin)
  await page.goto(`/desk/all/${number}`)
  const details = page.getByRole('complementary', { name: 'Ticket details' })
  await expect(details.getByText('grace@example.com')).toBeVisible()
  await expect(details.getByRole('button', { name: /follower|no more answers/ })).toHaveCount(0)
})

test('the delivery of an e-mail appears in the open thread by itself, and sending to an undeliverable address can be resumed', async ({
  desk,
  pageOf,
  consolePage: page
}) => {
  const client = await desk.client({ verified: true })
  const { ticket_id: id, ticket_number: number } = await desk.ticket(client)
  // An answer that comes before this confirmation is sent would be in it.
  await desk.outbox.emailTo(client.email, new RegExp(number))
  await page.goto(`/desk/all/${number}`)
  await desk.post('/api/tickets/reply', { id, message: 'Have you tried water?' }, desk.admin)
  await expect(page.getByText('Sent by e-mail')).toBeVisible()
  await nobodyHas(desk, client.email, /Have you tried water/)
  await expect(page.getByText(`Not delivered to ${client.email}: no such address`)).toBeVisible()
  await expectAccessible(page, 'an answer that was not delivered', elsewhere)
  await desk.post('/api/admin/tickets/followers/add', { id, email: 'grace@example.com', name: 'Grace' }, desk.admin)
  await expect(page.getByText('To Katharina Brandt and 1 follower', { exact: true })).toBeVisible()

  await page.goto(`/desk/clients/${client.id}`)
  const undelivered = page.getByText(`E-mails to ${client.email} are not delivered: no such address`)
  await expect(undelivered).toBeVisible()
  await expectAccessible(page, 'a client who gets no e-mails', elsewhere)
  const reader = await pageOf(await desk.supporter(['clients.view']))
  await reader.goto(`/desk/clients/${client.id}`)
  await expect(reader.getByText(`E-mails to ${client.email} are not delivered`)).toBeVisible()
  await expect(reader.getByRole('button', { name: 'Send e-mails there again' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Send e-mails there again' }).press('Enter')
  await expect(page.getByRole('status').getByText(`E-mails are sent to ${client.email} again`)).toBeVisible()
  await expect(undelivered).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  const state = await desk.post('/api/admin/clients/deliverability', { id: client.id }, desk.admin)
  expect(state.undeliverable).toBeNull()
})

test('the reasons of bounces and of refused followers are shown in the reader’s language', async ({ desk, pageOf }) => {
  const client = await desk.client({ verified: true })
  const { ticket_id: id, ticket_number: number } = await desk.ticket(client)
  await desk.outbox.emailTo(client.email, new RegExp(number))
  await desk.post('/api/tickets/reply', { id, message: 'Have you tried water?' }, desk.admin)
  const { messageId } = await desk.outbox.emailTo(client.email, /water/)
  const to = await returnAddressOf(desk, messageId)
  const head = ['From: MAILER-DAEMON@mx.example.com', `To: ${to}`, 'Subject: Undeliverable']
  const report = 'Content-Type: multipart/report; report-type=delivery-status; boundary=r'
  const status = [
    'Reporting-MTA: dns; mx.example.com',
    '',
    `Final-Recipient: rfc822; ${client.email}`,
    'Action: failed'
  ]
  await receive(desk, [
    ...[...head, report, '', '--r', 'Content-Type: message/delivery-status', ''],
    ...[...status, 'Status: 5.2.2', 'Diagnostic-Code: smtp; 552 5.2.2 Mailbox full', ''],
    ...['--r', 'Content-Type: text/rfc822-headers', '', `Message-ID: ${messageId}`, '--r--', '']
  ])
  const page = await pageOf(desk.admin, { locale: 'de-DE' })
  await page.goto(`/desk/all/${number}`)
  await expect(page.getByText(`Nicht zugestellt an ${client.email}: Postfach voll`)).toBeVisible()
  const details = page.getByRole('complementary', { name: 'Details zum Ticket' })
  await details.getByRole('button', { name: 'Jemanden hinzufügen' }).click()
  await details.getByRole('textbox', { name: 'E-Mail-Adresse' }).fill(desk.admin.email)
  await page.keyboard.press('Enter')
  await expect(details.getByText('Wer zum Team gehört, beobachtet ein Ticket stattdessen.')).toBeVisible()
})
