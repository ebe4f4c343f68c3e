import { expect, type Locator } from '@playwright/test'

/** Types key by key into a field that takes them: what is typed while a draft is still being read goes nowhere. */
export async function typeText(field: Locator, text: string): Promise<void> {
  await expect(field).toBeEditable()
  await field.pressSequentially(text)
}
