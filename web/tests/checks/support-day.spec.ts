import type { Page } from '@playwright/test'
import { listIn } from '../support/queue.ts'
import { expect, test } from '../support/test.ts'
import { typeText } from '../support/type-text.ts'

const rights = ['tickets.view_all', 'tickets.reply', 'tickets.edit_status', 'clients.view'] as const
const reply = (page: Page) => page.getByRole('textbox', { name: 'Reply', exact: true })
const note = (page: Page) => page.getByRole('textbox', { name: 'Note, only staff see it' })
const message = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text })

test('a day at the desk: a customer writes, one supporter asks another, who answers; it is closed, opened again and found', async ({
  desk,
  portalPage: portal,
  pageOf
}) => {
  const mira = await desk.supporter([...rights], { first_name: 'Mira', last_name: 'Sommer' })
  const jorin = await desk.supporter([...rights], { first_name: 'Jorin', last_name: 'Adler' })
  // More departments than would be cards, and one that is of this day alone.
  const today = `Day ${Date.now()}`
  for (const name of [today, ...['One', 'Two', 'Three', 'Four'].map(part => `${part} of ${today}`)])
    await desk.post('/api/admin/departments/create', { name }, desk.admin)
  const { departments } = await desk.post('/api/admin/departments/list', {}, desk.admin)
  const { deptid } = departments.find(({ name }) => name === today)!
  const word = `krypton${Date.now()}`

  const first = await pageOf(mira)
  await first.goto(`/desk/department-${deptid}`)
  await expect(first.getByRole('heading', { level: 1, name: today })).toBeVisible()

  await portal.goto('/new')
  await portal.getByLabel('What is it about?').selectOption({ label: today })
  await portal.getByLabel('Subject').fill('The inverter hums')
  await portal.getByLabel('What happened?').fill(`Since the storm it hums like ${word}.`)
  await portal.getByRole('button', { name: 'Send ticket' }).click()
  await expect(portal.getByRole('main').getByText(/We have it\. TIC-\d+ is its number/)).toBeVisible()
  const number = /TIC-\d+/.exec(portal.url())![0]

  // It comes by itself; Mira takes it, and asks Jorin where the customer does not see it.
  await listIn(first).row('The inverter hums').click()
  await expect(message(first, word)).toBeVisible()
  await first.keyboard.press('i')
  const details = first.getByRole('complementary', { name: 'Ticket details' })
  await expect(details.getByRole('button', { name: /^Assignee/ })).toContainText('Mira')
  await first.getByRole('radio', { name: 'Note' }).check({ force: true })
  await typeText(note(first), '@jorin')
  await first.getByRole('option', { name: /Jorin Adler/ }).click()
  await typeText(note(first), 'is this the old firmware?')
  await first.getByRole('button', { name: 'Add note' }).click()
  await expect(first.getByRole('article', { name: /^Note, staff only/ })).toContainText('old firmware')
  await first.getByRole('radio', { name: 'Reply' }).check({ force: true })

  // Jorin comes by the e-mail about it. Both begin to answer, and see it of each other.
  const second = await pageOf(jorin)
  await desk.outbox.emailTo(jorin.email, new RegExp(number))
  await second.goto(`/desk/all/${number}`)
  await expect(second.getByRole('article', { name: /^Note, staff only/ })).toContainText('old firmware')
  await typeText(reply(first), 'Dear')
  await expect(second.getByText('Mira is replying to this ticket too')).toBeVisible()
  await reply(second).fill('It is the old firmware. The new one is attached.')
  await second
    .getByRole('form', { name: 'Write a reply' })
    .locator('input[type=file]')
    .setInputFiles([{ name: 'firmware.txt', mimeType: 'text/plain', buffer: Buffer.from('8.2') }])
  await expect(second.getByRole('form', { name: 'Write a reply' }).getByText('firmware.txt')).toBeVisible()
  await second.getByRole('button', { name: /^Send and set/ }).click()
  await expect(message(second, 'The new one is attached').getByRole('link', { name: /firmware\.txt/ })).toBeVisible()
  await expect(message(first, 'The new one is attached')).toBeVisible()

  // The customer sees the answer and its file at once, and never the note.
  await expect(message(portal, 'The new one is attached').getByRole('link', { name: /firmware\.txt/ })).toBeVisible()
  await expect(portal.getByText('Answered, your turn')).toBeVisible()
  await expect(portal.getByText('is this the old firmware?')).toHaveCount(0)
  await portal.getByLabel('Your answer').fill('It hums no more, thank you.')
  await portal.getByLabel('Your answer').press('Control+Enter')
  await expect(message(second, 'It hums no more')).toBeVisible()

  await second.locator('h1').click()
  await second.keyboard.press('s')
  await second.keyboard.type('clos')
  await second.keyboard.press('Enter')
  await expect(portal.getByText('Writing opens this ticket again')).toBeVisible()
  await portal.getByLabel('Your answer').fill('It hums again.')
  await portal.getByLabel('Your answer').press('Control+Enter')
  await expect(message(second, 'It hums again.')).toBeVisible()
  const status = second.getByRole('complementary', { name: 'Ticket details' }).getByRole('button', { name: /^Status/ })
  await expect(status).toContainText('Customer replied')

  await second.goto(`/desk/search?q=${word}`)
  await second.getByRole('link', { name: /The inverter hums/ }).click()
  await expect(second).toHaveURL(new RegExp(`/desk/search/${number}`))
  await expect(message(second, word)).toBeVisible()
})
