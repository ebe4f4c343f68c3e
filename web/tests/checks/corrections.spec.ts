import type { Locator, Page } from '@playwright/test'
import { expect, test } from '../support/test.ts'

/** The nine smaller corrections of the design that no other test measures. */

const heading = (page: Page) => page.getByRole('heading', { level: 1 })

async function boxOf(element: Locator) {
  await expect(element).toBeVisible()
  const { x, y, width, height } = (await element.boundingBox())!
  return { top: y, bottom: y + height, end: x + width, middle: y + height / 2, width }
}

test('staff with nobody chosen: the right side says what to do', async ({ consolePage: page }) => {
  await page.goto('/desk/staff')
  await expect(page.getByText('Choose somebody on the left')).toBeInViewport()
})

test('a tag of today is dated "Today", and the hour stands in the title', async ({ desk, consolePage: page }) => {
  const { tag } = await desk.post('/api/admin/tags/create', { name: `dated ${Date.now()}` }, desk.admin)
  await page.goto('/desk/tags')
  const since = page.getByRole('row').filter({ hasText: tag.name }).locator('time')
  await expect(since).toHaveText('Today')
  await expect(since).toHaveAttribute('title', /\d\d:\d\d/)
})

test('departments say only what is out of use, and only who is limited', async ({ desk, consolePage: page }) => {
  const create = async (name: string) =>
    (await desk.post('/api/admin/departments/create', { name: `${name} ${Date.now()}` }, desk.admin)).department
  const [used, unused] = [await create('Used'), await create('Unused')]
  await desk.post('/api/admin/departments/update', { deptid: unused.deptid, is_active: 0 }, desk.admin)
  await page.goto('/desk/departments')
  const table = page.getByRole('table', { name: 'All departments' })
  await expect(table.getByRole('columnheader', { name: 'State' })).toHaveCount(0)
  await expect(table.getByRole('row').filter({ hasText: unused.name })).toContainText('Out of use')
  await expect(table.getByText(/^In use$|Nobody/)).toHaveCount(0)
  const limited = table.getByRole('row').filter({ hasText: used.name }).getByRole('cell')
  await expect(limited.filter({ hasNotText: /\S/ })).not.toHaveCount(0)
})

test('the page of e-mail texts has its head where the other pages have it', async ({ consolePage: page }) => {
  const heads = []
  for (const path of ['/desk/settings/email-templates', '/desk/departments']) {
    await page.goto(path)
    const [lede, back] = [page.locator('.lede'), page.locator('.back-link')]
    const head = []
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 844 })
      const title = await boxOf(heading(page))
      const font = await lede.evaluate(element => getComputedStyle(element).font)
      const apart = (await boxOf(lede)).top - title.bottom
      head.push({ title: title.top, apart, font, back: (await back.isVisible()) && (await boxOf(back)).top })
    }
    heads.push(head)
  }
  expect(heads[0]).toEqual(heads[1])
})

test('an empty page of webhooks or held e-mails has its step inside the state', async ({ pageOf, desk }) => {
  const page = await pageOf(desk.admin, { viewport: { width: 390, height: 844 } })
  await emptied(page, '/api/admin/webhooks/list', 'webhooks')
  await emptied(page, '/api/admin/mail/held/list', 'mails')
  await page.goto('/desk/webhooks')
  const webhooks = await boxOf(page.getByText('Nobody is told anything yet'))
  const add = page.getByRole('button', { name: 'Add webhook' })
  await expect(add).toHaveCount(1)
  expect((await boxOf(add)).top).toBeGreaterThan(webhooks.bottom)

  await page.goto('/desk/mail/held')
  const held = await boxOf(page.getByText('Nothing is held'))
  expect((await boxOf(page.getByRole('link', { name: 'Go to the tickets' }))).top).toBeGreaterThan(held.bottom)
})

/** What a list answers, without its rows. */
async function emptied(page: Page, path: string, rows: string): Promise<void> {
  await page.route(`**${path}`, async route => {
    const response = await route.fetch()
    const answer = await response.json()
    await route.fulfill({ response, json: { ...answer, data: { ...answer.data, [rows]: [], total: 0 } } })
  })
}

test('title, search and button of the clients stand on one line, and the hint of the search is whole', async ({
  consolePage: page
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/desk/clients')
  const field = page.getByRole('searchbox', { name: 'Search the clients' })
  const [title, search, button] = [
    await boxOf(heading(page)),
    await boxOf(field.locator('..')),
    await boxOf(page.getByRole('button', { name: 'Add client' }))
  ]
  expect(Math.abs(title.middle - search.middle)).toBeLessThanOrEqual(1)
  expect(Math.abs(button.middle - search.middle)).toBeLessThanOrEqual(1)
  expect(search.width).toBe(280)
  const room = await field.evaluate((input: HTMLInputElement) => {
    const canvas = document.createElement('canvas').getContext('2d')!
    canvas.font = getComputedStyle(input).font
    return input.clientWidth - canvas.measureText(input.placeholder).width
  })
  expect(room).toBeGreaterThanOrEqual(0)
})

test('what waits on the customer has a glyph of two solid strokes, and due times stand under each other', async ({
  desk,
  client,
  consolePage: page
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  const { calendars } = await desk.post('/api/admin/calendars/list', {}, desk.admin)
  const calendar_id = calendars.find(({ is_always }) => is_always)!.id
  const name = `due ${Date.now()}`
  for (const each of [name, `${name} soon`]) await desk.post('/api/admin/tags/create', { name: each }, desk.admin)
  const { policy } = await desk.post(
    '/api/admin/sla-policies/create',
    {
      name,
      conditions: { all: [{ any: [{ field: 'tags', op: 'has_any', value: [name] }] }] },
      targets: [{ metric: 'first_response', priority: 'Medium', minutes: 240, calendar_id }]
    },
    desk.admin
  )
  await desk.post('/api/admin/sla-policies/reorder', { ids: [policy.id] }, desk.admin)
  for (const add of [[name], [name, `${name} soon`]]) {
    const { ticket_id: id } = await desk.ticket(client)
    await desk.post('/api/admin/tickets/tags', { id, add }, desk.admin)
    if (add.length > 1) await desk.post('/api/admin/tickets/assign', { id, staff_id: desk.admin.id }, desk.admin)
  }

  await page.goto(`/desk/all?tag=${encodeURIComponent(name)}`)
  const due = page.locator('[data-ticket] time[title*="First reply"]')
  await expect(due).toHaveCount(2)
  const [first, second] = [await boxOf(due.first()), await boxOf(due.last())]
  expect(first.end).toBe(second.end)
  expect(first.top).not.toBe(second.top)

  const waiting = page.getByRole('link', { name: /Waiting on customer/ }).locator('svg')
  await expect(waiting.locator('path')).toHaveCount(1)
  await expect(waiting.locator('path')).toHaveAttribute('stroke-width', '2')
  await expect(waiting.locator('rect')).toHaveCount(0)
})

test('the title "My tickets" stands on the middle line of its button', async ({ portalPage: page }) => {
  await page.goto('/')
  const title = await boxOf(page.getByRole('heading', { level: 1, name: 'My tickets' }))
  const button = await boxOf(page.getByRole('main').getByRole('link', { name: 'New ticket' }).first())
  expect(Math.abs(title.middle - button.middle)).toBeLessThanOrEqual(1)
})
