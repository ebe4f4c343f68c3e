import { expect, type Page } from '@playwright/test'
import axe from 'axe-core'

export const windows = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** An experiment of axe, which takes initials that are hidden for words. */
const rules = { 'label-content-name-mismatch': { enabled: false } }

/** axe finds nothing in what the page shows now, light and dark. One page is looked at in both: nothing is loaded again. */
export async function expectAccessible(page: Page, state: string, exclude: string[] = []): Promise<void> {
  // Once for each document; the policy of the pages forbids scripts of the page, and not those of a test.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const options: axe.RunOptions = { runOnly: { type: 'tag', values: tags }, rules, resultTypes: ['violations'] }
    const found = await page.evaluate(
      async ({ options, exclude }) => {
        const { axe } = window as unknown as { axe: { run(...given: unknown[]): Promise<axe.AxeResults> } }
        const { violations } = await axe.run({ exclude }, options)
        return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 300)).join(' | ')}`)
      },
      { options, exclude }
    )
    expect.soft(found, `${state}, ${colorScheme}`).toEqual([])
  }
}

/** The same in a window of a desk and in one of a phone. */
export async function expectAccessibleInEachWindow(page: Page, state: string): Promise<void> {
  for (const [name, viewport] of Object.entries(windows)) {
    await page.setViewportSize(viewport)
    await expectAccessible(page, `${state}, ${name}`)
    const isTooWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
    expect.soft(isTooWide, `${state} scrolls sideways, ${name}`).toBe(false)
  }
}
