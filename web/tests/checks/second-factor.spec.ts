import type { Page } from '@playwright/test'
import { TOTP } from 'otpauth'
import { type Person, startDesk } from '../support/desk.ts'
import { expect, test } from '../support/test.ts'

test('if a second factor is required of staff, setting it up is the only page; then its code is needed to sign in', async ({
  pageOf
}) => {
  // A desk of its own: the rule holds for everybody on it.
  const desk = await startDesk()
  try {
    const member = await desk.supporter(['tickets.view_all'])
    await desk.post('/api/admin/settings/update', { require_staff_2fa: 1 }, desk.admin)
    const page = await pageOf(undefined, { baseURL: desk.url })
    await page.goto('/desk/all')
    await signIn(page, member)
    const heading = page.getByRole('heading', { level: 1, name: 'Turn on two-factor' })
    await expect(heading).toBeVisible()
    for (const path of ['/desk/all', '/desk/account']) {
      await page.goto(path)
      await expect(heading).toBeVisible()
      await expect(page).toHaveURL(/\/desk\/second-factor$/)
      await expect(page.getByRole('navigation', { name: 'Main' })).toHaveCount(0)
    }
    const secret = (await page.locator('code').first().textContent())!.replaceAll(' ', '')
    const totp = new TOTP({ secret })
    await page.getByLabel('Six digits').fill(totp.generate())
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByRole('checkbox', { name: 'I have kept them in a safe place' }).check()
    await page.getByRole('button', { name: 'Done' }).click()
    await expect(page).toHaveURL(/\/desk\/all$/)
    await page.getByRole('button', { name: /account and appearance/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()

    await signIn(page, member)
    const code = page.getByRole('textbox', { name: 'Code' })
    await expect(code).toBeFocused()
    // A code counts once, and the one before was used to turn it on: this is the next, which is taken already.
    await code.fill(totp.generate({ timestamp: Date.now() + 30_000 }))
    await expect(page.getByRole('heading', { level: 1, name: 'All open' })).toBeVisible()
  } finally {
    await desk.stop()
  }
})

async function signIn(page: Page, { email, password }: Person): Promise<void> {
  await page.getByRole('textbox', { name: 'E-mail' }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}
