import { expect, test } from '../support/test.ts'

test('an admin adds an organisation and a manager, who then sees the tickets of all in the portal', async ({
  desk,
  consolePage: page,
  pageOf
}) => {
  const manager = await desk.client({ first_name: 'Mara', last_name: 'Manager', verified: true })
  const member = await desk.client({ first_name: 'Thomas', last_name: 'Member', verified: true })

  await page.goto('/desk/organisations')
  await page.getByRole('button', { name: 'Add organisation' }).first().click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Name').fill('Weingut Brückner & Söhne KG')
  await form.getByLabel('E-mail domains').fill('gmail.com')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form.getByText('Anybody can have an address at one of these domains.')).toBeVisible()
  await form.getByLabel('E-mail domains').fill('weingut.example')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { name: 'Weingut Brückner & Söhne KG' })).toBeVisible()

  await page.goto(`/desk/clients/${manager.id}`)
  await page.getByRole('button', { name: 'Change organisation' }).click()
  await page.getByLabel('Organisation', { exact: true }).selectOption({ label: 'Weingut Brückner & Söhne KG' })
  await page.getByLabel('Role').selectOption({ label: 'Manager: sees the tickets of all' })
  await page.getByRole('button', { name: 'Save' }).click()
  const link = page.getByRole('link', { name: 'Weingut Brückner & Söhne KG' })
  await expect(link).toBeVisible()
  await link.click()
  await expect(page.getByText('Sees all')).toBeVisible()
  const id = Number(new URL(page.url()).pathname.split('/').at(-1))
  await desk.post('/api/admin/clients/update', { id: member.id, organisation_id: id }, desk.admin)
  const { ticket_number: number } = await desk.ticket(member)
  await page.reload()
  await expect(page.getByRole('cell', { name: number })).toBeVisible()

  const portal = await pageOf(manager)
  await portal.goto('/')
  await expect(portal.getByText('You have no tickets')).toBeVisible()
  await portal.getByText('All of Weingut Brückner & Söhne KG').click()
  await expect(portal.getByRole('link', { name: number })).toContainText('Thomas Member')
  await portal.getByRole('link', { name: number }).click()
  await expect(portal.getByRole('article').first()).toHaveAccessibleName(/^Thomas Member/)

  const follow = portal.getByRole('switch', { name: 'Send me the answers to this ticket by e-mail' })
  await expect(follow).not.toBeChecked()
  await follow.press('Space')
  await expect(follow).toBeChecked()

  const others = await pageOf(member)
  await others.goto('/')
  await expect(others.getByRole('link', { name: number })).toBeVisible()
  await expect(others.getByText('All of Weingut')).toHaveCount(0)
})
