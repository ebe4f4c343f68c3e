import { expect, test } from './support/test.ts'

test('people without an account can write if the desk allows it and are invited by e-mail; else they are told to sign in', async ({
  desk,
  page
}) => {
  const heading = page.getByRole('heading', { level: 1 })
  await desk.post('/api/admin/settings/update', { tickets_without_account: 0 }, desk.admin)
  await page.goto('/open')
  await expect(heading).toHaveText('You need an account to write to us')

  await desk.post('/api/admin/settings/update', { tickets_without_account: 1 }, desk.admin)
  await page.goto('/sign-in')
  await page.getByRole('link', { name: 'Write without an account' }).click()
  await expect(heading).toHaveText('Write to us')
  await page.getByRole('button', { name: 'Send ticket' }).click()
  await expect(page.getByText('What is your name?')).toBeVisible()
  const email = `stranger.${Date.now()}@example.com`
  await page.getByLabel('Your name').fill('Ada Lovelace')
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('radio', { name: 'Billing Department' }).check()
  await page.getByLabel('Subject').fill('Wrong invoice')
  await page.getByLabel('What happened?').fill('It is for somebody else.')
  await page.getByRole('button', { name: 'Send ticket' }).click()

  await expect(heading).toHaveText('Thank you')
  await expect(page.getByText(email)).toBeVisible()
  await page.goto(await desk.outbox.linkFor(email))
  await page.getByLabel('New password').fill('battery staple')
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByLabel('Password', { exact: true }).fill('battery staple')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('link', { name: /Wrong invoice/ })).toBeVisible()
})
