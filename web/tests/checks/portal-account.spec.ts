import { createHmac } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expect, test } from '../support/test.ts'

const heading = (page: Page) => page.getByRole('heading', { level: 1 })

test('sign-up needs four fields, and the e-mail is verified by a code, now or later', async ({ page, desk }) => {
  await page.goto('/sign-up')
  await page.getByRole('button', { name: 'Open account' }).click()
  await expect(page.getByText('What is your first name?')).toBeVisible()
  await expect(page.getByLabel('First name')).toBeFocused()
  await page.getByLabel('First name').fill('Katharina')
  await page.getByLabel('Last name').fill('von Brückner-Hohenfels')
  await page.getByLabel('E-mail').fill('k.vb@weingut')
  await page.getByLabel('Password', { exact: true }).fill('correct horse')
  await page.getByRole('button', { name: 'Open account' }).click()
  await expect(page.getByText('Is the ending missing, like .de?')).toBeVisible()
  const email = `k.vb.${Date.now()}@weingut.example`
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('button', { name: 'Open account' }).click()

  await expect(heading(page)).toHaveText('Look into your mailbox')
  await expect(page.getByText(/New code in 0:\d\d|New code in 1:00/)).toBeVisible()
  await page.getByRole('link', { name: 'Later' }).click()
  await expect(heading(page)).toHaveText('My tickets')
  await expect(page.getByText('You have no tickets')).toBeVisible()
  await page.getByRole('button', { name: 'Verify now' }).click()
  const field = page.getByLabel('Code from the e-mail')
  await expect(field).toHaveAttribute('autocomplete', 'one-time-code')
  await field.fill('000000')
  await expect(page.getByText('This code is wrong')).toBeVisible()
  // Pasting and typing do the same: the sixth digit sends it.
  await field.fill(await desk.outbox.codeFor(email))
  await expect(heading(page)).toHaveText('My tickets')
  await expect(page.getByRole('button', { name: 'Verify now' })).toHaveCount(0)
})

test('resetting a password reveals no accounts, and the link of the e-mail works once and is removed from the address', async ({
  page,
  desk
}) => {
  const client = await desk.client()
  await page.goto('/sign-in')
  await page.getByLabel('E-mail').fill(client.email)
  await page.getByLabel('Password', { exact: true }).fill('wrong horse')
  await page.getByRole('button', { name: 'Sign in' }).click()
  const refusal = await page.getByRole('alert').textContent()
  await page.getByLabel('E-mail').fill('nobody@example.com')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('alert')).toHaveText(refusal!)
  await expect(page.getByLabel('E-mail')).toHaveAttribute('autocomplete', 'username')
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('autocomplete', 'current-password')

  await page.getByRole('link', { name: 'Forgot it?' }).click()
  await expect(page.getByLabel('E-mail')).toHaveValue('nobody@example.com')
  await page.getByRole('button', { name: 'Send the link' }).click()
  await expect(page.getByText(/If there is an account, an e-mail is on its way/)).toBeVisible()
  await page.getByRole('button', { name: 'Try another address' }).click()
  await page.getByLabel('E-mail').fill(client.email)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await expect(page.getByText(/If there is an account, an e-mail is on its way/)).toBeVisible()

  const link = await desk.outbox.linkFor(client.email, /password/)
  await page.goto(link)
  await expect(heading(page)).toHaveText('Choose a new password')
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/reset')
  await expect(page.getByText(client.email)).toBeVisible()
  await page.getByLabel('New password').fill('short')
  await page.getByRole('button', { name: 'Set password' }).click()
  await expect(page.getByText('This needs 6 characters or more.')).toBeVisible()
  await page.getByLabel('New password').fill('battery staple')
  await page.getByRole('button', { name: 'Set password' }).click()
  await expect(page.getByText('Your password is changed.')).toBeVisible()
  await expect(page.getByLabel('E-mail')).toHaveValue(client.email)
  await page.getByLabel('Password', { exact: true }).fill('battery staple')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(heading(page)).toHaveText('My tickets')

  await page.goto(link)
  await page.getByLabel('New password').fill('another staple')
  await page.getByRole('button', { name: 'Set password' }).click()
  await expect(heading(page)).toHaveText('This link no longer works')
  await page.goto('/reset')
  await expect(heading(page)).toHaveText('Open the link in your e-mail')
})

