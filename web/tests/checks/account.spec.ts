import { TOTP } from 'otpauth'
import { expect, test } from '../support/test.ts'

test.use({ grants: ['tickets.reply'] })

test('staff turn two-factor on with a code drawn in the page, keep their recovery codes, and turn it off', async ({
  consolePage: page,
  member
}) => {
  await page.goto('/desk/account')
  await expect(page.getByText('A stolen password alone then does not open your account.')).toHaveCount(1)
  await page.getByRole('button', { name: 'Turn two-factor on' }).click()
  await expect(page.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
  const secret = (await page.locator('code').first().textContent())!.replaceAll(' ', '')
  const code = page.getByLabel('Six digits')
  await expect(code).toHaveAttribute('autocomplete', 'one-time-code')
  await code.fill('000000')
  await page.getByRole('button', { name: 'Turn on' }).click()
  await expect(page.getByText('This is not the code that the app shows now.')).toBeVisible()
  await code.fill(new TOTP({ secret }).generate())
  await page.getByRole('button', { name: 'Turn on' }).click()

  await expect(page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')).toHaveCount(10)
  const done = page.getByRole('button', { name: 'Done' })
  await expect(done).toHaveAttribute('aria-disabled', 'true')
  await page.getByRole('checkbox', { name: 'I have kept them in a safe place' }).check()
  await done.click()
  await expect(page.getByText('10 recovery codes are left.')).toBeVisible()

  await page.getByRole('button', { name: 'Turn off …' }).click()
  await page.getByLabel('Your password').fill('not this one')
  await page.getByRole('button', { name: 'Turn off', exact: true }).click()
  await expect(page.getByText('This is not your password.')).toBeVisible()
  await page.getByLabel('Your password').fill(member.password)
  await page.getByRole('button', { name: 'Turn off', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Turn two-factor on' })).toBeVisible()
})

test('staff change their name and password, see their sessions and end the others', async ({
  consolePage: page,
  pageOf,
  member
}) => {
  const elsewhere = await pageOf(member)
  await page.goto('/desk/account')
  await page.getByLabel('First name').fill('Joana')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Joana Weber: account and appearance' })).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'E-mail' })).toBeDisabled()

  const sessions = page.getByRole('region', { name: 'Sessions' })
  await expect(sessions.getByText('This device')).toHaveCount(1)
  await sessions.getByRole('button', { name: 'End all others' }).click()
  await expect(sessions.getByRole('listitem')).toHaveCount(1)
  await elsewhere.goto('/desk/account')
  await expect(elsewhere).toHaveURL(/sign-in/)

  await page.getByLabel('Current password').fill('not this one')
  await page.getByLabel('New password').fill('another sentence')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('This is not your password.')).toBeVisible()
  await expect(page.getByLabel('Current password')).toBeFocused()
  await page.getByLabel('Current password').fill(member.password)
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('It is changed')).toBeVisible()
})
