import { type Desk, expect, test } from '../support/test.ts'

type Fields = Partial<Parameters<typeof policyBody>[1]>

/** A policy that takes the tickets with a tag of its own; each test makes its own. */
async function policy(desk: Desk, name: string, fields: Fields = {}) {
  const { calendars } = await desk.post('/api/admin/calendars/list', {}, desk.admin)
  const { tag } = await desk.post('/api/admin/tags/create', { name: `${name} ${Date.now()}` }, desk.admin)
  const created = await desk.post(
    '/api/admin/sla-policies/create',
    policyBody(`${name} ${tag.id}`, { tag: tag.name, calendar_id: calendars[0]!.id, ...fields }),
    desk.admin
  )
  return { ...created.policy, tag: tag.name }
}

function policyBody(name: string, { tag, calendar_id }: { tag: string; calendar_id: number }) {
  const target = (metric: 'first_response' | 'resolution', minutes: number) =>
    ({ metric, priority: 'High', minutes, calendar_id }) as const
  return {
    name,
    conditions: { all: [{ any: [{ field: 'tags', op: 'has_any' as const, value: [tag] }] }] },
    targets: [target('first_response', 240), target('resolution', 960)]
  }
}

test('policies are moved by the handle with keys, and by the menu; it is told, and Undo brings the order back', async ({
  desk,
  consolePage: page
}) => {
  const [one, two] = [await policy(desk, 'One'), await policy(desk, 'Two')]
  const order = async () => {
    const { policies } = await desk.post('/api/admin/sla-policies/list', {}, desk.admin)
    return policies.map(({ id }) => id).filter(id => id === one.id || id === two.id)
  }
  await page.goto('/desk/sla')
  const row = page.getByRole('list', { name: 'SLA policies' }).getByRole('listitem').filter({ hasText: two.name })
  await expect(row).toContainText(`Tag is ${two.tag}`)
  await expect(row).toContainText('High: first reply 4 h, solved in 16 h')

  const handle = page.getByRole('button', { name: `Move ${two.name}` })
  await handle.press(' ')
  await handle.press('ArrowUp')
  await expect(handle).toBeFocused()
  await handle.press('Escape')
  expect(await order()).toEqual([one.id, two.id])
  await handle.press(' ')
  await handle.press('ArrowUp')
  await handle.press(' ')
  await expect(page.getByText(new RegExp(`${two.name} is now number \\d+ of \\d+`)).last()).toBeVisible()
  await expect.poll(order).toEqual([two.id, one.id])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(order).toEqual([one.id, two.id])

  await page.getByRole('button', { name: `Actions for ${two.name}` }).click()
  await page.getByRole('menuitem', { name: 'Move up' }).click()
  await expect.poll(order).toEqual([two.id, one.id])
})

test('each policy tells how many open tickets follow it', async ({ desk, client, consolePage: page }) => {
  const { id, name, tag } = await policy(desk, 'Counted')
  const idle = await policy(desk, 'Idle')
  await desk.post('/api/admin/sla-policies/reorder', { ids: [id] }, desk.admin)
  const tickets = [await desk.ticket(client, { subject: 'First' }), await desk.ticket(client, { subject: 'Second' })]
  for (const { ticket_id } of tickets) {
    await desk.post('/api/admin/tickets/tags', { id: ticket_id, add: [tag] }, desk.admin)
    await desk.post('/api/admin/tickets/update', { id: ticket_id, priority: 'High' }, desk.admin)
  }
  const listed = async () => await desk.post('/api/admin/sla-policies/list', { open_tickets: 1 }, desk.admin)
  await expect.poll(async () => (await listed()).open_tickets?.find(({ policy_id }) => policy_id === id)?.count).toBe(2)

  await page.goto('/desk/sla')
  const row = (named: string) =>
    page.getByRole('list', { name: 'SLA policies' }).getByRole('listitem').filter({ hasText: named })
  await expect(row(name)).toContainText('2 open tickets')
  await expect(row(idle.name)).toContainText('No open tickets')
})

