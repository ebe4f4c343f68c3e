import { expect, test } from '../support/test.ts'

const places = ['/desk/sign-in', '/desk/forgot', '/desk/settings/you', '/desk/all', '/sign-in']

test('nothing scrolls sideways at 320 px, nor in words a third longer and from right to left', async ({
  desk,
  pageOf
}) => {
  for (const language of ['en', 'en-XB']) {
    const page = await pageOf(desk.admin, { viewport: { width: 320, height: 640 } })
    await page.addInitScript(chosen => localStorage.setItem('deskline:language', chosen), language)
    for (const path of places) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
      const isTooWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
      expect(isTooWide, `${path} in ${language}`).toBe(false)
    }
    expect(await page.evaluate(() => document.documentElement.dir)).toBe(language === 'en-XB' ? 'rtl' : 'ltr')
  }
})

test('fingers have 44 px for everything in the navigation and in the sign-in', async ({ desk, pageOf }) => {
  const phone = await pageOf(desk.admin, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  for (const path of ['/desk/sign-in', '/desk/no/such/place']) {
    await phone.goto(path)
    await expect(phone.getByRole('heading', { level: 1 })).toBeVisible()
    const small = await phone.evaluate(() =>
      [...document.querySelectorAll('button, nav a, input')]
        .filter(element => element.checkVisibility() && element.getBoundingClientRect().height < 44)
        .map(element => element.outerHTML.slice(0, 80))
    )
    expect(small, path).toEqual([])
  }
})

test('forced colours keep what is chosen and what has the focus apart from the rest', async ({ desk, pageOf }) => {
  const page = await pageOf(desk.admin, { forcedColors: 'active' })
  await page.goto('/desk/settings/you')
  const chosen = page
    .locator('.seg label')
    .filter({ has: page.locator(':checked') })
    .first()
  await expect(chosen).toHaveCSS('outline-style', 'solid')
  await expect(page.locator('.nav-item[aria-current]').first()).toHaveCSS('outline-style', 'solid')
})

test('without motion nothing moves, and the page asks nobody else for anything', async ({ desk, pageOf }) => {
  const page = await pageOf(desk.admin)
  const foreign: string[] = []
  page.on('request', request => {
    if (!request.url().startsWith(desk.url) && !/^(blob|data):/.test(request.url())) foreign.push(request.url())
  })
  await page.goto('/desk/settings/you')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const motion = await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--base').trim())
  expect(motion).toMatch(/^0m?s$/)
  expect(foreign).toEqual([])
})
