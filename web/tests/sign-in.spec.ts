import { expect, test } from './support/test.ts'

test('the portal and the console open a sign-in page', async ({ page }) => {
  await page.goto('/sign-in')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()

  await page.goto('/desk/sign-in')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})
