import { expectAccessible, windows } from '../support/axe.ts'
import { expect, test } from '../support/test.ts'

for (const [name, viewport] of Object.entries(windows)) {
  test(`axe finds no fault on the sign-in pages, the shell and the expired session: ${name}`, async ({
    desk,
    pageOf
  }) => {
    const stranger = await pageOf(undefined, { viewport })
    for (const path of ['/desk/sign-in', '/desk/forgot', '/desk/reset', '/desk/reset?token=x']) {
      await stranger.goto(path)
      await expect(stranger.getByRole('heading', { level: 1 })).toBeVisible()
      await expectAccessible(stranger, path)
    }
    const member = await desk.supporter(['tickets.view_all'])
    const page = await pageOf(member, { viewport })
    await page.goto('/desk/no/such/place')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expectAccessible(page, 'nothing here')

    await page.getByRole('button', { name: name === 'phone' ? 'More' : /account and appearance/ }).click()
    await expect(page.getByRole('menu')).toBeVisible()
    await expectAccessible(page, 'menu')
    await page.keyboard.press('Escape')

    await page.context().setOffline(true)
    await expect(page.getByText(/You are offline/)).toBeVisible()
    await expectAccessible(page, 'offline')
    await page.context().setOffline(false)

    await desk.post('/api/account/sessions/revoke', { others: 1 }, member)
    await expect(page.getByRole('dialog')).toBeVisible({ timeout: 60_000 })
    await expectAccessible(page, 'session ended')
  })
}
