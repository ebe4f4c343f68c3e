import { expect, test } from '../support/test.ts'

test('the reference of the API is found by the search of the browser, and its filter finds webhooks as well', async ({
  desk,
  page
}) => {
  await page.goto(`${desk.url}/docs`)
  const paths = page.locator('.opblock-summary-path')
  await expect(paths.filter({ hasText: 'ticket.created' })).toBeVisible({ timeout: 90_000 })
  // As the search of the browser: what is seen has to have these very letters.
  expect(await page.evaluate(() => document.body.innerText.includes('/api/tickets/reply'))).toBe(true)
  expect(await page.evaluate(() => document.body.textContent!.includes('\u200b'))).toBe(false)

  const filter = page.getByPlaceholder('Filter')
  await filter.fill('ticket.noted')
  await expect(paths).toHaveText(['ticket.noted'])
  await filter.fill('forgot-password')
  await expect(paths.filter({ hasText: '/api/auth/forgot-password' })).toBeVisible()
  await expect(paths.filter({ hasText: 'ticket.' })).toHaveCount(0)

  // What is opened is resolved with the part of the description that it needs.
  const operation = page.locator('.opblock').filter({ has: page.locator('[data-path="/api/auth/forgot-password"]') })
  await operation.locator('.opblock-summary-control').click()
  await expect(operation.locator('.body-param__example, .highlight-code, .microlight').first()).toContainText('email')
  await expect(page.locator('.errors-wrapper')).toHaveCount(0)
  await operation.locator('.opblock-summary-control').click()
  await filter.fill('')
  await expect(paths.filter({ hasText: 'ticket.created' })).toBeVisible({ timeout: 90_000 })
})
