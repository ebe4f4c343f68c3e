import type { CDPSession, Page } from '@playwright/test'
import { test } from '../support/localhost.ts'
import { expect, type Person } from '../support/test.ts'

// Chromium's own virtual authenticator makes, keeps and uses the passkeys.

const places = {
  client: { account: '/account/security', signIn: '/sign-in', home: /\/$/ },
  staff: { account: '/desk/account', signIn: '/desk/sign-in', home: /\/desk/ }
} as const

for (const population of ['client', 'staff'] as const) {
  test(`W1, W2: ${population}: a passkey is added in the account, and signs in by the field of the e-mail address alone`, async ({
    desk,
    pageOf
  }) => {
    const person = population === 'client' ? await desk.client() : await desk.supporter(['tickets.view_all'])
    const page = await pageOf(person)
    const { cdp, authenticatorId } = await authenticatorOf(page)
    await page.goto(places[population].account)
    await addPasskey(page, 'Key of the test')
    const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId })
    await signOut(page, person)

    await page.goto(places[population].signIn)

    await expect(page).not.toHaveURL(/sign-in/)
    await expect(page).toHaveURL(places[population].home)
    expect(credentials.map(({ rpId, isResidentCredential }) => [rpId, isResidentCredential])).toEqual([
      ['localhost', true]
    ])
    await page.goto(places[population].account)
    await expect(row(page, 'Key of the test')).toContainText('1 min')
    await expect(page.getByText('Signed in with a passkey').first()).toBeVisible()
  })
}

test('W3: a passkey is renamed and removed, and what the browser does not make is told and changes nothing', async ({
  desk,
  pageOf
}) => {
  const page = await pageOf(await desk.client())
  const { cdp, authenticatorId } = await authenticatorOf(page)
  await page.goto(places.client.account)
  await addPasskey(page, 'First')

  await page.getByRole('button', { name: 'Actions for First' }).click()
  await page.getByRole('menuitem', { name: 'Rename …' }).click()
  await page.getByLabel('Name', { exact: true }).fill('YubiKey in the safe')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(row(page, 'YubiKey in the safe')).toContainText('never used')

  // The same authenticator does not keep two of one account.
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('button', { name: 'Go on' }).click()
  await expect(page.getByText('This device has a passkey of your account already.')).toBeVisible()
  await page.getByRole('button', { name: 'Not now' }).click()

  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
  await page.getByRole('button', { name: 'Actions for YubiKey in the safe' }).click()
  await page.getByRole('menuitem', { name: 'Remove …' }).click()
  await page.getByRole('button', { name: 'Remove' }).click()
  await expect(row(page, 'YubiKey in the safe')).toHaveCount(0)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('button', { name: 'Go on' }).click()
  await expect(page.getByText('The browser made no passkey.')).toBeVisible()
})

test('W2: a removed passkey that the browser still offers signs nobody in, and the page says why', async ({
  desk,
  pageOf
}) => {
  const person = await desk.client()
  const page = await pageOf(person)
  await authenticatorOf(page)
  await page.goto(places.client.account)
  await addPasskey(page, 'Lost')
  const { passkeys } = await desk.post('/api/account/passkeys/list', {}, person)
  await desk.post('/api/account/passkeys/delete', { id: passkeys[0]!.id }, person)
  await signOut(page, person)

  await page.goto(places.client.signIn)

  await expect(page.getByRole('alert')).toContainText('This passkey does not sign in here.')
  await page.getByLabel('E-mail').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page).toHaveURL(places.client.home)
})

test('a passkey proves who makes a token, where the sign-in is ten minutes ago', async ({ desk, pageOf }) => {
  const page = await pageOf(await desk.supporter(['tickets.view_all']))
  await authenticatorOf(page)
  await page.goto(places.staff.account)
  await addPasskey(page, 'Key')
  await page.clock.setSystemTime(Date.now() + 11 * 60_000)
  await page.goto('/desk/account/tokens')
  await page.getByRole('button', { name: 'Create a token' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Export')
  await expect(dialog.getByText('Your browser asks for your passkey first.')).toBeVisible()

  const [sent] = await Promise.all([
    page.waitForRequest('**/api/account/tokens/create'),
    dialog.getByRole('button', { name: 'Create a token' }).click()
  ])

  await expect(page.getByRole('region', { name: 'New token' }).locator('code')).toHaveText(/^dl_/)
  expect(Object.keys(sent.postDataJSON())).toContain('passkey')
  expect(sent.postDataJSON()).not.toHaveProperty('password')
})

async function authenticatorOf(page: Page): Promise<{ cdp: CDPSession; authenticatorId: string }> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true
    }
  })
  return { cdp, authenticatorId }
}

async function addPasskey(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByRole('button', { name: 'Go on' }).click()
  await expect(row(page, name)).toBeVisible()
}

function row(page: Page, name: string) {
  return page.getByRole('listitem').filter({ hasText: name })
}

/** The browser forgets its session; the authenticator keeps the passkey. */
async function signOut(page: Page, _person: Person): Promise<void> {
  await page.context().clearCookies()
  await page.goto('about:blank')
}
