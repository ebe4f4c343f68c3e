import { expectAccessible } from '../support/axe.ts'
import { type Desk, expect, test } from '../support/test.ts'

type NewRule = Parameters<typeof createRule>[1]

/** A rule with a name of its own, which follows the tickets of one subject alone. */
async function createRule(
  desk: Desk,
  given: { name: string; subject?: string; priority?: 'High' | 'Low'; is_active?: 0 | 1 }
) {
  const { name, subject = name, priority = 'High', is_active = 0 } = given
  const { rule } = await desk.post(
    '/api/admin/rules/create',
    {
      name,
      trigger: { events: ['ticket.created'] },
      conditions: { all: [{ any: [{ field: 'subject', op: 'contains', value: subject }] }] },
      actions: [{ set_priority: priority }],
      is_active
    },
    desk.admin
  )
  return rule
}

const own = (name: string): NewRule => ({ name: `${name} ${Date.now()}` })

test('a rule is made from a template, changed and turned on; it changes a ticket, and its run is read', async ({
  desk,
  client,
  consolePage: page
}) => {
  const name = `Invoices ${Date.now()}`
  const subject = `Rechnung ${Date.now()}`
  // Then the page is no longer empty, whatever other tests made before.
  await createRule(desk, own('Another one'))
  await page.goto('/desk/rules')
  await page.getByRole('button', { name: 'Begin with a template' }).click()
  await page.getByRole('link', { name: 'Invoices to their department' }).click()

  await expect(page.getByRole('heading', { level: 1, name: 'New rule' })).toBeVisible()
  await expect(page.getByRole('group', { name: 'When a ticket is opened' })).toBeVisible()
  await expect(page.getByText('choose those that you mean')).toBeVisible()
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.getByRole('textbox', { name: 'Subject, compared with' }).first().fill(subject)
  await page.getByRole('button', { name: 'move to', exact: true }).click()
  await page.getByRole('option', { name: 'set priority to' }).click()
  const bar = page.getByRole('region', { name: 'Unsaved changes' })
  await expect(bar).toContainText(`name ${name}`)

  // What is left to choose takes the focus.
  await page.getByRole('button', { name: 'Save and turn on' }).click()
  const value = page.getByRole('button', { name: 'set priority to choose …', exact: true })
  await expect(value).toBeFocused()
  await value.click()
  await page.getByRole('option', { name: 'Critical' }).click()
  await expect(page.getByRole('group', { name: 'set priority to Critical' })).toBeVisible()
  await page.getByRole('button', { name: 'Save, keep off' }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(page.getByText('It is off.')).toBeVisible()
  await page.getByRole('button', { name: 'Turn on' }).click()
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible()

  const ticket = await desk.ticket(client, { subject: `${subject} is wrong` })
  const changed = async () =>
    (await desk.post('/api/admin/tickets/detail', { id: ticket.ticket_id }, desk.admin)).ticket.priority
  await expect.poll(changed).toBe('Critical')

  await page.getByRole('link', { name: 'Runs', exact: true }).click()
  const run = page.getByRole('list', { name: 'Runs' }).getByRole('listitem').filter({ hasText: ticket.ticket_number })
  await expect(run).toContainText('set priority to Critical (was Medium)')
  await run.getByRole('button', { name: `Show what happened to ${ticket.ticket_number}` }).click()
  await expect(run).toContainText(`Fits: Subject contains “${subject}”`)
  await expect(run).toContainText('Done: set priority to Critical')
})

test('rules are moved by the handle with keys, only watch, pause and go on, and are deleted', async ({
  desk,
  consolePage: page
}) => {
  const [one, two] = [await createRule(desk, own('One')), await createRule(desk, { ...own('Two'), is_active: 1 })]
  const order = async () => {
    const { rules } = await desk.post('/api/admin/rules/list', {}, desk.admin)
    return rules.map(({ id }) => id).filter(id => id === one.id || id === two.id)
  }
  await page.goto('/desk/rules')
  const row = page.getByRole('list', { name: 'Rules' }).getByRole('listitem').filter({ hasText: two.name })
  await expect(row).toContainText(`When a ticket is opened, if Subject contains “${two.name}”: set priority to High.`)
  const handle = page.getByRole('button', { name: `Move ${two.name}` })
  await handle.press(' ')
  await handle.press('ArrowUp')
  await handle.press(' ')
  await expect.poll(order).toEqual([two.id, one.id])

  await page.getByRole('link', { name: two.name }).click()
  await expect(page.getByRole('heading', { level: 1, name: two.name })).toBeVisible()
  const choose = async (item: string) => {
    await page.getByRole('button', { name: `Actions for ${two.name}` }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await choose('Watch only')
  await expect(page.getByText('It only watches: it logs what it would do.')).toBeVisible()
  await choose('Stop watching only: do it')
  await expect(page.getByText('It only watches: it logs what it would do.')).toHaveCount(0)
  await page.getByRole('button', { name: 'Pause' }).click()
  await expect(page.getByText('What happens meanwhile passes it by.')).toBeVisible()
  await page.getByRole('main').getByRole('button', { name: 'Resume' }).first().click()
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible()
  await choose('Delete …')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page).toHaveURL(/\/desk\/rules$/)
  await expect.poll(order).toEqual([one.id])
})

test('a ticket tells why a rule changed it, what rules did, and what they wait for', async ({
  desk,
  client,
  consolePage: page
}) => {
  const rule = await createRule(desk, { ...own('Why'), is_active: 1 })
  const waiting = `Waits ${Date.now()}`
  await desk.post(
    '/api/admin/rules/create',
    {
      name: waiting,
      trigger: { timer: { basis: 'created', minutes: 7200 } },
      conditions: { all: [{ any: [{ field: 'subject', op: 'contains', value: rule.name }] }] },
      actions: [{ set_status: 'Closed' }],
      is_active: 1
    },
    desk.admin
  )
  const ticket = await desk.ticket(client, { subject: `${rule.name} of this` })
  const automation = async () => await desk.post('/api/admin/tickets/automation', { id: ticket.ticket_id }, desk.admin)
  await expect.poll(async () => (await automation()).runs.some(({ rule_id }) => rule_id === rule.id)).toBe(true)
  await expect.poll(async () => (await automation()).timers.some(({ rule_name }) => rule_name === waiting)).toBe(true)

  await page.goto(`/desk/all/${ticket.ticket_number}`)
  const line = page.getByRole('listitem').filter({ hasText: `by rule “${rule.name}”` })
  await line.getByRole('button', { name: 'Why' }).click()
  await expect(line).toContainText(`Fits: Subject contains “${rule.name}”`)
  await expect(line).toContainText('Done: set priority to High (was Medium)')
  await expect(line.getByRole('link', { name: 'Open the rule' })).toBeVisible()

  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'What rules did here' }).click()
  const dialog = page.getByRole('dialog', { name: 'What rules did here' })
  await expect(dialog.getByRole('listitem').filter({ hasText: waiting })).toBeVisible()
  await dialog.getByRole('button', { name: rule.name }).click()
  await expect(dialog).toContainText('The first step of its chain.')
  await expectAccessible(page, 'what rules did on a ticket')

  await dialog.getByRole('button', { name: `Take off what “${waiting}” waits to do` }).click()
  await expect(dialog.getByText('No rule waits for this ticket.')).toBeVisible()
  expect((await automation()).timers).toEqual([])
  await page.keyboard.press('Escape')
  await expect(page.getByText(`took off what the rule “${waiting}” was waiting to do`)).toBeVisible()
})

