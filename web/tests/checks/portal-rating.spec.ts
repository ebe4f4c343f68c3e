import { expectAccessible, expectAccessibleInEachWindow } from '../support/axe.ts'
import { expect, test } from '../support/test.ts'

test('a closed ticket asks how the help was: nothing is chosen beforehand, the button votes, and it can be changed', async ({
  desk,
  client,
  portalPage: page
}) => {
  await desk.post('/api/admin/settings/update', { csat_enabled: 1 }, desk.admin)
  const { ticket_id: id, ticket_number: number } = await desk.ticket(client)
  const stored = async () => (await desk.post('/api/tickets/rating', { id }, client)).survey
  await page.goto(`/tickets/${number}`)
  await expect(page.getByLabel('Your answer')).toBeVisible()
  await expect(page.getByRole('region', { name: 'How was our help?' })).toHaveCount(0)
  // Who got no answer is not asked.
  await desk.post('/api/admin/tickets/reply', { id, message: 'It hums again.' }, desk.admin)
  await desk.post('/api/admin/tickets/status', { id, status: 'Closed' }, desk.admin)

  const question = page.getByRole('region', { name: 'How was our help?' })
  // The closing is in the log before it is known that the client may be asked.
  await expect.poll(stored).not.toBeNull()
  await page.reload()
  await expect(question).toBeVisible()
  await expectAccessibleInEachWindow(page, 'asked')
  await question.getByRole('button', { name: 'Send rating' }).click()
  await expect(question.getByRole('alert')).toHaveText('Choose one of the two.')
  await expect(question.getByRole('radio', { name: 'Good', exact: true })).toBeFocused()
  expect((await stored())?.rating).toBeNull()
  await page.keyboard.press('ArrowDown')
  await question.getByLabel('Tell us more').fill('I had to ask twice.')
  await question.getByRole('button', { name: 'Send rating' }).press('Enter')

  await expect(question.getByRole('status')).toContainText('Thank you. You can change it until')
  expect(await stored()).toMatchObject({ rating: 'bad', comment: 'I had to ask twice.' })
  await question.getByRole('radio', { name: 'Good', exact: true }).check()
  await question.getByRole('button', { name: 'Change rating' }).click()
  await expect.poll(async () => (await stored())?.rating).toBe('good')
  await expectAccessible(page, 'rated')
})
