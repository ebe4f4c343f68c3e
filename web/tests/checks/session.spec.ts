import type { Page } from '@playwright/test'
import { type Desk, expect, type Person, test } from '../support/test.ts'
import { expectWritten } from '../support/written-text.ts'

test('a page of the console redirects to the sign-in, and back to the requested page', async ({ page, desk }) => {
  await page.goto('/desk/account')
  await expect(page.getByRole('heading', { level: 1, name: 'Sign in to the desk' })).toBeVisible()
  await expect(page).toHaveTitle('Sign in to the desk · Deskline')
  await expect(page.getByLabel('E-mail')).toHaveAttribute('autocomplete', 'username')
  await expect(password(page)).toHaveAttribute('autocomplete', 'current-password')

  // The same words whether there is such an account or not.
  for (const email of [desk.admin.email, 'nobody@example.com']) {
    await page.getByLabel('E-mail').fill(email)
    await password(page).fill('not this one')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect(page.getByRole('alert')).toHaveText('E-mail or password is not right.')
  }

  await page.getByLabel('E-mail').fill(desk.admin.email)
  await password(page).fill(desk.admin.password)
  await password(page).press('Enter')
  await expect(page).toHaveURL(/\/desk\/account$/)

  await page.reload()
  await expect(page).toHaveURL(/\/desk\/account$/)
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toMatch(/token|eyJ/i)
  expect(await page.evaluate(() => document.cookie)).toBe('')
})

test('an expired session is renewed in a dialog: the interrupted call continues, and no text is lost', async ({
  desk,
  client,
  pageOf
}) => {
  const { ticket_number } = await desk.ticket(client, { subject: 'Stopped on the way' })
  const member = await desk.supporter(['tickets.view_all', 'tickets.reply', 'tickets.edit_status'])
  const page = await pageOf(member)
  // The stream would find out first that the session is over.
  await page.route('**/events/stream', route => route.abort())
  await page.goto(`/desk/all/${ticket_number}`)
  const reply = page.getByRole('textbox', { name: /reply/i })
  await reply.fill('We are on our way.')
  await endSessions(desk, member)
  await reply.press('Control+Enter')

  const dialog = page.getByRole('dialog', { name: 'Sign in again to go on' })
  await expect(dialog).toContainText(member.email)
  await expect(dialog).toContainText('what you wrote is kept')
  await expect(password(page)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeVisible()
  await expectWritten(reply, 'We are on our way.')

  await password(page).fill('not this one')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('alert')).toHaveText('E-mail or password is not right.')
  await password(page).fill(member.password)
  await dialog.getByRole('button', { name: 'Sign in and send' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('article').filter({ hasText: 'We are on our way.' })).toHaveCount(1)
})

test('signing out in one window signs out the others, and signing in again in one does so in the others', async ({
  desk,
  pageOf,
  windowOf
}) => {
  const member = await desk.supporter(['tickets.view_all'])
  const page = await pageOf(member)
  await page.goto('/desk/all')
  const other = await windowOf(page)
  await other.goto('/desk/all')
  await expect(other.getByRole('button', { name: /account and appearance/ })).toBeVisible()

  await endSessions(desk, member)
  // Nobody does anything: the streams of events tell them.
  await expect(page.getByRole('dialog', { name: 'Sign in again to go on' })).toBeVisible()
  await expect(other.getByRole('dialog', { name: 'Sign in again to go on' })).toBeVisible()
  await password(other).fill(member.password)
  await password(other).press('Enter')
  await expect(other.getByRole('dialog')).toBeHidden()
  await expect(page.getByRole('dialog')).toBeHidden()

  await page.getByRole('button', { name: /account and appearance/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in to the desk' })).toBeVisible()
  await expect(other.getByRole('heading', { name: 'Sign in to the desk' })).toBeVisible()
})

test('the second factor is one field that takes a pasted code and is sent at the sixth digit', async ({
  page,
  desk
}) => {
  await page.route('**/api/admin/auth/login', route =>
    route.fulfill({
      json: {
        status: 'success',
        code: 200,
        message: 'A code is wanted',
        data: { requires_2fa: 1, temp_token: 'x.y.z', email: desk.admin.email }
      }
    })
  )
  const codes: string[] = []
  await page.route('**/api/auth/2fa/verify-login', async route => {
    codes.push(route.request().postDataJSON().code)
    await route.fulfill({
      status: 401,
      json: { status: 'error', code: 401, message: 'Wrong', reason: 'wrong_two_factor_code' }
    })
  })
  await page.goto('/desk/sign-in')
  await page.getByLabel('E-mail').fill(desk.admin.email)
  await password(page).fill(desk.admin.password)
  await password(page).press('Enter')

  const code = page.getByRole('textbox', { name: 'Code' })
  await expect(page.getByRole('heading', { level: 1, name: 'Enter your code' })).toBeVisible()
  await expect(code).toHaveAttribute('autocomplete', 'one-time-code')
  await expect(code).toHaveAttribute('inputmode', 'numeric')
  await expect(code).toBeFocused()
  await code.fill('418 052')
  await expect(page.getByRole('alert')).toHaveText('This is not the code that your app shows now.')
  await expect(code).toHaveValue('')
  await expect(code).toBeFocused()
  expect(codes).toEqual(['418052'])

  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await expect(page.getByRole('textbox', { name: 'Recovery code' })).toBeFocused()
  await page.getByRole('button', { name: 'Start again' }).click()
  await expect(page.getByLabel('E-mail')).toBeVisible()
})

test('asking for a reset is answered the same for everybody, and the link of the e-mail sets a new password once', async ({
  page,
  desk
}) => {
  const member = await desk.supporter(['tickets.view_all'])
  await page.goto('/desk/sign-in')
  await page.getByRole('link', { name: 'Forgot it?' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Forgot your password?' })).toBeFocused()
  await page.getByLabel('E-mail').fill(member.email)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'If there is an account' })).toBeVisible()

  const link = await desk.outbox.linkFor(member.email)
  await page.goto(link)
  await expect(page.getByRole('heading', { level: 1, name: 'Choose a new password' })).toBeVisible()
  // The token stays in no history.
  await expect(page).toHaveURL(/\/desk\/reset$/)
  await page.getByLabel('New password', { exact: true }).fill('123')
  await page.getByRole('button', { name: 'Set the password' }).click()
  await expect(page.getByText('At least 6 characters, and not one')).toBeVisible()
  await page.getByLabel('New password', { exact: true }).fill('a new horse every day')
  await page.getByRole('button', { name: 'Set the password' }).click()
  await expect(page.getByText('Your password is set.')).toBeVisible()

  await page.goto(link)
  await page.getByLabel('New password', { exact: true }).fill('and once more')
  await page.getByRole('button', { name: 'Set the password' }).click()
  await expect(page.getByText('This link has been used or is too old.')).toBeVisible()
})

test('offline, a banner says since when within two seconds, and the page stays', async ({ pageOf, desk }) => {
  const page = await pageOf(desk.admin)
  await page.goto('/desk/all')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.context().setOffline(true)
  await expect(page.getByText(/You are offline since \d\d:\d\d/)).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.context().setOffline(false)
  await expect(page.getByText(/You are offline/)).toBeHidden()
})

function password(page: Page) {
  return page.getByLabel('Password', { exact: true })
}

/** Ends every session of this person but that of the test. */
async function endSessions(desk: Desk, person: Person) {
  await desk.post('/api/account/sessions/revoke', { others: 1 }, person)
}
