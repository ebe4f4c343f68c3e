import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { receiveHeldMail } from '../support/inbound-mail.ts'
import { expect, test } from '../support/test.ts'

const places = ['/desk/sign-in', '/desk/forgot', '/desk/account', '/desk/all', '/sign-in']

test('nothing scrolls sideways at 320 px, also in a longer language and from right to left', async ({
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

/** Each page of the console that has an address without parameters, as the type of its addresses names them; and some of those with parameters. */
const placesOfConsole = [
  ...fixedAddresses().filter(path => !['/forgot', '/reset', '/second-factor', '/sign-in'].includes(path)),
  ...[
    '/all',
    '/snoozed',
    '/breaching',
    '/search?q=silent',
    '/clients/1',
    '/staff/1',
    '/hours/2',
    '/sla/new',
    '/rules/new',
    '/macros/new',
    '/forms/new',
    '/knowledge/new',
    '/reports?from=2026-99-99&to=2026-99-99',
    '/no/such/place'
  ]
]

function fixedAddresses(): string[] {
  const types = readFileSync(join(import.meta.dirname, '../../src/console/addresses.ts'), 'utf8')
  const fixed = /^type Fixed =\n((?: {2}\| '.*'\n)+)/m.exec(types)![1]!
  return [...fixed.matchAll(/'(.*)'/g)].map(([, path]) => path!)
}

test('every control has 44 px on touch screens', async ({ desk, client, pageOf }) => {
  test.slow()
  const { ticket_number, ticket_id } = await desk.ticket(client)
  await receiveHeldMail(desk, 'For a finger')
  const category = { name: { en: 'For a finger' }, slug: { en: `finger-${Date.now()}` }, audience: 'public' } as const
  await desk.post('/api/admin/kb/categories/create', category, desk.admin)
  const touch = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
  const visits: [Page, string[]][] = [
    [await pageOf(desk.admin, touch), [...placesOfConsole, `/all/${ticket_number}`].map(path => `/desk${path}`)],
    [await pageOf(undefined, touch), ['/desk/sign-in', '/desk/forgot', '/sign-in', '/sign-up', '/forgot']],
    [
      await pageOf(client, touch),
      ['/', '/new', `/tickets/${ticket_id}`, '/account', '/account/security', '/account/emails']
    ]
  ]
  const found: string[] = []
  for (const [phone, paths] of visits)
    for (const path of paths) {
      await phone.goto(path)
      await expect(phone.getByRole('heading', { level: 1 }).first()).toBeVisible()
      await expect(phone.locator('[aria-busy="true"]')).toHaveCount(0)
      found.push(...(await tooSmall(phone)).map(target => `${path}: ${target}`))
    }
  expect(found).toEqual([])
})

/** What can be pressed and is lower than a finger needs, but links within a line of text. */
async function tooSmall(page: Page): Promise<string[]> {
  return await page.evaluate(() =>
    [...document.querySelectorAll('button, a[href], input, select, textarea, summary')]
      .filter(element => element.checkVisibility() && !element.closest('.visually-hidden, .skip-link'))
      .filter(element => !element.matches('p a, bdi a, .link'))
      .filter(element => {
        // A press on the words of a label, or beside a switch, is one on it.
        const target = (element.matches('[type="checkbox"], [type="radio"]') && element.closest('label')) || element
        const { width, height } = target.getBoundingClientRect()
        const around = ['::before', '::after'].map(pseudo => {
          const { position, content, height } = getComputedStyle(element, pseudo)
          return position === 'absolute' && content !== 'none' ? Number.parseFloat(height) : 0
        })
        return width > 1 && Math.max(height, ...around) < 43.5
      })
      .map(element => element.outerHTML.slice(0, 100))
  )
}

test('no page of the console scrolls the document', async ({ desk, client, pageOf }) => {
  test.slow()
  const { ticket_number } = await desk.ticket(client)
  const page = await pageOf(desk.admin)
  const found: string[] = []
  for (const path of [...placesOfConsole, `/all/${ticket_number}`]) {
    await page.goto(`/desk${path}`)
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
    for (const [width, height] of [
      [1440, 900],
      [1024, 640],
      [390, 844],
      [320, 480]
    ] as const) {
      await page.setViewportSize({ width, height })
      const over = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)
      if (over > 0) found.push(`${path} at ${width}: ${over}`)
    }
  }
  expect(found).toEqual([])
})

test('at 200 % in German all send buttons stay visible, and at 320 px the whole head of a ticket does', async ({
  desk,
  client,
  pageOf
}) => {
  const { ticket_number } = await desk.ticket(client)
  const page = await pageOf(desk.admin, { viewport: { width: 720, height: 450 } })
  await page.addInitScript(() => localStorage.setItem('deskline:language', 'de'))
  await page.goto(`/desk/all/${ticket_number}`)
  const composer = page.locator('form[data-kind]')
  await expect(composer).toBeVisible()
  expect(await cutIn(page, 'form[data-kind]')).toEqual([])
  await composer.getByRole('button', { name: 'Andere Arten zu senden' }).click()
  const close = page.getByRole('menuitem', { name: 'Senden und schließen' })
  await close.scrollIntoViewIfNeeded()
  await expect(close).toBeInViewport({ ratio: 1 })
  await page.keyboard.press('Escape')

  const phone = await pageOf(desk.admin, { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true })
  await phone.addInitScript(() => localStorage.setItem('deskline:language', 'de'))
  await phone.goto(`/desk/all/${ticket_number}`)
  await expect(phone.locator('form[data-kind]')).toBeVisible()
  await expect.poll(() => cutIn(phone, 'header:has(h1)')).toEqual([])
})

/** The buttons and links that stand out of what they are in, or out of the window. */
async function cutIn(page: Page, selector: string): Promise<string[]> {
  return await page.evaluate(selector => {
    const box = document.querySelector(selector)!.getBoundingClientRect()
    const scrolls = (element: Element) => element.closest('[class*="chips"]')
    return [...document.querySelectorAll(`${selector} :is(button, a)`)]
      .filter(element => element.checkVisibility() && !scrolls(element))
      .filter(element => {
        const { left, right } = element.getBoundingClientRect()
        return left < box.left || right > Math.min(box.right, innerWidth)
      })
      .map(element => element.outerHTML.slice(0, 100))
  }, selector)
}

test('the sign-in page has a skip link like every other page', async ({ pageOf }) => {
  const page = await pageOf()
  for (const path of ['/desk/sign-in', '/desk/forgot', '/sign-in']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    const skip = page.getByRole('link', { name: 'Skip to content' })
    await skip.focus()
    await expect(skip).toBeInViewport()
    await page.keyboard.press('Enter')
    await expect(page.locator('main')).toBeFocused()
  }
})

test('forced colours keep selection and focus visible', async ({ desk, pageOf }) => {
  const page = await pageOf(desk.admin, { forcedColors: 'active' })
  await page.goto('/desk/account')
  const chosen = page
    .locator('.seg label')
    .filter({ has: page.locator(':checked') })
    .first()
  await expect(chosen).toHaveCSS('outline-style', 'solid')
  await page.goto('/desk/admin')
  await expect(page.locator('.nav-item[aria-current]').first()).toHaveCSS('outline-style', 'solid')
})

test('with reduced motion nothing moves, and the page loads nothing from other hosts', async ({ desk, pageOf }) => {
  const page = await pageOf(desk.admin)
  const foreign: string[] = []
  page.on('request', request => {
    if (!request.url().startsWith(desk.url) && !/^(blob|data):/.test(request.url())) foreign.push(request.url())
  })
  await page.goto('/desk/account')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const motion = await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--base').trim())
  expect(motion).toMatch(/^0m?s$/)
  expect(foreign).toEqual([])
})
