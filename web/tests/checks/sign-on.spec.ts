import { openIdProvider } from '../../../test/support/openid-provider.ts'
import { expectAccessibleInEachWindow } from '../support/axe.ts'
import { test } from '../support/localhost.ts'
import { type Desk, expect } from '../support/test.ts'

let serial = 0

/** A real identity provider that the desk knows. */
async function provider(desk: Desk, given: object = {}) {
  const real = await openIdProvider()
  const slug = `nordlicht-${++serial}`
  real.allow(`${desk.url}/api/sso/${slug}/callback`)
  const body = {
    ...{ slug, name: 'Nordlicht', population: 'staff' as const, issuer: real.issuer },
    ...{ client_id: 'deskline', client_secret: 's3cret', is_active: 1 as const, ...given }
  }
  const { provider } = await desk.post('/api/admin/sso/create', body, desk.admin)
  return {
    ...real,
    slug,
    async end() {
      await desk.post('/api/admin/settings/update', { require_sso_staff: 0 }, desk.admin)
      await desk.post('/api/admin/sso/delete', { id: provider.id }, desk.admin)
      await real.stop()
    }
  }
}

test('O7: staff sign in through the provider, and come back to the page that they wanted', async ({ desk, page }) => {
  const nordlicht = await provider(desk)
  const grace = await desk.supporter(['tickets.view_all'])
  nordlicht.people.grace = { email: grace.email, email_verified: true }

  await page.goto('/desk/account?part=sessions')
  await page.getByRole('link', { name: 'Continue with Nordlicht', exact: true }).click()
  await page.getByPlaceholder('Enter any login').fill('grace')
  await page.getByPlaceholder('and password').fill('x')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()

  await expect(page).toHaveURL(/\/desk\/account\?part=sessions$/)
  await expect(page.getByText('Signed in through a provider')).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: 'Connected' })).toContainText('Nordlicht')
  await nordlicht.end()
})

test('O10, O15: the sign-in page says why a provider let nobody in, with a reference, and the password stays', async ({
  desk,
  page
}) => {
  const nordlicht = await provider(desk)
  await page.goto('/desk/sign-in?next=%2Faccount')
  await page.getByRole('link', { name: 'Continue with Nordlicht', exact: true }).click()
  await page.getByRole('link', { name: 'Cancel' }).click()

  await expect(page.getByRole('alert')).toContainText(
    /^Nordlicht did not let you in \(access_denied\)\. Reference \w{3}-\w{3}\.$/
  )
  await expect(page.getByRole('link', { name: 'Continue with Nordlicht', exact: true })).toHaveAttribute(
    'href',
    /return_to=%2Fdesk%2Faccount$/
  )
  await expectAccessibleInEachWindow(page, 'sign-in with a provider')

  await desk.post('/api/admin/settings/update', { require_sso_staff: 1 }, desk.admin)
  await page.goto(`/desk/sign-in?sso_error=provider_error&reference=7KD-2P4&provider=${nordlicht.slug}`)
  await expect(page.getByRole('status').filter({ hasText: 'Nordlicht' })).toContainText('Sign in with your password')
  await expect(page.getByLabel('E-mail')).toBeVisible()
  await nordlicht.end()
})

test('O15: a sign-in page that was open while its provider was deleted leads back to itself, and says so', async ({
  desk,
  page
}) => {
  const nordlicht = await provider(desk)
  await page.goto('/desk/sign-in')
  const link = page.getByRole('link', { name: 'Continue with Nordlicht', exact: true })
  await expect(link).toBeVisible()
  await nordlicht.end()

  await link.click()

  await expect(page).toHaveURL(/\/desk\/sign-in\?sso_error=provider_gone$/)
  await expect(page.getByRole('status').filter({ hasText: 'not offered any more' })).toBeVisible()
  await expect(page.getByLabel('E-mail')).toBeVisible()
})

test('O9, O14: where staff sign in by single sign-on only, the fields of the password are behind a link', async ({
  desk,
  page
}) => {
  const nordlicht = await provider(desk)
  const jonas = await desk.supporter()
  await desk.post('/api/admin/settings/update', { require_sso_staff: 1 }, desk.admin)

  await page.goto('/desk/sign-in')
  await expect(page.getByRole('link', { name: 'Continue with Nordlicht', exact: true })).toBeVisible()
  await expect(page.getByLabel('E-mail')).toHaveCount(0)
  await page.getByRole('button', { name: 'Sign in with your password' }).click()
  await page.getByLabel('E-mail').fill(jonas.email)
  await page.getByLabel('Password', { exact: true }).fill(jonas.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()

  await expect(page.getByRole('alert')).toContainText('Staff sign in by single sign-on or a passkey here.')
  await page.goto('/sign-in')
  await expect(page.getByLabel('E-mail')).toBeVisible()
  await nordlicht.end()
})

test('O15: a client connects and disconnects an account at a provider, and hears why one is not connected', async ({
  desk,
  pageOf
}) => {
  const nordlicht = await provider(desk, { population: 'client', name: 'Nordlicht ID' })
  nordlicht.people.ada = { email: 'private@else.example', email_verified: true }
  nordlicht.people.eve = { email: 'eve@else.example', email_verified: false }
  const page = await pageOf(await desk.client({ verified: true }))
  const connect = async (login: string) => {
    await page.getByRole('button', { name: 'Connect Nordlicht ID' }).click()
    await page.getByRole('button', { name: 'Go to Nordlicht ID' }).click()
    await page.getByPlaceholder('Enter any login').fill(login)
    await page.getByPlaceholder('and password').fill('x')
    await page.getByRole('button', { name: 'Sign-in' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
  }
  await page.goto('/account/security')

  await connect('eve')
  await expect(page.getByRole('alert')).toContainText(/was not connected.*Reference \w{3}-\w{3}/)
  await page.context().clearCookies({ name: /^_/ })
  await connect('ada')
  await expect(page.getByRole('listitem').filter({ hasText: 'Nordlicht ID' })).toContainText('Connected')
  await page.getByRole('button', { name: 'Actions for Nordlicht ID' }).click()
  await page.getByRole('menuitem', { name: 'Disconnect …' }).click()
  await page.getByRole('button', { name: 'Disconnect' }).click()

  await expect(page.getByRole('button', { name: 'Connect Nordlicht ID' })).toBeVisible()
  await nordlicht.end()
})
