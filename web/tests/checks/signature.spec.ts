import { expectAccessible } from '../support/axe.ts'
import { expect, test } from '../support/test.ts'

test('a signature of one’s own is written with one’s name, kept, and found by its address', async ({
  desk,
  member,
  consolePage: page
}) => {
  await page.goto('/desk/account/signature')
  const part = page.getByRole('region', { name: 'Signature' })
  const english = part.getByRole('textbox', { name: 'In English' })
  await english.fill('Kind regards, ')
  await part.getByRole('button', { name: 'Insert first name' }).first().click()
  await expect(english).toHaveValue('Kind regards, {{staff.first_name}}')
  await expect(part.getByRole('figure')).toContainText('Kind regards, Support')
  await expectAccessible(page, 'a signature', ['nav', '.tooltip'])

  await part.getByRole('button', { name: 'Save signature' }).click()
  await expect(page.locator('[data-announcer="polite"]')).toHaveText('Signature saved')
  const { signature } = await desk.post('/api/account/signature', {}, member)
  expect(signature.texts).toEqual({ en: 'Kind regards, {{staff.first_name}}' })
})

test('the composer shows in one line what stands below the e-mail, and leaves it out once', async ({
  desk,
  client,
  consolePage: page
}) => {
  const ticket = await desk.ticket(client, { subject: 'Below the e-mail' })
  await page.goto(`/desk/all/${ticket.ticket_number}`)
  const form = page.getByRole('form', { name: 'Write a reply' })
  await expect(form.getByText(/^Signature:/)).toHaveCount(0)

  await page.getByRole('textbox', { name: 'Reply', exact: true }).fill('Please switch it off.')
  await form.getByText(/^Signature: /).click()
  await form.getByRole('button', { name: 'Mine and the address’s' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'None this time' }).click()
  await expect(form.getByText('No signature this time')).toBeVisible()
  await expectAccessible(page, 'no signature', ['nav', '.tooltip'])

  const sent = page.waitForRequest('**/api/admin/tickets/reply')
  await form.getByRole('button', { name: /^Send/ }).first().click()
  expect((await sent).postDataJSON()).toMatchObject({ signature: 'none' })
})
