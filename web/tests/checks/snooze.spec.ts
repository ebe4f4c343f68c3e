import type { Page } from '@playwright/test'
import { listIn, queueOf } from '../support/queue.ts'
import { expect, test } from '../support/test.ts'

const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const menu = (page: Page) => page.getByRole('dialog', { name: 'Snooze' })
const banner = (page: Page) => page.getByRole('status').filter({ hasText: 'Snoozed until' }).first()
const toast = (page: Page) => page.locator('.toast')

const dayAndMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'Europe/Berlin' })

/** The next Monday at 14:32 in Berlin, and its Tuesday at 9:00. Clocks change on Sundays, so both have the same offset. */
function nextMonday(): { monday: Date; tuesday: Date } {
  const day = new Date()
  day.setUTCDate(day.getUTCDate() + 8 - (day.getUTCDay() || 7))
  const offsets = new Intl.DateTimeFormat('en', { timeZone: 'Europe/Berlin', timeZoneName: 'longOffset' })
  const offset = offsets
    .formatToParts(day)
    .find(({ type }) => type === 'timeZoneName')!
    .value.slice('GMT'.length)
  const monday = new Date(`${day.toISOString().slice(0, 10)}T14:32:00${offset}`)
  day.setUTCDate(day.getUTCDate() + 1)
  return { monday, tuesday: new Date(`${day.toISOString().slice(0, 10)}T09:00:00${offset}`) }
}

