import { type Desk, expect, test } from '../support/test.ts'

/** A tag of its own, whose tickets are promised a first reply and a solution by a calendar that is always open. */
async function promised(desk: Desk, minutes: number) {
  const { calendars } = await desk.post('/api/admin/calendars/list', {}, desk.admin)
  const calendar_id = calendars.find(({ is_always }) => is_always)!.id
  const { tag } = await desk.post('/api/admin/tags/create', { name: `promised ${Date.now()}` }, desk.admin)
  const { policy } = await desk.post(
    '/api/admin/sla-policies/create',
    {
      name: `Standard ${tag.id}`,
      conditions: { all: [{ any: [{ field: 'tags', op: 'has_any', value: [tag.name] }] }] },
      targets: [
        { metric: 'first_response', priority: 'Medium', minutes, calendar_id },
        { metric: 'resolution', priority: 'Medium', minutes: 960, calendar_id }
      ]
    },
    desk.admin
  )
  await desk.post('/api/admin/sla-policies/reorder', { ids: [policy.id] }, desk.admin)
  return { tag: tag.name, policy }
}

async function ticketWith(desk: Desk, tag: string, subject: string, client: { token: string }) {
  const body = new FormData()
  for (const [name, value] of Object.entries({ department_id: '1', subject, message: 'Please.' })) body.set(name, value)
  const ticket = await desk.post('/api/tickets/create', body, client)
  await desk.post('/api/admin/tickets/tags', { id: ticket.ticket_id, add: [tag] }, desk.admin)
  await expect
    .poll(async () => {
      const { clocks } = await desk.post('/api/admin/tickets/sla', { id: ticket.ticket_id }, desk.admin)
      return clocks.some(({ id }) => id !== null)
    })
    .toBe(true)
  return ticket
}

test('what is due shows in the row and in the details, where U tells why', async ({
  desk,
  client,
  consolePage: page
}) => {
  const { tag, policy } = await promised(desk, 240)
  const subject = `Promised ${Date.now()}`
  const ticket = await ticketWith(desk, tag, subject, client)

  await page.goto(`/desk/all?tag=${encodeURIComponent(tag)}`)
  const row = page.getByRole('link').filter({ hasText: subject })
  await expect(row.getByText(/First reply: 3 h 5\d|First reply: 4 h/)).toBeVisible()
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/wide.png` })
  await row.click()

  const details = page.getByRole('complementary', { name: 'Ticket details' })
  await expect(details.getByRole('heading', { name: 'Due times' })).toBeVisible()
  await expect(details.getByRole('button', { name: /^Solved(?! by)/ })).toContainText('left')
  await page.getByRole('heading', { name: subject }).click()
  await page.keyboard.press('u')
  const why = details.getByRole('region', { name: /^Why due/ })
  await expect(why).toContainText(`${policy.name}, Medium: the first reply within 4 h of Always.`)
  await expect(why.getByText('Opened', { exact: true })).toBeVisible()
  await expect(why.getByText('Due', { exact: true })).toBeVisible()
  await why.getByRole('button', { name: 'Why this policy' }).click()
  await expect(why).toContainText(`“${policy.name}” fits: Tags has ${tag} (here: ${tag})`)
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/why.png` })
  if (process.env.SHOTS) {
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.screenshot({ path: `${process.env.SHOTS}/why-dark.png` })
    await page.emulateMedia({ colorScheme: 'light' })
  }

  await desk.post('/api/admin/tickets/reply', { id: ticket.ticket_id, message: 'Like so.' }, desk.admin)
  await expect(details.getByRole('button', { name: /^First reply/ })).toContainText('of 4 h')
  await expect(details.getByRole('button', { name: /^Solved(?! by)/ })).toContainText('left')
})

test('g b opens what is due soon, and on a phone the due time opens a sheet', async ({
  desk,
  client,
  consolePage: page
}) => {
  const { tag } = await promised(desk, 240)
  const subject = `Soon ${Date.now()}`
  const ticket = await ticketWith(desk, tag, subject, client)
  await page.goto('/desk/all')
  await expect(page.getByRole('link', { name: /^Breaching soon/ })).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('b')
  await expect(page).toHaveURL(/\/desk\/breaching$/)
  await expect(page.getByRole('heading', { name: 'Breaching soon' })).toBeVisible()
  await expect(page.getByRole('link').filter({ hasText: subject })).toHaveCount(0)

  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/desk/all/${ticket.ticket_number}`)
  await page.getByRole('button', { name: /^First reply/ }).click()
  const sheet = page.getByRole('dialog', { name: 'Due times' })
  await sheet.getByRole('button', { name: /^First reply/ }).click()
  await expect(sheet.getByText(/^Why due/)).toBeVisible()
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/phone.png` })
})

test('“Why this policy” names departments, staff and organisations, also for those who administer none of them', async ({
  desk,
  client,
  pageOf
}) => {
  const { tag, policy } = await promised(desk, 240)
  const boss = await desk.supporter([])
  const { department } = await desk.post('/api/admin/departments/create', { name: `Far away ${tag}` }, desk.admin)
  const { organisation } = await desk.post('/api/admin/organisations/create', { name: `Acme ${tag}` }, desk.admin)
  const { calendars } = await desk.post('/api/admin/calendars/list', {}, desk.admin)
  const calendar_id = calendars[0]!.id
  const values = { department_id: department.deptid, assigned_staff_id: boss.id, organisation_id: organisation.id }
  const ids: number[] = []
  for (const [field, value] of Object.entries(values)) {
    const { policy } = await desk.post(
      '/api/admin/sla-policies/create',
      {
        name: `By ${field} ${tag}`,
        conditions: { all: [{ any: [{ field: field as keyof typeof values, op: 'in', value: [value] }] }] },
        targets: [{ metric: 'resolution', priority: 'Medium', minutes: 960, calendar_id }]
      },
      desk.admin
    )
    ids.push(policy.id)
  }
  await desk.post('/api/admin/sla-policies/reorder', { ids: [...ids, policy.id] }, desk.admin)
  const ticket = await ticketWith(desk, tag, `Named ${Date.now()}`, client)
  const page = await pageOf(await desk.supporter(['tickets.view_all']))

  await page.goto(`/desk/all/${ticket.ticket_number}`)
  const details = page.getByRole('complementary', { name: 'Ticket details' })
  await details.getByRole('button', { name: /^First reply/ }).click()
  const why = details.getByRole('region', { name: /^Why due/ })
  await why.getByRole('button', { name: 'Why this policy' }).click()
  await expect(why).toContainText(`Department is ${department.name} (here: `)
  await expect(why).not.toContainText('(here: 1)')
  await expect(why).toContainText(`Assignee is ${boss.first_name} ${boss.last_name} (here: nothing)`)
  await expect(why).toContainText(`Organisation is ${organisation.name} (here: nothing)`)
  for (const id of ids) await desk.post('/api/admin/sla-policies/archive', { id }, desk.admin)
})
