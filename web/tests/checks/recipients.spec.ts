import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/axe.ts'
import { expect, test } from '../support/test.ts'
import { expectWritten } from '../support/written-text.ts'

const reply = (page: Page) => page.getByRole('textbox', { name: 'Reply', exact: true })
const rows = (page: Page) => page.getByRole('group', { name: 'Recipients' })
const elsewhere = ['nav', '.tooltip']

test('recipients are chosen by keyboard, say who sees whom, and get the answer', async ({
  desk,
  client,
  member,
  consolePage: page
}) => {
  const { ticket_id: id, ticket_number: number } = await desk.ticket(client, { subject: 'With recipients' })
  const jürgen = await desk.client({ first_name: 'Jürgen', last_name: 'Seidel', email: `seidel${id}@example.com` })
  await desk.post(
    '/api/admin/tickets/followers/add',
    { id, email: `anton${id}@example.com`, name: 'Anton' },
    desk.admin
  )
  await desk.post('/api/admin/tickets/followers/add', { id, email: `lea${id}@example.com`, name: 'Lea' }, desk.admin)
  const { followers } = await desk.post('/api/admin/tickets/followers/list', { id }, desk.admin)
  const lea = followers.find(({ name }) => name === 'Lea')!
  await desk.post('/api/admin/tickets/followers/remove', { id, follower_id: lea.id }, desk.admin)

  await page.goto(`/desk/all/${number}`)
  await page.getByRole('button', { name: 'To Katharina Brandt and 1 follower' }).press('Enter')
  const cc = rows(page).getByRole('combobox', { name: 'Cc' })
  await expect(cc).toBeFocused()
  await expect(rows(page)).toContainText('Antonfollows')
  await expect(rows(page)).toContainText('left out by Support Admin')
  await expect(rows(page)).toContainText('Katharina and Anton see each other.')

  await page.keyboard.type('seid')
  await expect(page.getByRole('option', { name: /Jürgen Seidel/ })).toBeVisible()
  await expectAccessible(page, 'people to choose from', elsewhere)
  await page.keyboard.press('Enter')
  await expect(rows(page)).toContainText('Jürgen Seidel gets this answer and later ones, nothing before.')
  await page.keyboard.type('nobody')
  await page.keyboard.press('Enter')
  await expect(rows(page).getByRole('alert')).toHaveText('“nobody” is no e-mail address.')
  await expect(cc).toHaveValue('nobody')
  await cc.fill('')
  await page.keyboard.press('Backspace')
  await expect(rows(page).getByRole('button', { name: 'Take out Jürgen Seidel' })).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Backspace')
  await expect(rows(page)).toContainText('Antonnot this answer')
  await expect(cc).toBeFocused()

  await rows(page).getByRole('button', { name: 'Bcc' }).click()
  const bcc = rows(page).getByRole('combobox', { name: 'Bcc' })
  await expect(bcc).toBeFocused()
  await bcc.fill(`seen${id}@elsewhere.example`)
  await page.keyboard.press('Enter')
  await expect(rows(page)).toContainText(`Nobody sees that seen${id}@elsewhere.example gets a copy.`)
  await expectAccessible(page, 'recipients', elsewhere)
  await page.keyboard.press('Escape')
  await expect(rows(page)).toHaveCount(0)
  await expect(reply(page)).toBeFocused()
  await expect(
    page.getByRole('button', { name: 'To Katharina Brandt, Cc Jürgen Seidel, Bcc 1', exact: true })
  ).toBeVisible()

  await reply(page).fill('Please leave it off.')
  await reply(page).press('Control+Enter')
  await expect(page.getByRole('article').filter({ hasText: 'Please leave it off.' })).toHaveCount(1)
  const { messages } = await desk.post('/api/admin/tickets/detail', { id }, member)
  expect(messages.at(-1)?.recipients).toMatchObject({ cc: [jürgen.email], bcc: [`seen${id}@elsewhere.example`] })
  await expect(page.getByText(/^To Katharina Brandt and 2 followers$/)).toBeVisible()
})

