import { expect, test } from '../support/test.ts'

test.use({ grants: ['tickets.view_all', 'tickets.reply', 'tickets.edit_status', 'staff.view'] })

test('staff say until when they are away; they and their colleagues see it, until they are back', async ({
  desk,
  client,
  pageOf,
  consolePage: page
}) => {
  const { ticket_number: number } = await desk.ticket(client)
  const colleague = await desk.supporter(['tickets.reply', 'tickets.edit_status'], {
    first_name: 'Mira',
    last_name: 'Brandes'
  })
  const theirs = await pageOf(colleague)
  await theirs.goto('/desk/all')
  await theirs.getByRole('button', { name: 'Mira Brandes: account and appearance' }).click()
  await theirs.getByRole('menuitem', { name: 'Away until …' }).click()
  const away = theirs.getByRole('region', { name: 'Away', exact: true })
  await away.getByLabel('Until').fill('2020-03-30')
  await away.getByRole('button', { name: 'Set away' }).click()
  await expect(away.getByText('This is over already.')).toBeVisible()
  await away.getByLabel('Until').fill('2099-03-30')
  await away.getByRole('button', { name: 'Set away' }).click()
  await expect(away.getByRole('button', { name: 'I am back' })).toBeVisible()

  await theirs.goto('/desk/all')
  const bar = theirs.getByRole('status').filter({ hasText: 'You are away until' })
  await expect(bar).toBeVisible()
  await page.goto(`/desk/all/${number}`)
  await page
    .getByRole('complementary')
    .getByRole('button', { name: /^Assignee/ })
    .click()
  await expect(page.getByRole('option', { name: 'Mira Brandes away until 30 Mar 2099' })).toBeVisible()
  await page.goto('/desk/staff')
  await expect(page.getByRole('link', { name: /Mira Brandes.*away until 30 Mar 2099/ })).toBeVisible()

  await bar.getByRole('button', { name: 'I am back' }).click()
  await expect(bar).toBeHidden()
  await page.reload()
  await expect(page.getByRole('link', { name: /Mira Brandes/ })).not.toContainText('away until')
})
