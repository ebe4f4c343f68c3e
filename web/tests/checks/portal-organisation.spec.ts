import { expectAccessible } from '../support/axe.ts'
import { expect, test } from '../support/test.ts'

test('a new ticket says who else reads it, to those in an organisation alone, who alone load that part', async ({
  desk,
  client,
  pageOf,
  portalPage
}) => {
  const name = `Weingut Brückner ${Date.now()}`
  const { organisation } = await desk.post('/api/admin/organisations/create', { name }, desk.admin)
  const member = await desk.client()
  await desk.post('/api/admin/clients/update', { id: member.id, organisation_id: organisation.id }, desk.admin)
  const page = await pageOf(member)
  await page.goto('/new')
  await expect(page.getByText(`The managers of ${name} can read and answer this ticket, too.`)).toBeVisible()
  await expectAccessible(page, 'a new ticket of somebody in an organisation')

  expect(client.id).not.toBe(member.id)
  const parts: string[] = []
  portalPage.on('request', request => parts.push(request.url()))
  const asked = portalPage.waitForResponse('**/api/account/organisation')
  await portalPage.goto('/new')
  await asked
  await portalPage.getByRole('textbox', { name: 'Subject' }).waitFor()
  await expect(portalPage.getByText('The managers of')).toHaveCount(0)
  expect(parts.filter(url => url.includes('organisation-note'))).toEqual([])
})