test('an address that the desk refuses is told below its row, and the text stays', async ({
  desk,
  client,
  member,
  consolePage: page
}) => {
  const { ticket_number: number } = await desk.ticket(client, { subject: 'Refused' })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/desk/all/${number}`)
  await page.getByRole('button', { name: 'Reply to Katharina' }).click()
  await reply(page).fill('Please leave it off.')
  await page.getByRole('button', { name: 'To Katharina Brandt', exact: true }).click()
  await rows(page).getByRole('combobox', { name: 'Cc' }).fill(member.email)
  await page.keyboard.press('Enter')
  // Before it is sent.
  await expect(rows(page).getByRole('alert')).toHaveText('This is a colleague, who reads it here.')
  await expectAccessible(page, 'recipients on a phone', elsewhere)
  const sending = Promise.withResolvers<void>()
  await page.route('**/api/admin/tickets/reply', async route => {
    await sending.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'Send and set Answered' }).click()
  const takeOut = rows(page).getByRole('button', { name: `Take out ${member.email}` })
  await takeOut.press('Delete')
  await expect(takeOut).toBeDisabled()
  sending.resolve()
  await expect(takeOut).toBeEnabled()
  await expect(rows(page).getByRole('alert')).toHaveText('This is a colleague, who reads it here.')
  await expectWritten(reply(page), 'Please leave it off.')
  await takeOut.click()
  await expect(rows(page).getByRole('alert')).toHaveCount(0)
  await rows(page).getByRole('combobox', { name: 'Cc' }).fill('no-reply@shop.example')
  await page.keyboard.press('Enter')
  await expect(rows(page).getByRole('alert')).toHaveText('A program has this address, nobody reads it.')
})

test('on a phone, in German, rows with long names stand one below the other, labels at their first chip', async ({
  desk,
  client,
  member,
  pageOf
}) => {
  const { ticket_id: id, ticket_number: number } = await desk.ticket(client, { subject: 'Long names' })
  for (const [email, name] of [
    [`anton${id}@example.com`, 'Anton Brückner'],
    [`lea${id}@example.com`, 'Lea Brandt']
  ] as const)
    await desk.post('/api/admin/tickets/followers/add', { id, email, name }, desk.admin)
  const { followers } = await desk.post('/api/admin/tickets/followers/list', { id }, desk.admin)
  const lea = followers.find(({ name }) => name === 'Lea Brandt')!
  await desk.post('/api/admin/tickets/followers/remove', { id, follower_id: lea.id }, desk.admin)
  const page = await pageOf(member, { locale: 'de-DE' })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/desk/all/${number}`)
  await page.getByRole('button', { name: /Katharina antworten/ }).click()
  await page.locator('[aria-expanded="false"]', { hasText: 'Katharina' }).click()
  const people = page.getByRole('group', { name: 'Empfänger' })
  await people
    .getByRole('combobox', { name: 'Cc', exact: true })
    .fill('juergen.seidel.mit.einem.langen.namen@seidel-elektrotechnik-und-anlagenbau.example')
  await page.keyboard.press('Enter')

  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const send = (await page.getByRole('button', { name: 'Senden und auf Beantwortet setzen' }).boundingBox())!
    const box = (await people.boundingBox())!
    const anton = (await people.getByText('Anton Brückner').first().boundingBox())!
    const cc = (await people.getByText('Cc', { exact: true }).boundingBox())!
    const left = (await people.locator('s').first().boundingBox())!

    expect(await people.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
    expect(send.y + send.height).toBeLessThanOrEqual(844)
    expect(box.height).toBeGreaterThan(290)
    expect(Math.abs(cc.y + cc.height / 2 - (anton.y + anton.height / 2))).toBeLessThanOrEqual(4)
    expect(left.height).toBeLessThan(24)
  }
  await expectAccessible(page, 'recipients on a phone in German', elsewhere)
})
