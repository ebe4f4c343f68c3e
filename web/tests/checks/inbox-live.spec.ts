import { expectSubjects, listIn, nextSecond, queueOf } from '../support/queue.ts'
import { expect, test } from '../support/test.ts'

test('changes by colleagues and clients appear in the list at once, and no row moves under the pointer', async ({
  desk,
  client,
  consolePage: page
}) => {
  const queue = await queueOf(desk, 'Live')
  const [first, second] = await queue.tickets(client, 'Oldest', 'Middle', 'Newest')
  await page.goto(queue.path)
  await expectSubjects(page, 'Newest', 'Middle', 'Oldest')
  const { row } = listIn(page)
  const inNav = page.getByRole('navigation').getByRole('link', { name: queue.name })
  await expect(inNav).toContainText('3')

  // A reply changes the row where it is, for as long as somebody points at the list.
  await row('Middle').hover()
  await nextSecond()
  await desk.post('/api/tickets/reply', { id: first!.ticket_id, message: 'It is louder now.' }, client)
  await expect(row('Oldest')).toContainText('It is louder now.')
  await expectSubjects(page, 'Newest', 'Middle', 'Oldest')

  // What is new waits behind a chip, and the counts go on.
  await queue.tickets(client, 'Just come')
  const chip = page.getByRole('button', { name: '1 new' })
  await expect(chip).toBeVisible()
  await expect(inNav).toContainText('4')
  await expectSubjects(page, 'Newest', 'Middle', 'Oldest')
  await expect(page.locator('[aria-live="polite"]').filter({ hasText: '1 new ticket' })).toBeAttached()
  await chip.click()
  await expectSubjects(page, 'Just come', 'Oldest', 'Newest', 'Middle')
  await expect(chip).toHaveCount(0)

  // One that leaves the view stays in its place until nobody points at the list any more.
  await page.getByRole('button', { name: 'Search or jump' }).focus()
  await row('Newest').hover()
  await desk.post('/api/admin/tickets/status', { id: first!.ticket_id, status: 'Closed' }, desk.admin)
  await expect(row('Oldest').getByRole('img', { name: 'Closed' })).toBeVisible()
  await page.getByRole('navigation').hover()
  await expectSubjects(page, 'Just come', 'Newest', 'Middle')

  // A busy service may write a ticket long before it tells of it: what changed lately does not have it, and it stays all the same.
  const long = new Date(Date.now() - 60_000).toISOString()
  await page.route('**/api/admin/tickets/list', async route => {
    const body = route.request().postDataJSON()
    await route.continue({ postData: body.updated_from ? { ...body, updated_from: '2099-01-01 00:00:00' } : body })
  })
  await page.route('**/api/admin/tickets/detail', async route => {
    const response = await route.fetch()
    const { data, ...rest } = await response.json()
    await route.fulfill({
      response,
      json: { ...rest, data: { ...data, ticket: { ...data.ticket, updated_at_iso: long } } }
    })
  })
  await nextSecond()
  await desk.post('/api/admin/tickets/update', { id: second!.ticket_id, priority: 'Critical' }, desk.admin)
  await expect(row('Middle').getByRole('img', { name: 'Critical priority' })).toBeVisible()
  await expectSubjects(page, 'Middle', 'Just come', 'Newest')
})

test('a row shows who is viewing and who is replying, and that it has a draft', async ({
  desk,
  client,
  consolePage: page
}) => {
  const queue = await queueOf(desk, 'Presence')
  const [ticket] = await queue.tickets(client, 'Looked at')
  const hannah = await desk.supporter(['tickets.view_all', 'tickets.reply'], {
    first_name: 'Hannah',
    last_name: 'Lind'
  })
  await desk.post('/api/admin/tickets/presence', { id: ticket!.ticket_id, state: 'viewing' }, hannah)
  await page.goto(queue.path)
  const row = listIn(page).row('Looked at')
  // She was there before one came.
  await expect(row).toContainText('Hannah Lind is viewing')
  await desk.post('/api/admin/tickets/presence', { id: ticket!.ticket_id, state: 'replying' }, hannah)
  await expect(row).toContainText('Hannah Lind is replying')
  await desk.post('/api/admin/tickets/presence', { id: ticket!.ticket_id, state: 'away' }, hannah)
  await expect(row).not.toContainText('Hannah')

  await row.click()
  await page.getByRole('textbox', { name: /reply/i }).fill('I shall look into it')
  await expect(row).toContainText('Draft')
})