test('targets are typed, conditions are a sentence, and saving asks first what it moves', async ({
  desk,
  consolePage: page
}) => {
  const { id, tag } = await policy(desk, 'Typed')
  await page.goto(`/desk/sla/${id}`)
  const next = page.getByRole('textbox', { name: 'High, Next reply' })
  await next.fill('soon')
  await page.keyboard.press('Control+s')
  await expect(next).toBeFocused()
  await next.fill('1h')
  await page.getByRole('textbox', { name: 'Low, Solved' }).fill('2 d')
  await page.getByRole('textbox', { name: 'Warn before, in open time' }).fill('30')
  const bar = page.getByRole('region', { name: 'Unsaved changes' })
  await expect(bar).toContainText(
    '3 changes: High, next reply from nothing to 1 h, Low, solved from nothing to 48 h, and 1 more'
  )

  await page.getByRole('button', { name: 'Add a condition' }).click()
  await page.getByRole('option', { name: 'Priority' }).click()
  await page.getByRole('button', { name: /^Priority, compared with/ }).click()
  await page.getByRole('option', { name: 'High' }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('group', { name: 'Priority is one of High' })).toBeVisible()

  await page.getByRole('button', { name: 'Review and save' }).click()
  const dialog = page.getByRole('dialog', { name: 'What this changes' })
  await expect(dialog.getByRole('button', { name: 'Keep editing' })).toBeFocused()
  await expect(dialog.getByRole('term')).toHaveText([
    /^clocks? (is|are) running$/,
    'due earlier',
    'due later',
    'late at once'
  ])
  await dialog.getByRole('button', { name: 'Save policy' }).click()
  await expect(bar).toHaveCount(0)
  const { policy: saved } = await desk.post('/api/admin/sla-policies/detail', { id }, desk.admin)
  expect(saved.conditions.all).toEqual([
    { any: [{ field: 'tags', op: 'has_any', value: [tag] }] },
    { any: [{ field: 'priority', op: 'in', value: ['High'] }] }
  ])
  expect(saved.warn_minutes).toBe(30)
  expect(saved.targets.filter(({ metric }) => metric === 'next_response').map(({ minutes }) => minutes)).toEqual([60])
  expect(saved.targets.filter(({ priority }) => priority === 'Low').map(({ minutes }) => minutes)).toEqual([2880])
})

test('a policy is added, turned off and archived', async ({ desk, consolePage: page }) => {
  const name = `Added ${Date.now()}`
  await page.goto('/desk/sla/new')
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.getByRole('textbox', { name: 'Critical, First reply' }).fill('30 min')
  await page.getByRole('button', { name: 'Review and save' }).click()
  await page
    .getByRole('dialog')
    .getByRole('checkbox', { name: /Also for open tickets, at once/ })
    .check()
  await page.getByRole('dialog').getByRole('button', { name: 'Save policy' }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await page.getByRole('button', { name: 'Turn off' }).click()
  await expect(page.getByText('It is off: no ticket falls under it.')).toBeVisible()
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Archive …' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Archive', exact: true }).click()
  await expect(page).toHaveURL(/\/desk\/sla$/)
  const { policies } = await desk.post('/api/admin/sla-policies/list', {}, desk.admin)
  expect(policies.find(policy => policy.name === name)?.is_archived).toBe(1)
})

test('while due times are counted anew, the pages of policies and hours tell how far', async ({
  consolePage: page
}) => {
  let recomputation: { done: number; total: number } | null = { done: 320, total: 1480 }
  await page.route('**/api/admin/sla-policies/recomputation', route =>
    route.fulfill({ json: { status: 'success', code: 200, message: 'Recomputation', data: { recomputation } } })
  )
  const progress = page.getByRole('progressbar', { name: 'Due times are being counted anew' })
  await page.goto('/desk/sla')
  await expect(page.getByText('Due times are being counted anew, 320 of 1,480')).toBeVisible()
  await page.goto('/desk/hours')
  await expect(progress).toHaveAttribute('value', '320')
  await expect(page.getByRole('link', { name: 'Open tickets, due first' })).toHaveAttribute(
    'href',
    '/desk/all?sort=sla_due'
  )

  recomputation = null
  await expect(progress).toHaveCount(0)
})

test('until its name has come, an organisation in a condition is no number', async ({ desk, consolePage: page }) => {
  const name = `Weingut ${Date.now()}`
  const { organisation } = await desk.post('/api/admin/organisations/create', { name, domains: [] }, desk.admin)
  const { calendars } = await desk.post('/api/admin/calendars/list', {}, desk.admin)
  const body = policyBody(`Of ${name}`, { tag: '', calendar_id: calendars[0]!.id })
  const all = [{ any: [{ field: 'organisation_id', op: 'is' as const, value: organisation.id }] }]
  await desk.post('/api/admin/sla-policies/create', { ...body, conditions: { all } }, desk.admin)
  const answer = Promise.withResolvers<void>()
  await page.route('**/api/admin/organisations/detail', async route => {
    await answer.promise
    await route.continue()
  })

  await page.goto('/desk/sla')
  const row = page.getByRole('list', { name: 'SLA policies' }).getByRole('listitem').filter({ hasText: body.name })
  await expect(row).toContainText('Organisation is …')
  answer.resolve()
  await expect(row).toContainText(`Organisation is ${name}`)
})