test('H, arrow and Enter snooze a ticket until the moment that the menu names, with a reason; it says so, is undone and woken', async ({
  desk,
  client,
  consolePage: page
}) => {
  const ticket = await desk.ticket(client, { subject: 'Waits for a part' })
  const { monday, tuesday } = nextMonday()
  const until = new RegExp(`nooze[ds].*until Tue,? ${dayAndMonth.format(tuesday)}, 09:00`)
  await page.clock.setFixedTime(monday)
  await page.goto(`/desk/all/${ticket.ticket_number}`)
  await expect(heading(page)).toHaveText('Waits for a part')
  await page.keyboard.press('h')
  await expect(page.getByRole('menuitem', { name: 'Later today Today, 16:30' })).toBeFocused()
  await menu(page).getByText('Somebody else', { exact: true }).click()
  await menu(page).getByRole('textbox', { name: 'Reason' }).fill('Huawei, part 4417')
  await page.getByRole('menuitem', { name: 'Tomorrow' }).focus()
  const snoozing = page.waitForRequest('**/api/admin/tickets/snooze')
  await page.keyboard.press('Enter')
  expect((await snoozing).postDataJSON()).toEqual({
    ...{ id: ticket.ticket_id, until: tuesday.toISOString() },
    ...{ kind: 'third_party', reason: 'Huawei, part 4417' }
  })

  await expect(toast(page)).toContainText(until)
  await expect(page.getByText('Waiting for somebody else: Huawei, part 4417')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Snooze', pressed: true })).toBeVisible()
  await expect(page.getByText(new RegExp(`${until.source}, waiting for somebody else`))).toBeVisible()
  await page.keyboard.press('z')
  await expect(page.getByRole('button', { name: 'Change', exact: true })).toHaveCount(0)

  await page.keyboard.press('h')
  await page.getByRole('menuitem', { name: 'Until Katharina writes' }).click()
  await expect(banner(page)).toContainText('Snoozed until Katharina writes.')
  await page.getByRole('button', { name: 'Change', exact: true }).click()
  await expect(menu(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Wake now' }).click()
  await expect(page.getByRole('button', { name: 'Wake now' })).toHaveCount(0)
  const { ticket: after } = await desk.post('/api/admin/tickets/detail', { id: ticket.ticket_id }, desk.admin)
  expect(after.snooze).toBe(null)
})

test('a snoozed ticket leaves the list for the view Snoozed, where its row says until when', async ({
  desk,
  client,
  consolePage: page
}) => {
  const queue = await queueOf(desk, 'Snoozes')
  const [one, other] = await queue.tickets(client, 'Second to wake', 'First to wake')
  await page.goto(queue.path)
  const { row } = listIn(page)
  await row('First to wake').waitFor()
  const until = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  await desk.post('/api/admin/tickets/snooze', { id: one!.ticket_id, until: until(9) }, desk.admin)
  await desk.post('/api/admin/tickets/snooze', { id: other!.ticket_id, until: until(2) }, desk.admin)
  await expect(page.getByText('Nothing waits for you')).toBeVisible()

  await page.keyboard.press('g')
  await page.keyboard.press('s')

  await expect(heading(page)).toContainText('Snoozed')
  await expect
    .poll(async () => {
      const texts = await listIn(page).rows.allTextContents()
      return ['First to wake', 'Second to wake'].map(subject => texts.findIndex(text => text.includes(subject)))
    })
    .toEqual([0, 1])
  await expect(row('First to wake').getByText(/^Snoozed until/)).toBeAttached()
})

test('many are snoozed from the bar under the list, and woken in their view', async ({
  desk,
  client,
  consolePage: page
}) => {
  const queue = await queueOf(desk, 'Many')
  await queue.tickets(client, 'Two', 'One')
  await page.goto(queue.path)
  await listIn(page).row('One').waitFor()
  await page.getByRole('checkbox', { name: 'Select all tickets shown' }).click()
  await expect(page.getByRole('toolbar', { name: 'Selected tickets' })).toContainText('2 selected')
  await page.keyboard.press('h')
  await page.getByRole('menuitem', { name: /^Tomorrow/ }).click()
  await expect(toast(page)).toContainText(/2 tickets snoozed until/)
  await expect(listIn(page).rows).toHaveCount(0)
  await toast(page).getByRole('button', { name: 'Undo' }).click()
  await expect(listIn(page).rows).toHaveCount(2)
})

test('a ticket is snoozed until the calendar by which it is due next opens, one without due times until that of the desk opens', async ({
  desk,
  client,
  consolePage: page
}) => {
  const week = (span: [string, string]) =>
    Object.fromEntries(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map(day => [day, [span]]))
  const calendarWith = async (name: string, opens: string) => {
    const hours = week([opens, '20:00'])
    const body = { name: `${name} ${Date.now()}`, time_zone: 'Europe/Berlin', weeks: [{ valid_from: null, hours }] }
    return (await desk.post('/api/admin/calendars/create', body, desk.admin)).calendar
  }
  const late = await calendarWith('Late shift', '10:10')
  const { calendars } = await desk.post('/api/admin/calendars/list', {}, desk.admin)
  const usual = calendars.find(({ is_default }) => is_default)!
  const [plain, promised] = [
    await desk.ticket(client, { subject: 'Plain' }),
    await desk.ticket(client, { subject: 'Promised' })
  ]
  const { tag } = await desk.post('/api/admin/tags/create', { name: `late ${Date.now()}` }, desk.admin)
  await desk.post(
    '/api/admin/sla-policies/create',
    {
      name: `Late ${tag.id}`,
      conditions: { all: [{ any: [{ field: 'tags', op: 'has_any', value: [tag.name] }] }] },
      targets: [{ metric: 'resolution', priority: 'Medium', minutes: 960, calendar_id: late.id }]
    },
    desk.admin
  )
  await desk.post('/api/admin/tickets/tags', { id: promised.ticket_id, add: [tag.name] }, desk.admin)
  const snoozeOf = async (id: number) =>
    (await desk.post('/api/admin/tickets/detail', { id }, desk.admin)).ticket.snooze
  await expect
    .poll(async () => (await desk.post('/api/admin/tickets/detail', { id: promised.ticket_id }, desk.admin)).ticket.sla)
    .not.toBe(null)

  for (const [ticket, calendar] of [
    [plain, usual],
    [promised, late]
  ] as const) {
    await page.goto(`/desk/all/${ticket.ticket_number}`)
    await expect(heading(page)).toBeVisible()
    await page.keyboard.press('h')
    const snoozing = page.waitForRequest('**/api/admin/tickets/snooze')
    await page.getByRole('menuitem', { name: `Next opening, ${calendar.name}` }).click()
    expect((await snoozing).postDataJSON()).toEqual({
      ...{ id: ticket.ticket_id, until_next_open: calendar.id },
      kind: 'own'
    })
    await expect(toast(page)).toContainText('Snoozed until')
    const { calendars } = await desk.post('/api/admin/calendars/list', {}, desk.admin)
    const { opens_at } = calendars.find(({ id }) => id === calendar.id)!
    expect(Date.parse((await snoozeOf(ticket.ticket_id))!.until!)).toBe(Date.parse(opens_at!))
  }
})

test('an opening at a time that the snooze menu proposes anyway is one row with it; what is always open has none', async ({
  desk,
  client,
  consolePage: page
}) => {
  const ticket = await desk.ticket(client, { subject: 'One row' })
  let opens_at: string | null = '2026-11-24T08:00:00.000Z'
  await page.route('**/api/admin/calendars/list', async route => {
    const response = await route.fetch()
    const answer = await response.json()
    for (const calendar of answer.data.calendars) calendar.opens_at = opens_at
    await route.fulfill({ response, json: answer })
  })
  await page.clock.setFixedTime('2026-11-23T14:32:00+01:00')
  const names = async () => {
    await page.goto(`/desk/all/${ticket.ticket_number}`)
    await expect(heading(page)).toHaveText('One row')
    await page.keyboard.press('h')
    await expect(page.getByRole('menuitem').first()).toBeFocused()
    return (await page.getByRole('menuitem').locator('.label').allInnerTexts()).slice(0, 3)
  }
  expect(await names()).toEqual(['Later today', 'Tomorrow, Mon–Fri 9–17 opens', 'Next week'])
  opens_at = null
  expect(await names()).toEqual(['Later today', 'Tomorrow', 'Next week'])
})

test('on a phone the menu is a sheet from the bottom, in German too', async ({ desk, client, pageOf }) => {
  const ticket = await desk.ticket(client, { subject: 'On the way' })
  const page = await pageOf(desk.admin, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  await page.addInitScript(() => localStorage.setItem('deskline:language', 'de'))
  await page.goto(`/desk/all/${ticket.ticket_number}`)
  await page.getByRole('button', { name: 'Zurückstellen' }).click()
  const sheet = page.getByRole('dialog', { name: 'Zurückstellen' })
  await expect(sheet).toBeVisible()
  const box = await sheet.boundingBox()
  expect([box!.x, Math.round(box!.y + box!.height), box!.width]).toEqual([0, 844, 390])
  // On Sundays tomorrow is next week.
  await sheet
    .getByRole('menuitem', { name: /^(Morgen|Nächste Woche)/ })
    .last()
    .click()
  await expect(
    page
      .getByRole('status')
      .getByText(/^Zurückgestellt bis /)
      .first()
  ).toBeVisible()
})

test('“Send and wake” sends the reply and ends the snooze', async ({ desk, client, consolePage: page }) => {
  const ticket = await desk.ticket(client, { subject: 'Answered at last' })
  await desk.post('/api/admin/tickets/snooze', { id: ticket.ticket_id, until_reply: 1 }, desk.admin)
  await page.goto(`/desk/all/${ticket.ticket_number}`)
  await page.getByRole('textbox', { name: /reply/i }).fill('The part is here.')
  await page.getByRole('button', { name: 'Other ways to send' }).click()
  await page.getByRole('menuitem', { name: 'Send and wake' }).click()
  await expect(page.getByRole('button', { name: 'Wake now' })).toHaveCount(0)
  await expect(page.getByText('The part is here.').first()).toBeVisible()
})
