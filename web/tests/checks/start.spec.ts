import type { Page } from '@playwright/test'
import { expect, test } from '../support/test.ts'

test('from the document to the first row something is always shown: the skeleton of the document, then the page', async ({
  desk,
  client,
  consolePage,
  portalPage
}) => {
  await desk.ticket(client)
  for (const [page, path, list] of [
    [consolePage, '/desk/all', '**/api/admin/tickets/list'],
    [portalPage, '/', '**/api/tickets/list']
  ] as const) {
    await page.addInitScript(watchForGaps)
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await page.route(/assets\/start-.*\.js$/, async route => {
      await expect(page.locator('.starting .sk').first()).toBeVisible()
      await route.continue()
    })
    await page.route(list, async route => {
      await released
      await route.continue()
    })

    await page.goto(path, { waitUntil: 'commit' })
    await expect(page.getByRole('navigation').first()).toBeVisible()
    await expect(page.locator('main .sk').first()).toBeVisible()
    release()
    await expect(page.locator('main li a').first()).toBeVisible()

    expect(await gapsOf(page)).toBe(0)
  }
})

test('the session, the profile and the first list are requested before the code of the pages is there', async ({
  desk,
  client,
  consolePage,
  portalPage
}) => {
  await desk.ticket(client)
  for (const [page, path, list] of [
    [consolePage, '/desk/all', /\/api\/admin\/tickets\/list$/],
    [portalPage, '/', /\/api\/tickets\/list$/]
  ] as const) {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await page.route(/assets\/start-.*\.js$/, async route => {
      await released
      await route.continue()
    })

    const asked = [page.waitForResponse(/\/api\/account\/profile$/), page.waitForResponse(list)]
    await page.goto(path, { waitUntil: 'commit' })
    await Promise.all(asked)
    release()

    await expect(page.locator('main li a').first()).toBeVisible()
  }
})

test('what happens after the first list was requested, and before the stream is open, is shown as well', async ({
  desk,
  client,
  consolePage: page
}) => {
  await desk.ticket(client, { subject: 'There before' })
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(/assets\/start-.*\.js$/, async route => {
    await released
    await route.continue()
  })

  const listed = page.waitForResponse(/\/api\/admin\/tickets\/list$/)
  await page.goto('/desk/all', { waitUntil: 'commit' })
  await listed
  await desk.ticket(client, { subject: 'Came in between' })
  release()

  await expect(page.locator('main li a').filter({ hasText: 'Came in between' })).toBeVisible()
})

/** In the page: counts the frames after the first paint in which nothing is in the root, or neither a skeleton nor a row. */
function watchForGaps(): void {
  window.gaps = 0
  const look = () => {
    const root = document.querySelector('#root')
    if (root && !root.querySelector('.sk, main li a')) window.gaps++
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

declare global {
  interface Window {
    gaps: number
  }
}

async function gapsOf(page: Page): Promise<number> {
  return await page.evaluate(() => window.gaps)
}
