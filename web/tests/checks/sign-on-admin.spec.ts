import { openIdProvider } from '../../../test/support/openid-provider.ts'
import { expectAccessibleInEachWindow } from '../support/axe.ts'
import { test } from '../support/localhost.ts'
import { expect } from '../support/test.ts'

test('an admin adds a provider, walks a test that shows each claim and saves nothing, and turns it on only then', async ({
  desk,
  pageOf
}) => {
  const real = await openIdProvider()
  real.allow(`${desk.url}/api/sso/nordlicht-id/callback`)
  const grace = await desk.supporter()
  real.people.grace = { email: grace.email, email_verified: true, realm_access: { roles: ['leads'] } }
  const page = await pageOf(desk.admin)

  await page.goto('/desk/settings/sign-in')
  await expect(page.getByText('It can be turned on as soon as a provider for staff is on.')).toBeVisible()
  await page.getByRole('link', { name: 'Add single sign-on', exact: true }).click()
  await page.getByText('Keycloak', { exact: true }).click()
  await expect(page.getByLabel('Claim with the roles')).toHaveValue('realm_access.roles')
  await page.getByLabel('Name on the button').fill('Nordlicht ID')
  await page.getByLabel('Short name').fill('nordlicht-id')
  await page.getByLabel('Client ID').fill('deskline')
  await page.getByLabel('Client secret').fill('s3cret')
  await page.getByRole('button', { name: 'Save and test' }).click()
  await expect(page.getByText('Replace what stands in angle brackets.')).toBeVisible()
  await page.getByLabel('Issuer').fill(`${real.issuer}/elsewhere`)
  await page.getByRole('button', { name: 'Save and test' }).click()
  await expect(page.getByRole('alert')).toContainText('discovery')
  await page.getByLabel('Issuer').fill(real.issuer)
  await page.getByRole('button', { name: 'Add a role' }).click()
  await page.getByLabel('Value at the provider').fill('leads')
  await page.getByLabel('View all tickets').check()
  await expect(page.getByText(`${desk.url}/api/sso/nordlicht-id/callback`)).toBeVisible()
  await page.getByRole('button', { name: 'Save and test' }).click()

  await expect(page.getByRole('heading', { level: 1, name: 'Nordlicht ID' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Turn on' })).toHaveAttribute('aria-disabled', 'true')
  await page.getByRole('button', { name: 'Run test' }).click()
  const opened = page.context().waitForEvent('page')
  await page.getByRole('link', { name: 'Sign in at Nordlicht ID' }).click()
  const there = await opened
  await there.getByPlaceholder('Enter any login').fill('grace')
  await there.getByPlaceholder('and password').fill('x')
  await there.getByRole('button', { name: 'Sign-in' }).click()
  await there.getByRole('button', { name: 'Continue' }).click()
  await expect(there.getByText('The test has come back.')).toBeVisible()
  await there.close()

  await expect(page.getByText(`Finds ${grace.first_name} ${grace.last_name} by the address`)).toBeVisible()
  await expect(page.getByText('Gives: View all tickets')).toBeVisible()
  await expect(page.getByText('Nothing was saved.', { exact: false })).toBeVisible()
  await expect(page.getByText('email_verified')).toBeVisible()
  expect((await desk.post('/api/account/identities', {}, grace)).identities).toEqual([])
  await expectAccessibleInEachWindow(page, 'a provider after its test')
  await page.setViewportSize({ width: 1440, height: 900 })
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/admin-tested-light.png`, fullPage: true })
  await page.getByRole('button', { name: 'Turn on' }).click()
  await expect(page.getByRole('button', { name: 'Turn off' })).toBeVisible()

  await page.goto('/desk/settings/sign-in')
  await expect(page.getByText(/people could not sign in then|One person could not sign in then/)).toBeVisible()
  await page.getByRole('switch', { name: /only by single sign-on/ }).click()
  await expect(page.getByRole('dialog')).toContainText(grace.last_name)
  await page.getByRole('button', { name: 'Not now' }).click()
  await expect(page.getByRole('switch', { name: /only by single sign-on/ })).not.toBeChecked()
  await expectAccessibleInEachWindow(page, 'the sign-in settings')
  await real.stop()
})