test('the list counts the runs of a week and is filtered, and a version that a rule had is brought back', async ({
  desk,
  client,
  consolePage: page
}) => {
  const [ran, idle] = [await createRule(desk, { ...own('Ran'), is_active: 1 }), await createRule(desk, own('Idle'))]
  const timer = { basis: 'created' as const, minutes: 7200 }
  const timed = await desk.post(
    '/api/admin/rules/create',
    { name: `Timed ${Date.now()}`, trigger: { timer }, actions: [{ move_to: 1 }] },
    desk.admin
  )
  await desk.ticket(client, { subject: ran.name })
  const runs = async () =>
    (await desk.post('/api/admin/rules/list', {}, desk.admin)).rules.find(({ id }) => id === ran.id)?.runs_in_7_days
  await expect.poll(runs).toBe(1)
  await page.goto('/desk/rules')
  const rows = page.getByRole('list', { name: 'Rules' }).getByRole('listitem')
  await expect(rows.filter({ hasText: ran.name })).toContainText('1 this week')
  await expect(rows.filter({ hasText: idle.name })).not.toContainText('this week')
  await page.getByRole('main').getByRole('button', { name: 'When', exact: true }).click()
  await page.getByRole('menuitem', { name: 'A time comes' }).click()
  await expect(rows.filter({ hasText: timed.rule.name })).toBeVisible()
  await expect(rows.filter({ hasText: ran.name })).toHaveCount(0)
  await page.getByRole('button', { name: 'A time comes' }).click()
  await expect(rows.filter({ hasText: ran.name })).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search rules' }).fill(idle.name.toUpperCase())
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText(idle.name)
  await expectAccessible(page, 'the list of rules, searched')

  await desk.post('/api/admin/rules/update', { id: ran.id, actions: [{ set_priority: 'Low' }] }, desk.admin)
  await page.goto(`/desk/rules/${ran.id}/versions`)
  const versions = page.getByRole('list', { name: 'Versions' }).getByRole('listitem')
  await expect(versions.first()).toContainText('As it is now')
  await expect(versions.first()).toContainText('then set priority to Low')
  await page.getByRole('button', { name: 'Bring back' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Bring back' }).click()
  await expect(page.getByRole('group', { name: 'set priority to High' })).toBeVisible()
  await expect(page.getByText('Version 3.')).toBeVisible()
})

test('the dry run tells what a rule would do as it is edited, and writes nothing', async ({
  desk,
  client,
  consolePage: page
}) => {
  const rule = await createRule(desk, own('Dry'))
  const ticket = await desk.ticket(client, { subject: `${rule.name} ran` })
  await page.goto(`/desk/rules/${rule.id}`)
  const run = page.getByRole('region', { name: 'Dry run' })
  await expect(run).toContainText('It would have changed 1 ticket')
  await expect(run).toContainText('Priority Medium → High')
  await run.getByRole('button', { name: `Show why ${ticket.ticket_number}` }).click()
  await expect(run).toContainText(`Fits: Subject contains “${rule.name}”`)

  await page.getByRole('textbox', { name: 'Subject, compared with' }).fill('nobody ever wrote this')
  await expect(run).toContainText('It would have changed nothing')
  await expect(run).toContainText('The condition that failed most: Subject contains “nobody ever wrote this”')
  await run.getByText('One ticket').click()
  await run.getByRole('textbox', { name: 'Number of the ticket' }).fill(ticket.ticket_number)
  await expect(run).toContainText('Does not fit: Subject contains “nobody ever wrote this”')
  const { ticket: now } = await desk.post('/api/admin/tickets/detail', { id: ticket.ticket_id }, desk.admin)
  expect(now.priority).toBe('Medium')
})

test('whoever saves over the changes of somebody else is asked first', async ({ desk, consolePage: page }) => {
  const rule = await createRule(desk, own('Shared'))
  await page.goto(`/desk/rules/${rule.id}`)
  await page.getByRole('button', { name: 'set priority to High', exact: true }).click()
  await page.getByRole('option', { name: 'Low' }).click()
  await desk.post('/api/admin/rules/update', { id: rule.id, watch_only: 1 }, desk.admin)

  await page.getByRole('button', { name: 'Save, keep off' }).click()
  await page.getByRole('button', { name: 'Save mine over it' }).click()

  const priority = async () =>
    (await desk.post('/api/admin/rules/detail', { id: rule.id }, desk.admin)).rule.actions[0]!.set_priority
  await expect.poll(priority).toBe('Low')
})

test('a timer that is turned on asks whether it takes the tickets for which its time is over already', async ({
  desk,
  client,
  consolePage: page
}) => {
  const name = `Warranty ends ${Date.now()}`
  const key = `warranty_${Date.now()}`
  const { field } = await desk.post('/api/admin/fields/create', { key, label: name, kind: 'date' }, desk.admin)
  const ticket = await desk.ticket(client, { subject: name })
  await desk.post('/api/admin/tickets/update', { id: ticket.ticket_id, fields: { [key]: '2020-01-01' } }, desk.admin)
  const { rule } = await desk.post(
    '/api/admin/rules/create',
    {
      name,
      trigger: { timer: { basis: 'date_field', minutes: 1, field_id: field.id } },
      conditions: { all: [{ any: [{ field: 'subject', op: 'contains', value: name }] }] },
      actions: [{ set_priority: 'High' }]
    },
    desk.admin
  )
  await page.goto(`/desk/rules/${rule.id}`)
  await page.getByRole('button', { name: 'Turn on' }).click()
  const dialog = page.getByRole('dialog', { name: 'From when on?' })
  await expect(dialog).toContainText(ticket.ticket_number)
  await expect(dialog.getByRole('button', { name: 'From now on' })).toBeFocused()
  await dialog.getByRole('button', { name: 'Also that ticket' }).click()
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible()
  const priority = async () =>
    (await desk.post('/api/admin/tickets/detail', { id: ticket.ticket_id }, desk.admin)).ticket.priority
  await expect.poll(priority).toBe('High')
})

test('a rule that a budget has paused says so, and what was stopped waits until it goes on', async ({
  desk,
  client,
  consolePage: page
}) => {
  const name = `Too often ${Date.now()}`
  const { rule } = await desk.post(
    '/api/admin/rules/create',
    {
      name,
      trigger: { events: ['ticket.updated'] },
      conditions: { all: [{ any: [{ field: 'subject', op: 'contains', value: name }] }] },
      actions: [{ note: 'It was renamed.' }],
      is_active: 1
    },
    desk.admin
  )
  const ticket = await desk.ticket(client, { subject: name })
  for (let turn = 0; turn <= 20; turn++)
    await desk.post('/api/admin/tickets/update', { id: ticket.ticket_id, subject: `${name} ${turn}` }, desk.admin)
  const paused = async () =>
    (await desk.post('/api/admin/rules/detail', { id: rule.id }, desk.admin)).rule.paused_reason
  await expect.poll(paused, { timeout: 60_000 }).toBe('budget')

  try {
    await page.goto('/desk/rules')
    const row = page.getByRole('list', { name: 'Rules' }).getByRole('listitem').filter({ hasText: name })
    await expect(row).toContainText('Paused: too many runs or e-mails')
    await page.goto(`/desk/rules/${rule.id}/runs`)
    await expect(page.getByText('It was paused, because it would have run')).toBeVisible()
    const run = page.getByRole('list', { name: 'Runs' }).getByRole('listitem').filter({ hasText: 'Stopped' }).first()
    await expect(run).toContainText('It would have exceeded what a rule may run or send')
    await run.getByRole('button', { name: /^Show what happened/ }).click()
    await run.getByRole('button', { name: 'Run again' }).click()
    await expect(
      page.getByText('The rule is paused, turned off or only watched: let it go on first').last()
    ).toBeVisible()
    await page.goto('/desk/admin')
    await expect(page.getByText(`The rule “${name}” is paused`)).toBeVisible()
  } finally {
    // Other tests look at an overview where nothing needs attention.
    await desk.post('/api/admin/rules/delete', { id: rule.id }, desk.admin)
  }
})

test('each template opens as a rule that can be saved and is off', async ({ desk, consolePage: page }) => {
  await createRule(desk, own('Before the templates'))
  const { templates } = await desk.post('/api/admin/rules/templates/list', {}, desk.admin)
  const saved = async () => (await desk.post('/api/admin/rules/list', {}, desk.admin)).rules
  await page.goto('/desk/rules')
  for (let at = 0; at < templates.length; at++) {
    const before = (await saved()).map(({ id }) => id)
    await page.getByRole('link', { name: 'Rules', exact: true }).first().click()
    await page.getByRole('button', { name: 'Begin with a template' }).click()
    const list = page.getByRole('region', { name: 'Begin with' }).getByRole('listitem')
    await expect(list).toHaveCount(templates.length)
    await list.nth(at).getByRole('link').click()
    const name = page.getByRole('textbox', { name: 'Name' })
    await name.fill(`${await name.inputValue()} ${Date.now()}`)
    await page.getByRole('button', { name: 'Save, keep off' }).click()
    await expect(page.getByText('It is off.'), templates[at]!.key).toBeVisible()
    const made = (await saved()).filter(({ id }) => !before.includes(id))
    expect(made.map(({ is_active }) => is_active)).toEqual([0])
  }
})

test('a template says if there is a rule of its name already, so that nobody turns it on twice', async ({
  desk,
  consolePage: page
}) => {
  const { templates } = await desk.post('/api/admin/rules/templates/list', {}, desk.admin)
  const { name } = templates[0]!
  await createRule(desk, { name })
  await page.goto('/desk/rules')

  await page.getByRole('button', { name: 'Begin with a template' }).click()

  const list = page.getByRole('region', { name: 'Begin with' })
  const first = list.getByRole('listitem').filter({ has: page.getByRole('link', { name }) })
  await expect(first.getByText('There is a rule of this name')).toBeVisible()
})
