import { receiveHeldMail } from './support/inbound-mail.ts'
import { expect, test } from './support/test.ts'

test('held e-mails are counted in the navigation, and can be read, released into an existing ticket, discarded and restored', async ({
  desk,
  client,
  consolePage: page
}) => {
  const { ticket_number } = await desk.ticket(client)
  const [one, other] = [`Held one ${Date.now()}`, `Held other ${Date.now()}`]
  await page.goto('/desk/mail/held')
  await page.getByRole('heading', { level: 1, name: 'Held mail' }).waitFor()
  for (const subject of [one, other]) await receiveHeldMail(desk, subject)

  // It appears by itself.
  await page.getByRole('link', { name: one }).click()
  await expect(page.getByText('It names no sender.')).toBeVisible()
  await expect(page.getByText('Who am I?')).toBeVisible()
  await page.getByRole('button', { name: 'Release into a ticket' }).click()
  await page.getByRole('button', { name: 'Choose a ticket' }).press('Enter')
  await page.getByRole('combobox', { name: 'Find a ticket' }).fill(ticket_number)
  await page.getByRole('option', { name: ticket_number }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Release', exact: true }).click()
  await expect(page.getByText(`Released: ${ticket_number}`)).toBeVisible()
  await expect(page.getByRole('link', { name: one })).toHaveCount(0)

  const row = page.getByRole('row', { name: other })
  await row.getByRole('button', { name: `Actions for ${other}` }).click()
  await page.getByRole('menuitem', { name: 'Discard' }).click()
  await expect(row).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(row).toBeVisible()
  await page.getByRole('link', { name: 'Blocked senders' }).click()
  await page.getByRole('heading', { level: 1, name: 'Blocked senders' }).waitFor()
  await page.getByRole('button', { name: 'Block a sender' }).click()
  await page.getByRole('textbox', { name: 'Sender' }).fill('@bulk.example')
  await page.getByRole('button', { name: 'Block the sender' }).click()
  await expect(page.getByRole('cell', { name: '@bulk.example', exact: true })).toBeVisible()

  await page.goto(`/desk/all/${ticket_number}`)
  const article = page.getByRole('article').filter({ hasText: 'Who am I?' })
  const asked = page.waitForRequest(/\/uploads\/mails\/\d+\.eml\?/)
  await article.getByRole('button', { name: 'Save the original' }).click()
  await asked
})