test('changes that happened while offline appear once online', async ({ desk, client, consolePage: page }) => {
  const queue = await queueOf(desk, 'Offline')
  await queue.tickets(client, 'Before')
  await page.goto(queue.path)
  await expectSubjects(page, 'Before')
  await page.context().setOffline(true)
  await queue.tickets(client, 'Meanwhile')
  await expectSubjects(page, 'Before')
  await page.context().setOffline(false)
  // What came before the stream was ever open needs no click.
  const chip = page.getByRole('button', { name: '1 new' })
  await expect(async () => {
    if (await chip.isVisible()) await chip.click({ timeout: 5000 })
    expect(await listIn(page).subjects()).toEqual(['Meanwhile', 'Before'])
  }).toPass()
})

test('changes that could not be loaded appear with the next ones, and no row disappears meanwhile', async ({
  desk,
  client,
  consolePage: page
}) => {
  const queue = await queueOf(desk, 'Failing')
  const [first, second] = await queue.tickets(client, 'First', 'Second')
  await page.goto(queue.path)
  await expectSubjects(page, 'Second', 'First')
  const { row } = listIn(page)
  const since: string[] = []
  let isFailing = true
  await page.route('**/api/admin/tickets/list', async route => {
    const { updated_from } = route.request().postDataJSON()
    if (updated_from === undefined) return await route.continue()
    since.push(updated_from)
    if (!isFailing) return await route.continue()
    await route.fulfill({ status: 500, json: { status: 'error', code: 500, message: 'Out of order' } })
  })

  await desk.post('/api/tickets/reply', { id: first!.ticket_id, message: 'Nobody reads this yet.' }, client)
  await expect.poll(() => since.length).toBeGreaterThan(0)
  await expectSubjects(page, 'Second', 'First')
  isFailing = false
  const failed = since.length
  await desk.post('/api/tickets/reply', { id: second!.ticket_id, message: 'This is read.' }, client)

  await expect(row('Second')).toContainText('This is read.')
  await expect(row('First')).toContainText('Nobody reads this yet.')
  expect(since.slice(failed), 'what is read goes back to the first failure').toContain(since[0])
})

test('events about followers and deliveries remove no row, however late they arrive', async ({
  desk,
  client,
  consolePage: page
}) => {
  const queue = await queueOf(desk, 'Followed')
  const [ticket] = await queue.tickets(client, 'Followed later')
  await page.goto(queue.path)
  await expectSubjects(page, 'Followed later')
  // Neither moves the time by which the list is asked for what has changed: as if the ticket were from yesterday.
  await page.route('**/api/admin/tickets/list', (route, request) => {
    const body = request.postDataJSON()
    return route.continue(
      body.updated_from ? { postData: JSON.stringify({ ...body, updated_from: '2099-01-01 00:00:00' }) } : {}
    )
  })
  const read = page.waitForResponse('**/api/admin/tickets/detail')
  const follower = { id: ticket!.ticket_id, email: 'neighbour@example.org' }
  await desk.post('/api/admin/tickets/followers/add', follower, desk.admin)
  await read
  await page.unrouteAll({ behavior: 'wait' })
  await queue.tickets(client, 'After it')
  await page.getByRole('button', { name: '1 new' }).or(listIn(page).row('After it')).first().waitFor()
  await expect(listIn(page).row('Followed later')).toBeVisible()
})

