import { expectAccessible, expectAccessibleInEachWindow } from '../support/axe.ts'
import type { Desk, Person } from '../support/desk.ts'
import { expect, test } from '../support/test.ts'

/** A ticket that is answered, closed and rated. */
async function rated(desk: Desk, client: Person, rating: 'good' | 'bad', comment: string, by = desk.admin) {
  const { ticket_id: id, ticket_number: number } = await desk.ticket(client, { subject: 'The inverter hums' })
  await desk.post('/api/admin/tickets/reply', { id, message: 'Solved' }, by)
  await desk.post('/api/admin/tickets/status', { id, status: 'Closed' }, by)
  await desk.post('/api/tickets/rating', { id }, client)
  await expect
    .poll(async () => (await desk.post('/api/tickets/rating', { id }, client)).survey, { timeout: 20_000 })
    .not.toBeNull()
  await desk.post('/api/tickets/rate', { id, rating, comment }, client)
  return number
}

test('reports are filtered by chips and days that stand in the address, and show what clients wrote', async ({
  desk,
  client,
  consolePage: page
}) => {
  await desk.post('/api/admin/settings/update', { csat_enabled: 1 }, desk.admin)
  const number = await rated(desk, client, 'bad', 'It took three weeks.')
  await page.goto('/desk/reports')
  const main = page.getByRole('main')
  await expect(main.getByRole('table', { name: 'By department' })).toBeVisible()
  await expectAccessibleInEachWindow(page, 'reports')

  await main.getByRole('button', { name: 'Priority' }).click()
  await page.getByRole('option', { name: /Medium/ }).click()
  await expect(page).toHaveURL(/priority=Medium/)
  await main.getByRole('radio', { name: 'From – to' }).check({ force: true })
  await expect(page).toHaveURL(/from=\d{4}-\d\d-\d\d&to=/)
  const [from] = [await main.getByLabel('From', { exact: true }).inputValue()]
  await main.getByLabel('to', { exact: true }).fill(from)
  await expect(page).toHaveURL(new RegExp(`to=${from}`))
  await page.reload()
  await expect(main.getByLabel('to', { exact: true })).toHaveValue(from)
  await main.getByRole('radio', { name: '30 days' }).check({ force: true })
  await main.getByRole('button', { name: /Medium/ }).click()
  await expect(page).not.toHaveURL(/priority|from=/)

  await main.getByText('Show as a table').click()
  await expect(main.getByRole('table', { name: 'New' })).toBeVisible()
  await main.getByText('Show as a table').click()

  await main.getByRole('tab', { name: /Satisfaction/ }).click()
  const comments = main.getByRole('region', { name: 'What they wrote' })
  await expect(comments.getByText('It took three weeks.')).toBeVisible()
  await expect(comments.getByRole('link', { name: number })).toBeVisible()
  await expect(main.getByRole('region', { name: 'Asked and answered' })).toBeVisible()
  await comments.getByRole('radio', { name: 'Not good' }).check({ force: true })
  await expect(comments.getByText('It took three weeks.')).toBeVisible()
  await expectAccessibleInEachWindow(page, 'satisfaction')
  // Ratings are few a day; their link leads to what was rated, and back to where one came from.
  await expect(main.getByRole('radio', { name: 'Week' })).toBeChecked()
  await main.locator('ol a').last().hover()
  await main.getByRole('link', { name: 'Open the tickets' }).click()
  await expect(main.getByRole('heading', { name: /^Rated tickets: / })).toBeVisible()
  await expect(main.getByRole('link', { name: number })).toBeVisible()
  const saving = page.waitForEvent('download')
  await main.getByRole('button', { name: 'Download CSV' }).click()
  expect((await saving).suggestedFilename()).toMatch(/^tickets-.*\.csv$/)
  await main.getByRole('link', { name: 'Reports' }).click()
  await expect(page).toHaveURL(/figure=satisfaction/)
  await main.getByRole('tab', { name: /Satisfaction/ }).press('Home')
  await expect(main.getByRole('tab', { name: /^New/ })).toBeFocused()
  await main.locator('ol a').last().hover()
  await main.getByRole('link', { name: /Open the/ }).click()
  await expect(main.getByRole('link', { name: number })).toBeVisible()
})

test('an admin sees the e-mail that asks, in either language, and has it sent to themselves; Closed is filtered by rating', async ({
  desk,
  client,
  consolePage: page
}) => {
  await desk.post('/api/admin/settings/update', { csat_enabled: 1 }, desk.admin)
  const number = await rated(desk, client, 'bad', 'It took three weeks.')
  await page.goto('/desk/settings/satisfaction')
  const main = page.getByRole('main')
  const preview = main.getByRole('region', { name: 'Preview' })
  await expect(preview.frameLocator('iframe').getByRole('link', { name: 'Not good' })).toBeVisible()
  await main.getByRole('radio', { name: 'Deutsch' }).check({ force: true })
  await expect(preview.frameLocator('iframe').getByRole('link', { name: 'Nicht gut' })).toBeVisible()
  await main.getByRole('button', { name: 'Send me a test' }).click()
  await expect(page.getByText(/on its way/)).toBeVisible()
  await expectAccessible(page, 'satisfaction settings')

  await page.goto('/desk/closed?rating=good')
  await expect(main.getByRole('button', { name: 'Rated good' })).toBeVisible()
  await expect(main.getByText(number)).toHaveCount(0)
  await page.goto('/desk/closed?rating=bad')
  await expect(main.getByText('The inverter hums').first()).toBeVisible()
})

