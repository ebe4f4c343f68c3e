import { expect, type Locator } from '@playwright/test'

/** What stands in a field, whether it shows formatting or is a text area: an empty line is between two paragraphs. */
export async function expectWritten(field: Locator, text: string): Promise<void> {
  await expect.poll(() => field.evaluate(writtenIn)).toBe(text)
}

function writtenIn(field: HTMLElement | SVGElement): string {
  if (field instanceof HTMLTextAreaElement) return field.value
  return [...field.children].map(({ textContent }) => textContent).join('\n\n')
}
