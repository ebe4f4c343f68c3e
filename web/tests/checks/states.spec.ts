import type { Page, Route } from '@playwright/test'
import { expect, test } from '../support/test.ts'

const path = '**/api/admin/departments/list'

test('a page that cannot be loaded shows the reason and the id of the request, and can be retried', async ({
  consolePage: page
}) => {
  let calls = 0
  await page.route(path, route => (++calls === 1 ? refuse(route, 500, 'internal_error') : route.fallback()))
  await page.goto('/desk/departments')
  await expect(page.getByText('Nothing that you typed is lost.')).toBeVisible()
  await expect(page.getByText('Request 01JD2M8Q')).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Technical Support').last()).toBeVisible()
})

test('after too many requests a countdown leads to a retry; a busy service is retried automatically', async ({
  consolePage: page
}) => {
  await page.clock.install()
  await refused(page, 429, 'too_many_requests', '42')
  await expect(page.getByText('A little slower, please')).toBeVisible()
  const again = page.getByRole('button', { name: /Try again in \d+ s/ })
  await expect(again).toBeDisabled()
  await page.unroute(path)
  await page.clock.fastForward(43_000)
  await page.getByRole('button', { name: 'Try again', exact: true }).click()
  await expect(page.getByText('Technical Support').last()).toBeVisible()

  await refused(page, 503, 'unavailable', '61')
  await expect(page.getByText('Deskline is busy')).toBeVisible()
  await page.unroute(path)
  await page.clock.fastForward(62_000)
  await expect(page.getByText('Technical Support').last()).toBeVisible()
})

test('a further page of a list that cannot be loaded shows the reason, keeps the list, and can be retried', async ({
  client,
  consolePage: page
}) => {
  let isBroken = true
  await page.route('**/api/admin/clients/list', async (route, request) => {
    if (isBroken && request.postDataJSON().page === 2) return await refuse(route, 500, 'internal_error')
    const response = await route.fetch()
    const answer = await response.json()
    // As if there were more of them.
    answer.data.total = 60
    await route.fulfill({ response, json: answer })
  })
  await page.goto(`/desk/clients?q=${client.email}`)
  const row = page.getByRole('link', { name: `${client.first_name} ${client.last_name}` })
  await expect(row).toBeVisible()
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Something went wrong in the service.' })).toBeVisible()
  await expect(row).toBeVisible()
  isBroken = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('button', { name: /Try again|Show more/ })).toHaveCount(0)
  await expect(row).toBeVisible()
})

test('a page that fails to render says so, and can be reloaded', async ({ consolePage: page, complaints }) => {
  const data = { departments: null }
  await page.route(path, route => route.fulfill({ json: { status: 'success', code: 200, message: '', data } }))
  await page.goto('/desk/departments')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This page has failed')
  expect(complaints.splice(0)).toHaveLength(1)
  await page.unroute(path)
  await page.getByRole('button', { name: 'Reload the page' }).click()
  await expect(page.getByText('Technical Support').last()).toBeVisible()
})

test.describe('of a supporter', () => {
  test.use({ grants: ['tickets.view_all'] })
  test('a forbidden page says who can help, and an unknown address leads back', async ({ consolePage: page }) => {
    await page.goto('/desk/audit')
    await expect(page.getByText(/admin/i).last()).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
    await page.goto('/desk/no/such/place')
    await expect(page.getByRole('heading', { level: 1, name: 'There is nothing here' })).toBeVisible()
    await page.getByRole('link', { name: 'Back to tickets' }).click()
    await expect(page).toHaveURL(/\/desk\/all$/)
  })

  test('an address of one or two words that leads nowhere says so, and so does a ticket that can be none', async ({
    consolePage: page
  }) => {
    for (const address of ['/desk/nowhere', '/desk/account/xyz', '/desk/all/xyz', '/desk/search/xyz']) {
      await page.goto(address)
      await expect(page.getByRole('heading', { name: 'There is nothing here' })).toHaveCount(1)
      await expect(page.getByRole('heading', { level: 1, name: 'There is no such view' })).toHaveCount(0)
      await expect(page.getByText(/ticket number such as/)).toHaveCount(0)
    }
  })
})

async function refused(page: Page, status: number, reason: string, retryAfter: string) {
  await page.route(path, route => refuse(route, status, reason, retryAfter))
  await page.goto('/desk/departments')
}

function refuse(route: Route, status: number, reason: string, retryAfter?: string) {
  return route.fulfill({
    status,
    headers: { 'x-request-id': '01JD2M8Q', ...(retryAfter && { 'retry-after': retryAfter }) },
    json: { status: 'error', code: status, message: 'No', reason }
  })
}