test('two-factor is set up in steps with recovery codes, and a code of either kind signs in', async ({
  desk,
  client,
  portalPage: page
}) => {
  await page.goto('/account/security')
  await page.getByRole('button', { name: 'Turn two-factor on' }).click()
  await expect(page.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
  const secret = (await page.locator('code').first().innerText()).replace(/\s/g, '')
  await page.getByLabel('Six digits').fill(totp(secret))
  await page.getByRole('button', { name: 'Turn on' }).click()
  const codes = page.getByRole('list', { name: 'Recovery codes' }).locator('code')
  await expect(codes).toHaveCount(10)
  const recovery = await codes.first().innerText()
  await expect(page.getByRole('button', { name: 'Done' })).toHaveAttribute('aria-disabled', 'true')
  await page.getByLabel('I have kept them in a safe place').check()
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByText('10 recovery codes are left.')).toBeVisible()

  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(heading(page)).toHaveText('Sign in')
  await page.getByLabel('E-mail').fill(client.email)
  await page.getByLabel('Password', { exact: true }).fill(client.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: /recovery code/ }).click()
  await page.getByRole('textbox').fill(recovery)
  await page.getByRole('textbox').press('Enter')
  await expect(page.getByRole('link', { name: 'Account', exact: true })).toBeVisible()
  const { sessions } = await desk.post('/api/account/sessions', {}, client)
  expect(sessions.length).toBeGreaterThan(0)
})

test('the profile is saved, a new e-mail needs the password and is verified again, e-mails can be stopped, other sessions ended', async ({
  desk,
  client,
  portalPage: page
}) => {
  await page.goto('/account')
  await page.getByLabel('City').fill('Freyburg (Unstrut)')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Saved', { exact: true }).first()).toBeVisible()
  const email = `new.${client.email}`
  await page.getByLabel('E-mail', { exact: true }).fill(email)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByLabel('Current password').fill('wrong')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('This is not your password.')).toBeVisible()
  await page.getByLabel('Current password').fill(client.password)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(heading(page)).toHaveText('Look into your mailbox')
  await page.getByLabel('Code from the e-mail').fill(await desk.outbox.codeFor(email))
  await expect(heading(page)).toHaveText('My tickets')
  await page.goto('/account')
  await expect(page.getByText('Verified', { exact: true })).toBeVisible()
  await expect(page.getByLabel('City')).toHaveValue('Freyburg (Unstrut)')

  await page.getByRole('link', { name: 'E-mails' }).click()
  await page.getByRole('switch', { name: 'Also ask how our help was' }).click()
  await expect(page.getByText('Saved', { exact: true }).first()).toBeVisible()
  const answered = page.waitForResponse('**/api/account/notifications')
  await page.getByRole('switch', { name: 'E-mails about my tickets' }).click()
  await answered
  await expect(page.getByText('Saved', { exact: true }).first()).toBeVisible()
  expect(await desk.post('/api/account/notifications', {}, client)).toEqual({
    ticket_emails: 0,
    automatic_emails: 1,
    rating_emails: 0
  })

  await page.getByRole('link', { name: 'Security' }).click()
  await page.getByRole('button', { name: 'End all others' }).click()
  await expect(page.getByRole('button', { name: 'End all others' })).toHaveCount(0)
  await expect(desk.post('/api/account/sessions', {}, client)).rejects.toThrow(/401/)
})

/** The code that an authenticator app shows for this secret (RFC 6238). */
function totp(secret: string): string {
  const bits = [...secret].map(sign => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(sign).toString(2).padStart(5, '0'))
  const key = Buffer.from(
    bits
      .join('')
      .match(/.{8}/g)!
      .map(byte => Number.parseInt(byte, 2))
  )
  const step = Buffer.alloc(8)
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)))
  const digest = createHmac('sha1', key).update(step).digest()
  const number = digest.readUInt32BE(digest[19]! & 15) & 0x7fffffff
  return String(number % 1_000_000).padStart(6, '0')
}