test.describe('without the right to see all tickets', () => {
  test.use({ grants: ['tickets.reply', 'tickets.edit_status'] })

  test('one sees the own numbers and what was said of oneself, and nobody else', async ({
    desk,
    client,
    consolePage: page
  }) => {
    await desk.post('/api/admin/settings/update', { csat_enabled: 1 }, desk.admin)
    await rated(desk, client, 'good', 'Of somebody else.')
    await page.goto('/desk/reports')
    const main = page.getByRole('main')

    await expect(main.getByRole('heading', { name: 'Your numbers', level: 1 })).toBeVisible()
    await expect(main.getByRole('tab', { name: /^Answered/ })).toHaveAttribute('aria-selected', 'true')
    await expect(main.getByRole('region', { name: 'What clients wrote with their rating' })).toBeVisible()
    await expect(main.getByText('Of somebody else.')).toHaveCount(0)
    await expect(main.getByRole('button', { name: 'Person' })).toHaveCount(0)
    await expect(main.getByRole('table', { name: 'By department' })).toHaveCount(0)
    await expectAccessible(page, 'your numbers')
  })
})

test('the wall stands without navigation and tells no names', async ({ desk, client, consolePage: page }) => {
  await desk.ticket(client, { subject: 'Seen by nobody' })
  await page.goto('/desk/reports')
  await page.getByRole('link', { name: 'Wall' }).click()

  await expect(page.getByRole('heading', { name: 'Wall' })).toBeVisible()
  await expect(page.getByRole('navigation')).toHaveCount(0)
  await expect(page.getByText('Answered today')).toBeVisible()
  await expect(page.getByText('Seen by nobody')).toHaveCount(0)
  await expectAccessibleInEachWindow(page, 'wall')
  await page.getByRole('link', { name: 'Back to the desk' }).click()
  await expect(page.getByRole('heading', { name: 'Reports', level: 1 })).toBeVisible()
})

test('where nothing is counted, reports say so and lead back; the own numbers have an address', async ({
  desk,
  client,
  consolePage: page
}) => {
  const { ticket_id: id } = await desk.ticket(client, { subject: 'Answered by me' })
  await desk.post('/api/admin/tickets/reply', { id, message: 'Solved' }, desk.admin)
  await desk.post('/api/admin/tickets/status', { id, status: 'Closed' }, desk.admin)
  await page.goto('/desk/reports?from=2020-01-01&to=2020-01-02')
  const main = page.getByRole('main')
  await expect(main.getByText('No tickets here.')).toBeVisible()
  await expect(main.getByRole('tab', { name: /^New/ })).toHaveText('New–')
  await expectAccessible(page, 'reports without tickets')
  await main.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page).not.toHaveURL(/from=/)
  await expect(main.getByRole('table', { name: 'By department' })).toBeVisible()

  await main.getByRole('tab', { name: /Satisfaction/ }).click()
  await main.getByText(/were not asked: why/).click()
  await expect(main.getByText(/ratings are off|Nothing is decided yet/).first()).toBeVisible()

  await main.getByRole('link', { name: 'Your numbers' }).click()
  await expect(page).toHaveURL(/\/desk\/reports\/mine/)
  await expect(main.getByRole('heading', { name: 'Your numbers', level: 1 })).toBeVisible()
  await expect(main.getByRole('tab', { name: /^Answered/ })).not.toContainText('–')
  await main.getByRole('radio', { name: '7 days' }).check({ force: true })
  await expect(page).toHaveURL(/\/desk\/reports\/mine\?.*days=7/)
  await page.goto('/desk/reports?from=2015-01-01&to=2026-01-02')
  await expect(main.getByText('Ask for a shorter time')).toBeVisible()
})

test.describe('far away', () => {
  test.use({ timezoneId: 'Pacific/Kiritimati' })

  test('days are those of the desk, not of the browser', async ({ desk, client, consolePage: page }) => {
    await desk.ticket(client, { subject: 'Of today' })
    await page.goto('/desk/reports?days=7')
    const today = await page.evaluate(() =>
      new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' }).format()
    )
    await expect(page.getByRole('main').locator('p[aria-live] b')).toHaveText(today)
  })
})

test('figures have their places while their values come, and a phone has what can be done with them in one menu', async ({
  consolePage: page
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const { promise: mayCome, resolve: come } = Promise.withResolvers<void>()
  await page.route('**/api/admin/reports/volume', async route => {
    await mayCome
    await route.continue()
  })
  await page.goto('/desk/reports')
  const main = page.getByRole('main')
  await expect(main.getByText('Within SLA')).toBeVisible()
  await expect(main.getByRole('heading', { name: 'New and solved' })).toBeVisible()
  await expect(main.getByRole('tab')).toHaveCount(0)
  come()
  await expect(main.getByRole('tab', { name: /Within SLA/ })).toBeVisible()

  await main.getByRole('button', { name: 'More actions' }).click()
  await expect(page.getByRole('menuitem')).toHaveText(['Copy link', 'Download CSV', 'Your numbers', 'Wall'])
  await page.getByRole('menuitem', { name: 'Your numbers' }).click()
  await expect(page).toHaveURL(/\/desk\/reports\/mine/)
})
