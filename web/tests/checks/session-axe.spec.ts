import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, test } from '../support/test.ts'

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const sizes = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } }

for (const colorScheme of ['light', 'dark'] as const)
  for (const [name, viewport] of Object.entries(sizes))
    test(`axe finds nothing on the pages of the sign-in, the shell and the ended session: ${colorScheme}, ${name}`, async ({
      desk,
      pageOf
    }) => {
      const stranger = await pageOf(undefined, { viewport, colorScheme })
      for (const path of ['/desk/sign-in', '/desk/forgot', '/desk/reset', '/desk/reset?token=x']) {
        await stranger.goto(path)
        await expect(stranger.getByRole('heading', { level: 1 })).toBeVisible()
        expect(await violations(stranger), path).toEqual([])
      }
      const member = await desk.supporter(['tickets.view_all'])
      const page = await pageOf(member, { viewport, colorScheme })
      await page.goto('/desk/no/such/place')
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      expect(await violations(page), 'nothing here').toEqual([])

      await page.getByRole('button', { name: name === 'phone' ? 'More' : /account and appearance/ }).click()
      await expect(page.getByRole('menu')).toBeVisible()
      expect(await violations(page), 'menu').toEqual([])
      await page.keyboard.press('Escape')

      await page.context().setOffline(true)
      await expect(page.getByText(/You are offline/)).toBeVisible()
      expect(await violations(page), 'offline').toEqual([])
      await page.context().setOffline(false)

      await desk.post('/api/account/sessions/revoke', { others: 1 }, member)
      await expect(page.getByRole('dialog')).toBeVisible({ timeout: 40_000 })
      expect(await violations(page), 'session ended').toEqual([])
    })

async function violations(page: Page) {
  const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
}
