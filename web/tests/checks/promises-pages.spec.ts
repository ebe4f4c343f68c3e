import type { Page } from '@playwright/test'
import { expectAccessible, expectAccessibleInEachWindow, windows } from '../support/axe.ts'
import { type Desk, expect, test } from '../support/test.ts'

const split: [string, string][] = [
  ['09:00', '12:00'],
  ['13:00', '17:00']
]

/** Hours, a policy and an organisation with long names, such as German has. */
async function longNames(desk: Desk) {
  const own = Date.now()
  const hours = { mon: split, tue: split, wed: [['00:00', '24:00']] as [string, string][], fri: split }
  const { calendar } = await desk.post(
    '/api/admin/calendars/create',
    {
      name: `Geschäftsstelle Norddeutschland und Skandinavien ${own}`,
      time_zone: 'Europe/Berlin',
      weeks: [{ valid_from: null, hours }],
      days: [{ date: '2026-12-24', name: 'Heiligabend, nachmittags geschlossen', hours: [['09:00', '12:00']] }]
    },
    desk.admin
  )
  const { organisation } = await desk.post(
    '/api/admin/organisations/create',
    { name: `Weingut Brückner & Söhne Kommanditgesellschaft ${own}`, domains: [`weingut-brueckner-${own}.example`] },
    desk.admin
  )
  const client = await desk.client()
  await desk.post(
    '/api/admin/clients/update',
    { id: client.id, organisation_id: organisation.id, organisation_role: 'manager' },
    desk.admin
  )
  await desk.ticket(client, { subject: 'Wechselrichter meldet Fehler E-042 nach Firmware 8.1' })
  const { policy } = await desk.post(
    '/api/admin/sla-policies/create',
    {
      name: `Gold für Vertragskunden mit Wartung ${own}`,
      conditions: { all: [{ any: [{ field: 'organisation_id', op: 'in', value: [organisation.id] }] }] },
      targets: [{ metric: 'first_response', priority: 'High', minutes: 240, calendar_id: calendar.id }]
    },
    desk.admin
  )
  return {
    hours: `/desk/hours/${calendar.id}`,
    policy: `/desk/sla/${policy.id}`,
    organisation: `/desk/organisations/${organisation.id}`
  }
}

/** What is cut off although nothing says so by dots, and does not scroll by design. */
async function cutParts(page: Page): Promise<string[]> {
  return await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main *, dialog[open] *')]
      .filter(part => part.clientWidth > 4 && part.scrollWidth > part.clientWidth + 1)
      .filter(part => {
        const { overflowX, textOverflow } = getComputedStyle(part)
        return overflowX !== 'visible' && textOverflow !== 'ellipsis' && !part.matches('.tbl-scroll, .visually-hidden')
      })
      .map(part => `${part.tagName} ${part.textContent?.slice(0, 60)}`)
  )
}

test('axe finds no fault in the hours, the policy and the organisation', async ({ desk, consolePage: page }) => {
  const places = await longNames(desk)
  await page.goto(places.hours)
  await page.getByRole('textbox', { name: /^Fr/ }).first().waitFor()
  for (const viewport of Object.values(windows)) {
    await page.setViewportSize(viewport)
    // The ends of a short break are nearer to each other than targets shall be: the field beside them does the same.
    await expectAccessible(page, 'hours with a break', ['[role=slider]'])
  }
  for (const path of ['/desk/organisations', places.policy, places.organisation]) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expectAccessibleInEachWindow(page, path)
  }
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('dialog').getByLabel('Name').waitFor()
  await expectAccessibleInEachWindow(page, 'an organisation is edited')
})

for (const [width, colorScheme] of [
  [320, 'light'],
  [1280, 'dark']
] as const) {
  test(`in German nothing of hours, policies and organisations is cut, ${width} wide`, async ({ desk, pageOf }) => {
    const places = await longNames(desk)
    const page = await pageOf(desk.admin, { viewport: { width, height: 800 }, colorScheme })
    await page.addInitScript(() => localStorage.setItem('deskline:language', 'de'))
    const look = async (state: string) => {
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
      expect.soft(await cutParts(page), state).toEqual([])
      expect.soft(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), state).toBe(false)
      const name = `${width}-${state.replaceAll(/\W+/g, '-')}.png`
      if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}` })
    }
    for (const path of ['/desk/hours', '/desk/sla', '/desk/organisations', places.organisation, places.policy]) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await look(path)
    }
    const [heading, calendar] = [
      page.getByRole('heading', { name: 'Ziele' }),
      page.getByText('gezählt nach', { exact: true })
    ]
    const [one, other] = [(await heading.boundingBox())!, (await calendar.boundingBox())!]
    expect(one.x + one.width, 'the heading and its calendar').toBeLessThanOrEqual(other.x)

    await page.goto(places.hours)
    const friday = page.getByRole('textbox', { name: /^Fr/ }).first()
    await friday.fill('9-16')
    await friday.blur()
    await look('hours that are changed')
    await page.getByRole('button', { name: 'Prüfen und speichern' }).click()
    await page.getByRole('dialog').getByRole('term').first().waitFor()
    await look('the review of hours')
  })
}
