import { expectAccessible } from '../support/axe.ts'
import { expect, test } from '../support/test.ts'

test('before an answer is written it is told what reaches whom', async ({ desk, client, consolePage: page }) => {
  const { ticket_id: id, ticket_number: number } = await desk.ticket(client, { subject: 'Without e-mails' })
  const anton = { id, email: `anton${id}@example.com`, name: 'Anton' }
  await desk.post('/api/admin/tickets/followers/add', anton, desk.admin)
  await page.goto(`/desk/all/${number}`)
  await expect(page.getByText('The address is not confirmed: Katharina gets an e-mail')).toBeVisible()
  const open = page.getByRole('button', { name: 'What reaches whom', exact: true })
  await open.press('Enter')
  const panel = page.getByRole('region', { name: 'What reaches whom' })
  await expect(panel.getByRole('listitem')).toHaveText([
    'Katharina Brandt, in the portal: this answer, at once',
    /^Katharina Brandt, by e-mail: The address is not confirmed/,
    'Anton, by e-mail: this answer'
  ])
  // It never takes the focus by itself.
  await expect(open).toBeFocused()
  await expectAccessible(page, 'what reaches whom', ['nav', '.tooltip'])
  await panel.getByRole('button', { name: 'Close what reaches whom' }).click()
  await expect(panel).toHaveCount(0)
})
