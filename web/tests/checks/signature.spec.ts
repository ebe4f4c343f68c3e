import { expectAccessible } from '../support/axe.ts'
import { expect, test } from '../support/test.ts'

test('a signature of one’s own is written with one’s name, kept, and found by its address', async ({
  desk,
  member,
  consolePage: page
}) => {
  await page.goto('/desk/account/signature')
  const part = page.getByRole('region', { name: 'Signature' })
  const english = part.getByRole('textbox', { name: 'In English' })
  await english.fill('Kind regards, ')
  await part.getByRole('button', { name: 'Insert first name' }).first().click()
  await expect(english).toHaveValue('Kind regards, {{staff.first_name}}')
  await expect(part.getByRole('figure')).toContainText('Kind regards, Support')
  await expectAccessible(page, 'a signature', ['nav', '.tooltip'])

  await part.getByRole('button', { name: 'Save signature' }).click()
  await expect(page.locator('[data-announcer="polite"]')).toHaveText('Signature saved')
  const { signature } = await desk.post('/api/account/signature', {}, member)
  expect(signature.texts).toEqual({ en: 'Kind regards, {{staff.first_name}}' })
})
