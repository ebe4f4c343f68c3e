import type { Page } from '@playwright/test'
import { expect } from './test.ts'

/** Departments are cards, and a list where a desk has many of them. */
export async function chooseDepartment(page: Page, { name }: { name: string }): Promise<void> {
  const card = page.getByRole('radio', { name })
  const list = page.getByRole('combobox', { name: 'What is it about?' })
  await expect(card.or(list)).toBeAttached()
  if (await list.isVisible()) await list.selectOption({ label: name })
  else await card.check()
}
