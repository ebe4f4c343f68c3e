import type { Page } from '@playwright/test'
import { expect, test } from '../support/test.ts'

const heading = (page: Page) => page.getByRole('heading', { level: 1 })

test('every page has its title, one heading, its landmarks, the skip link first, and help at the same place', async ({
  desk,
  client,
  portalPage: page
}) => {
  const settings = { name: 'Nordlicht Energie', phone: '+49 341 5501200', privacy_url: 'https://example.com/privacy' }
  await desk.post('/api/admin/settings/update', settings, desk.admin)
  const { ticket_number: number } = await desk.ticket(client)
  const foreign: string[] = []
  page.on('request', request => {
    if (!request.url().startsWith(desk.url) && !/^(data|blob):/.test(request.url())) foreign.push(request.url())
  })
  const places = new Set<string>()
  for (const path of [
    '/',
    '/new',
    `/tickets/${number}`,
    '/account',
    '/account/security',
    '/account/emails',
    '/nowhere'
  ]) {
    await page.goto(path)
    await expect(heading(page)).toHaveCount(1)
    await expect(page).toHaveTitle(/ · Deskline$/)
    await expect(page.getByRole('main')).toHaveCount(1)
    await expect(page.getByRole('banner')).toContainText('Nordlicht Energie')
    await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link')).toContainText([
      'Help centre',
      'My tickets'
    ])
    await expect(page.getByRole('contentinfo').getByRole('link').first()).toHaveAttribute('href', 'tel:+493415501200')
    places.add(await page.getByRole('contentinfo').evaluate(foot => foot.textContent ?? ''))
  }
  expect(places.size).toBe(1)
  expect(foreign).toEqual([])

  await page.goto('/')
  await expect(heading(page)).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.getByRole('link', { name: 'New ticket' }).first().click()
  await expect(heading(page)).toBeFocused()
})

test('after the sign-in the requested page opens; a page whose session has expired keeps its text', async ({
  desk,
  client,
  pageOf
}) => {
  const { ticket_number: number } = await desk.ticket(client)
  const page = await pageOf()
  await page.goto(`/tickets/${number}`)
  await expect(heading(page)).toHaveText('Sign in')
  await page.getByLabel('E-mail').fill(client.email)
  await page.getByLabel('Password', { exact: true }).fill(client.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(heading(page)).toHaveText('Inverter is silent')

  await page.getByLabel('Your answer').fill('Still here?')
  await desk.post('/api/account/sessions/revoke', { others: 1 }, client)
  await page.getByRole('button', { name: 'Send answer' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(client.email)
  await expect(page.getByLabel('Your answer')).toHaveValue('Still here?')
  await dialog.getByLabel('Password', { exact: true }).fill(client.password)
  await dialog.getByRole('button', { name: 'Sign in and send' }).click()
  await expect(page.getByRole('article')).toHaveCount(2)
  await expect(page.getByLabel('Your answer')).toHaveValue('')
})

test('pages that cannot be shown say why and what to do: no such ticket, forbidden, too many requests, busy, broken, offline', async ({
  desk,
  client,
  portalPage: page
}) => {
  const { ticket_number: number } = await desk.ticket(client)
  await page.goto('/tickets/TIC-000001')
  await expect(heading(page)).toHaveText('There is no such ticket here')
  await expect(page.getByRole('link', { name: 'To my tickets' })).toBeVisible()

  const answers = [
    [403, 'forbidden', /may not see/],
    [429, 'too_many_attempts', /A little slower, please/],
    [503, 'unavailable', /Deskline is busy/],
    [500, 'internal_error', /could not be loaded/]
  ] as const
  for (const [status, reason, words] of answers) {
    await page.route('**/api/tickets/list', route =>
      route.fulfill({
        status,
        headers: { 'retry-after': '120' },
        json: { status: 'error', code: status, reason, message: 'No', request_id: 'req-1' }
      })
    )
    await page.goto('/')
    await expect(page.getByText(words)).toBeVisible()
    await page.unroute('**/api/tickets/list')
  }
  // The stream may load the list again before the click.
  const again = page.getByRole('button', { name: 'Try again' })
  await expect(async () => {
    if (await again.isVisible()) await again.click({ timeout: 5000 })
    await expect(page.getByRole('link', { name: /Inverter is silent/ })).toBeVisible({ timeout: 5000 })
  }).toPass()

  await page.goto(`/tickets/${number}`)
  await page.getByLabel('Your answer').fill('From the train.')
  await page.context().setOffline(true)
  await expect(page.getByText(/offline/i).first()).toBeVisible()
  await page.getByRole('button', { name: 'Send answer' }).click()
  await expect(page.getByRole('list', { name: /wait/i })).toContainText(number)
  await page.context().setOffline(false)
  await expect(page.getByRole('article')).toHaveCount(2)
})

test('a send that waits for the network can be cancelled, and stays as a draft', async ({
  desk,
  client,
  portalPage: page
}) => {
  const { ticket_number: number } = await desk.ticket(client)
  await page.goto(`/tickets/${number}`)
  await page.getByLabel('Your answer').fill('Never mind.')
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Send answer' }).click()
  await page.getByRole('button', { name: /Do not send/ }).click()
  await page.context().setOffline(false)
  await expect(page.getByLabel('Your answer')).toHaveValue('Never mind.')
  await expect(page.getByRole('button', { name: 'Send answer' })).toBeEnabled()
  await expect(page.getByRole('article')).toHaveCount(1)
  await page.getByRole('link', { name: 'My tickets' }).first().click()
  await expect(page.getByRole('link', { name: /Inverter is silent.*Draft/s })).toBeVisible()
})

test('nothing overflows at 320 px, in a longer language or from right to left; only the thread is printed', async ({
  desk,
  client,
  pageOf
}) => {
  const subject = `Donaudampfschifffahrtsgesellschaftskapitän${'ssss'.repeat(20)}`
  const { ticket_number: number } = await desk.ticket(client, { subject, message: 'x'.repeat(300) })
  const page = await pageOf(client, { viewport: { width: 320, height: 640 }, hasTouch: true })
  for (const language of ['en', 'en-XA', 'en-XB']) {
    await page.goto('/nowhere')
    await page.evaluate(language => localStorage.setItem('deskline:language', language), language)
    for (const path of ['/', '/new', `/tickets/${number}`, '/account', '/account/security', '/account/emails']) {
      await page.goto(path)
      await expect(heading(page)).toBeVisible()
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(over, `${language} ${path}`).toBeLessThanOrEqual(0)
    }
  }
  await page.evaluate(() => localStorage.removeItem('deskline:language'))

  await page.goto(`/tickets/${number}`)
  await expect(page.getByRole('article')).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByText(number)).toBeVisible()
  await expect(page.getByRole('article')).toBeVisible()
  for (const name of ['Close ticket', 'Send answer', 'Print'])
    await expect(page.getByRole('button', { name })).toBeHidden()
  await expect(page.getByRole('contentinfo')).toBeHidden()
  await expect(page.getByRole('banner')).toBeHidden()
})

test('the dark theme follows the system, and a chosen theme applies before the first paint', async ({
  client,
  pageOf
}) => {
  const page = await pageOf(client, { colorScheme: 'dark' })
  await page.goto('/account/emails')
  const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  expect(await ground()).toBe('rgb(20, 19, 18)')
  await page.getByRole('radio', { name: 'Light' }).check()
  expect(await ground()).toBe('rgb(246, 245, 242)')
  await page.goto('/')
  expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('light')
})
