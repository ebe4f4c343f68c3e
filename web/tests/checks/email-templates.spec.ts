import { expect, test } from '../support/test.ts'

test('an admin edits the template of an e-mail with a preview, sends a test, and restores the default', async ({
  desk,
  consolePage
}) => {
  await consolePage.goto('/desk/admin')
  await consolePage.getByRole('link', { name: 'E-mail texts' }).click()
  await consolePage.getByRole('link', { name: /^Verification code/ }).click()
  await expect(consolePage).toHaveURL(/\/desk\/settings\/email-templates\/email-code/)
  const places = consolePage.getByRole('navigation', { name: 'Administration' })
  await expect(places.getByRole('link', { name: 'E-mail texts' })).toHaveAttribute('aria-current', 'page')
  const text = consolePage.getByRole('textbox', { name: 'Text' })
  await expect(text).toHaveValue(/\{\{code\}\}/)
  const preview = consolePage.getByRole('region', { name: 'Preview' })
  await expect(preview.frameLocator('iframe').getByText('123456')).toBeVisible()

  await text.fill('Take this:\n\n{{cod}}')
  await expect(consolePage.getByText('{{cod}} is unknown here.').first()).toBeVisible()
  await text.fill('Take this <b>:\n\n{{code}}')
  await expect(preview.frameLocator('iframe').getByText('Take this <b>:')).toBeVisible()
  await consolePage.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(consolePage.getByRole('button', { name: 'Back to the default' })).toBeVisible()
  const data = await desk.post('/api/admin/email-templates/detail', { name: 'email-code', language: 'en' }, desk.admin)
  expect(data.template.text).toBe('Take this <b>:\n\n{{code}}')

  await consolePage.getByRole('button', { name: 'Send me a test' }).click()
  await expect(consolePage.getByText(/A test is on its way to/)).toBeVisible()
  await consolePage.getByRole('button', { name: 'Back to the default' }).click()
  await consolePage.getByRole('dialog').getByRole('button', { name: 'Back to the default' }).click()
  await expect(text).toHaveValue(/Enter this code/)
})

test('a customer chooses the language of e-mails in the account, and switching the language of the pages sets it as well', async ({
  client,
  portalPage,
  desk
}) => {
  await portalPage.goto('/account')
  await portalPage.getByRole('combobox', { name: 'Language of e-mails' }).selectOption('en')
  await portalPage.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(portalPage.getByText('Saved').first()).toBeVisible()
  const chosen = await desk.post('/api/account/profile', {}, client)
  expect(chosen.profile.language).toBe('en')

  await portalPage.goto('/account/emails')
  await portalPage.getByRole('combobox', { name: 'Language', exact: true }).selectOption('de')
  await expect(portalPage.getByRole('combobox', { name: 'Sprache', exact: true })).toBeVisible()
  const pages = await desk.post('/api/account/profile', {}, client)
  expect(pages.profile.language).toBe('de')
})

test('switching the language of the pages also sets the language of e-mails to the signed-in person', async ({
  desk,
  client,
  portalPage: page
}) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Deutsch' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  const { profile } = await desk.post('/api/account/profile', {}, client)
  expect(profile.language).toBe('de')
  await page.getByRole('button', { name: 'English' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  expect((await desk.post('/api/account/profile', {}, client)).profile.language).toBe('en')
})
