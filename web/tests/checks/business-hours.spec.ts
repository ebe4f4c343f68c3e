import type { Page } from '@playwright/test'
import { type Desk, expect, test } from '../support/test.ts'

const office = [
  ['09:00', '12:00'],
  ['13:00', '17:00']
]

/** Business hours with a policy that counts by them; each test has its own. */
async function hours(desk: Desk, days: { date: string; name: string; hours: string[][] }[] = []) {
  const week = { mon: office, tue: office, wed: office, thu: office, fri: office }
  const name = `Office ${Date.now()} ${Math.random()}`
  const body = { name, time_zone: 'Europe/Berlin', weeks: [{ valid_from: null, hours: week }], days }
  const { calendar } = await desk.post('/api/admin/calendars/create', body, desk.admin)
  return calendar
}

const field = (page: Page, day: string) => page.getByRole('textbox', { name: day, exact: true })

test('typed times are understood, rewritten and drawn; what cannot be is told at its day and takes the focus', async ({
  desk,
  consolePage: page
}) => {
  const { id } = await hours(desk)
  await page.goto(`/desk/hours/${id}`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()

  for (const [typed, written] of [
    ['9-12, 13-18:30', '09:00–12:00, 13:00–18:30'],
    ['24h', '00:00–24:00'],
    ['closed', ''],
    ['9 bis 12 Uhr', '09:00–12:00']
  ]) {
    await field(page, 'Thursday').fill(typed!)
    await field(page, 'Thursday').blur()
    await expect(field(page, 'Thursday')).toHaveValue(written!)
  }
  const bar = page.getByRole('region', { name: 'Unsaved changes' })
  await expect(bar).toContainText('1 change: Thursday until 12:00')

  // The edge of a bar moves by the arrow keys, and says its time.
  const end = page.getByRole('slider', { name: 'Thursday closes' })
  await end.press('ArrowRight')
  await expect(end).toHaveAttribute('aria-valuetext', 'Thursday until 12:15')
  await end.press('Shift+ArrowRight')
  await expect(field(page, 'Thursday')).toHaveValue('09:00–13:15')

  await field(page, 'Saturday').fill('22–6')
  await expect(page.getByText('22:00–06:00 ends before it begins.')).toBeVisible()
  await page.getByRole('button', { name: 'Write it so' }).click()
  await expect(field(page, 'Saturday')).toHaveValue('22:00–24:00')
  await expect(field(page, 'Sunday')).toHaveValue('00:00–06:00')

  await field(page, 'Monday').fill('9-17, 12-13')
  await expect(page.getByText('12:00–13:00 lies inside 09:00–17:00.')).toBeVisible()
  await field(page, 'Monday').blur()
  await page.keyboard.press('Control+s')
  await expect(field(page, 'Monday')).toBeFocused()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('“Try it” answers with the time of the service, over a weekend, a holiday and the end of summer time', async ({
  desk,
  consolePage: page
}) => {
  const { id } = await hours(desk, [{ date: '2026-10-26', name: 'Day off', hours: [] }])
  const asked = { id, from: '2026-10-23T14:30:00Z', minutes: 240 }
  const { due_at } = await desk.post('/api/admin/calendars/preview', asked, desk.admin)
  // Summer time has ended: 13:30 in Berlin.
  expect(due_at).toBe('2026-10-27T12:30:00.000Z')
  await page.goto(`/desk/hours/${id}`)
  const card = page.getByRole('region', { name: 'Try it' })
  await card.getByLabel('A ticket opened on').fill('2026-10-23T16:30')
  await expect(card.getByRole('status')).toContainText('is due on Tue 27 Oct, 13:30.')
  const steps = card.getByRole('list', { name: 'How it is counted' }).getByRole('listitem')
  await expect(steps.filter({ hasText: 'Closed: weekend, Day off' })).toHaveCount(1)
  await expect(steps.last()).toHaveText(/^Due/)

  // What is not saved yet counts already.
  await field(page, 'Tuesday').fill('closed')
  await expect(card.getByRole('status')).toContainText('is due on Wed 28 Oct, 13:30.')
  await card.getByLabel('Open time until it is due').fill('30 min')
  await expect(card.getByRole('status')).toContainText('is due on Fri 23 Oct, 17:00.')
})

test('saving asks first what it moves, from today on unless the past is ticked, and keeps the edits', async ({
  desk,
  consolePage: page
}) => {
  const { id } = await hours(desk)
  await page.goto(`/desk/hours/${id}`)
  await field(page, 'Friday').fill('9-12')
  await page.getByRole('button', { name: 'Review and save' }).click()
  const dialog = page.getByRole('dialog', { name: 'What this changes' })
  await expect(dialog.getByRole('button', { name: 'Keep editing' })).toBeFocused()
  await expect(dialog).toContainText('Friday until 12:00, from today.')
  const asked = page.waitForResponse('**/api/admin/calendars/impact')
  await dialog.getByRole('checkbox', { name: /Also count anew what is over/ }).check()
  const { data } = (await (await asked).json()) as { data: { running_clocks: number } }
  await expect(dialog.getByRole('definition').first()).toHaveText(String(data.running_clocks))
  await dialog.getByRole('checkbox', { name: /Also count anew what is over/ }).uncheck()
  await expect(dialog.getByRole('checkbox', { name: /Also count anew what is over/ })).not.toBeChecked()
  await page.keyboard.press('Escape')
  await expect(field(page, 'Friday')).toHaveValue('09:00–12:00')

  await page.getByRole('button', { name: 'Review and save' }).click()
  await dialog.getByRole('button', { name: 'Save business hours' }).click()
  await expect(page.getByRole('region', { name: 'Unsaved changes' })).toHaveCount(0)
  const { calendar } = await desk.post('/api/admin/calendars/detail', { id }, desk.admin)
  expect(calendar.weeks.map(({ hours }) => hours.fri)).toEqual([office, [['09:00', '12:00']]])

  // Somebody else saves meanwhile: whose change it was is said, and what was typed stays.
  await field(page, 'Monday').fill('8-12')
  await desk.post('/api/admin/calendars/update', { id, name: `${calendar.name} two` }, desk.admin)
  await page.getByRole('button', { name: 'Review and save' }).click()
  await dialog.getByRole('button', { name: 'Save business hours' }).click()
  await expect(page.getByText('Support Admin has saved other values a moment ago.')).toBeVisible()
  await expect(field(page, 'Monday')).toHaveValue('08:00–12:00')
  await page.getByRole('button', { name: 'Save mine over it' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(calendar.name)
})

test('a day is added in place, a year without days is told, and proposals are added only when ticked', async ({
  desk,
  consolePage: page
}) => {
  const { id } = await hours(desk)
  const year = new Date().getFullYear() + 1
  await page.goto(`/desk/hours/${id}`)
  const card = page.getByRole('region', { name: 'Holidays and special days' })
  await card.getByRole('button', { name: 'The year after' }).click()
  await expect(card.getByText(`${year} has no days yet.`)).toBeVisible()
  await card.getByRole('button', { name: `Suggest days for ${year}` }).click()
  await card.getByRole('button', { name: 'Country: ' }).click()
  await page.getByRole('combobox', { name: 'Country' }).fill('Germany')
  await page.getByRole('option', { name: 'Germany' }).click()
  await card.getByRole('button', { name: 'Region: ' }).click()
  await page.getByRole('combobox', { name: 'Region' }).fill('Berlin')
  await page.getByRole('option', { name: 'Berlin' }).click()
  await expect(card.getByRole('checkbox', { name: /Good Friday/ })).toBeChecked()
  await card.getByRole('checkbox', { name: /Labour Day/ }).uncheck()
  await card.getByRole('button', { name: /^Add \d+ days$/ }).click()
  await expect(card.getByText('Good Friday')).toBeVisible()
  await expect(card.getByText('Labour Day')).toHaveCount(0)

  await card.getByRole('button', { name: 'Add a day' }).click()
  await card.getByLabel('Date', { exact: true }).fill(`${year}-12-24`)
  await card.getByLabel('Name of the day').fill('Christmas Eve')
  await card.getByLabel('Times', { exact: true }).fill('9-12')
  await card.getByLabel('Times', { exact: true }).press('Enter')
  await expect(card.getByRole('listitem').filter({ hasText: 'Christmas Eve' })).toContainText('09:00–12:00')

  // Leaving asks; nothing was saved yet.
  await page.getByRole('link', { name: 'Business hours', exact: true }).first().click()
  const leaving = page.getByRole('dialog', { name: 'These business hours are not saved' })
  await leaving.getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Business hours' })).toBeVisible()
  expect((await desk.post('/api/admin/calendars/detail', { id }, desk.admin)).calendar.days).toEqual([])
})

test('“holiday” and “Feiertag” both find the days of business hours', async ({ desk, consolePage: page }) => {
  const { id, name } = await hours(desk)
  for (const word of ['holiday', 'Feiertag']) {
    await page.goto('/desk/admin')
    await page.getByRole('combobox', { name: 'Search settings' }).fill(word)
    await page.getByRole('option', { name: `Business hours › ${name}` }).click()
    await expect(page).toHaveURL(`/desk/hours/${id}`)
  }
})