test('views can be saved, shared and deleted by people with the permission', async ({
  desk,
  client,
  consolePage: page,
  pageOf
}) => {
  const queue = await queueOf(desk, 'Views')
  await queue.tickets(client, 'To be viewed')
  const name = `Shared ${queue.deptid}`
  const own = `Own ${queue.deptid}`
  const saved = page.getByRole('region', { name: 'Saved views' })

  await page.goto(`${queue.path}?sort=created`)
  await page.getByRole('button', { name: 'Save as view' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill(own)
  await page.getByRole('button', { name: 'Save view' }).click()
  await expect(page).toHaveURL(/\/desk\/view-\d+$/)
  await expectSubjects(page, 'To be viewed')
  await expect(saved.getByRole('link', { name: own })).toContainText('1')

  // Filters narrow a saved view, and can be kept in it.
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('button', { name: 'Priority', exact: true }).click()
  await page.getByRole('option', { name: 'Low' }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByText('No tickets match these filters')).toBeVisible()
  await page.getByRole('button', { name: `Actions for “${own}”` }).click()
  await page.getByRole('menuitem', { name: 'Save the filters to this view' }).click()
  await expect(page).toHaveURL(/\/desk\/view-\d+$/)
  await expect(page.getByRole('button', { name: /^Low/ })).toBeVisible()

  await page.getByRole('button', { name: `Actions for “${own}”` }).click()
  await page.getByRole('menuitem', { name: /Rename/ }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.getByText('Share with everybody').click()
  await page.getByRole('button', { name: 'Save view' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)

  // Somebody else sees it, may not change it, and shares nothing without the right to see all.
  const other = await pageOf(await desk.supporter(['tickets.reply']))
  await other.goto(new URL(page.url()).pathname)
  await expect(other.getByRole('heading', { level: 1 })).toHaveText(name)
  await expect(other.getByRole('button', { name: `Actions for “${name}”` })).toHaveCount(0)
  await other.getByRole('button', { name: 'Save this view' }).click()
  await expect(other.getByText('Share with everybody')).toHaveCount(0)

  await page.getByRole('button', { name: `Actions for “${name}”` }).click()
  await page.getByRole('menuitem', { name: /Delete/ }).click()
  await page.getByRole('button', { name: 'Delete view' }).click()
  await expect(page).toHaveURL(/\/desk\/all$/)
  await expect(saved.getByRole('link', { name })).toHaveCount(0)
})

test('views can be reordered within their group, and keep their order', async ({ desk, pageOf }) => {
  const member = await desk.supporter(['tickets.view_all'])
  const ids: number[] = []
  for (const name of ['First', 'Second', 'Third']) {
    const body = { name, query: { priority: ['High' as const] }, is_shared: 0 as const }
    ids.push((await desk.post('/api/admin/views/create', body, member)).view.id)
  }
  const page = await pageOf(member)
  const links = page.getByRole('region', { name: 'Saved views' }).getByRole('link')
  const actions = page.getByRole('button', { name: 'Actions for “Second”' })
  await page.goto(`/desk/view-${ids[1]}`)
  await expect(links).toHaveText([/^First/, /^Second/, /^Third/])

  await actions.click()
  await page.getByRole('menuitem', { name: 'Move down' }).click()
  await expect(links).toHaveText([/^First/, /^Third/, /^Second/])
  // The last of them goes no further down.
  await actions.click()
  await expect(page.getByRole('menuitem', { name: 'Move down' })).toHaveCount(0)
  await page.getByRole('menuitem', { name: 'Move up' }).click()
  await expect(links).toHaveText([/^First/, /^Second/, /^Third/])
  await actions.click()
  await page.getByRole('menuitem', { name: 'Move up' }).click()
  await expect(links).toHaveText([/^Second/, /^First/, /^Third/])
  await page.reload()
  await expect(links).toHaveText([/^Second/, /^First/, /^Third/])
})
