import { expectSubjects, listIn, queueOf } from '../support/queue.ts'
import { expect, test } from '../support/test.ts'

test('a row shows the client, subject and state and is a real link, and the address restores the whole list', async ({
  desk,
  client,
  consolePage: page
}) => {
  const queue = await queueOf(desk, 'Rows')
  const file = new File(['volts'], 'volts.txt', { type: 'text/plain' })
  const [plain, urgent] = [
    await desk.ticket(client, { deptid: queue.deptid, subject: 'The fan is loud' }),
    await desk.ticket(client, {
      deptid: queue.deptid,
      subject: 'Smoke in the cellar',
      priority: 'Critical',
      files: [file]
    })
  ]
  await page.goto(queue.path)
  await expectSubjects(page, 'Smoke in the cellar', 'The fan is loud')
  await expect(page).toHaveTitle(`${queue.name} · Deskline`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(queue.name)

  const { row } = listIn(page)
  const smoke = row('Smoke in the cellar')
  await expect(smoke).toContainText(urgent.ticket_number)
  await expect(smoke).toContainText(`${client.first_name} ${client.last_name}`)
  await expect(smoke).toContainText('It hums no more.')
  await expect(smoke.getByRole('img', { name: 'Open' })).toBeVisible()
  await expect(smoke.getByRole('img', { name: 'Critical priority' })).toBeVisible()
  await expect(smoke.getByRole('img', { name: 'Nobody assigned' })).toBeVisible()
  await expect(smoke).toContainText('1 file')
  await expect(smoke.locator('b')).toHaveCSS('font-weight', '500')
  await expect(smoke.locator('time')).toHaveAttribute('datetime', /Z$/)
  await expect(smoke.locator('time')).toHaveAttribute('title', /CET|CEST|GMT/)
  await expect(smoke).toHaveAttribute('href', `/desk/department-${queue.deptid}/${urgent.ticket_number}`)

  // Clicks that mean another tab are left to the browser, where the address shows the same.
  const areKept = await smoke.evaluate(link =>
    [
      { kind: 'auxclick', button: 1 },
      { kind: 'click', ctrlKey: true }
    ].map(({ kind, ...how }) => {
      let isKept: boolean | undefined
      const listened = (event: Event) => {
        isKept = event.defaultPrevented
        event.preventDefault()
      }
      addEventListener(kind, listened, { once: true })
      link.dispatchEvent(new MouseEvent(kind, { bubbles: true, cancelable: true, ...how }))
      return isKept
    })
  )
  expect(areKept).toEqual([false, false])
  const tab = await page.context().newPage()
  await tab.goto((await smoke.getAttribute('href'))!)
  await expect(tab.getByRole('heading', { level: 1 })).toContainText('Smoke in the cellar')
  await tab.close()

  // Narrowed and opened; the same address shows the same again, and back leads back.
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('button', { name: 'Priority', exact: true }).click()
  await page.getByRole('option', { name: 'Critical' }).click()
  await page.keyboard.press('Escape')
  await expectSubjects(page, 'Smoke in the cellar')
  await expect(page).toHaveURL(/\?priority=critical$/)
  await smoke.click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Smoke in the cellar')
  await expect(smoke).toHaveAttribute('aria-current', 'page')
  const number = smoke.getByText(urgent.ticket_number)
  expect(await number.evaluate(element => element.scrollWidth <= element.clientWidth + 1)).toBe(true)
  await page.reload()
  await expectSubjects(page, 'Smoke in the cellar')
  await expect(smoke).toHaveAttribute('aria-current', 'page')
  await page.goBack()
  await expect(smoke).toBeFocused()
  await page.goBack()
  await expectSubjects(page, 'Smoke in the cellar', 'The fan is loud')
  await expect(row('The fan is loud')).toContainText(plain.ticket_number)
})

test('the list works by keyboard alone, and no shortcut fires while somebody types', async ({
  desk,
  client,
  consolePage: page
}) => {
  const queue = await queueOf(desk, 'Keys')
  await queue.tickets(client, 'Three', 'Two', 'One')
  await page.goto(queue.path)
  await expectSubjects(page, 'One', 'Two', 'Three')
  const { row, rows } = listIn(page)
  const bar = page.getByRole('toolbar', { name: 'Selected tickets' })

  await page.keyboard.press('j')
  await expect(row('One')).toBeFocused()
  await page.keyboard.press('x')
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('Shift+X')
  await expect(bar).toContainText('3 selected')
  await page.keyboard.press('Escape')
  await expect(bar).toHaveCount(0)

  await page.keyboard.press('k')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Two')
  // Beside an open ticket they open the next one.
  await page.keyboard.press('j')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Three')
  await page.keyboard.press('v')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(queue.name)
  await expect(row('Three')).toBeFocused()
  // Esc leaves the text first, then the ticket.
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Three')
  await page.keyboard.press('r')
  await expect(page.getByRole('textbox', { name: 'Reply', exact: true })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Three')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(queue.name)
  await expect(row('Three')).toBeFocused()

  await page.keyboard.press('i')
  await expect(row('Three').getByRole('img', { name: /Admin/ })).toBeVisible()
  await expect(row('Three').getByRole('img', { name: 'In progress' })).toBeVisible()

  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  const search = page.getByRole('searchbox', { name: 'Search in this list' })
  await search.pressSequentially('jxv one')
  await expect(search).toHaveValue('jxv one')
  await search.fill('One')
  await expectSubjects(page, 'One')
  await expect(page).toHaveURL(/q=One/)
  await expect(rows).toHaveCount(1)
})

test('an empty view says so and links to another one; a missing view and a failed list show the reason', async ({
  desk,
  client,
  consolePage: page
}) => {
  const queue = await queueOf(desk, 'Empty')
  await desk.ticket(client)
  await page.goto(queue.path)
  await expect(page.getByText('Nothing waits for you')).toBeVisible()
  await page.getByRole('button', { name: /^Open (Mine|Customer replied|Unassigned|All open)/ }).click()
  await expect(page).not.toHaveURL(new RegExp(queue.path))

  await page.goto(`${queue.path}?priority=low`)
  await expect(page.getByText('No tickets match these filters')).toBeVisible()
  await page.getByRole('button', { name: 'Clear the filters' }).click()
  await expect(page).toHaveURL(new RegExp(`${queue.path}$`))

  await page.goto('/desk/view-999999')
  await expect(page.getByRole('heading', { level: 1, name: 'There is no such view' })).toBeAttached()

  await page.route('**/api/admin/tickets/list', route =>
    route.fulfill({ status: 500, json: { status: 'error', code: 500, message: 'No', reason: 'internal_error' } })
  )
  await page.goto('/desk/closed')
  await expect(page.getByText('The tickets could not be loaded')).toBeVisible()
  const again = page.getByRole('button', { name: 'Try again' })
  await again.click()
  await expect(page.getByText('The tickets could not be loaded')).toBeVisible()
  await page.unroute('**/api/admin/tickets/list')
  // The live updates may load it first.
  await expect(async () => {
    if (await again.isVisible()) await again.click({ timeout: 1_000 })
    await expect(page.getByText('The tickets could not be loaded')).toHaveCount(0, { timeout: 1_000 })
  }).toPass()
})

test('"+" beside the saved views keeps the list that is shown, and is not there beside a page without a list', async ({
  desk,
  client,
  member,
  consolePage: page
}) => {
  await desk.ticket(client)
  const name = `High ${client.id}`
  await page.goto('/desk/all?priority=high')
  const navigation = page.getByRole('navigation').first()
  await navigation.getByRole('button', { name: 'Save this view' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').first().fill(name)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(navigation.getByRole('link', { name })).toBeVisible()

  await page.goto('/desk/settings')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save this view' })).toHaveCount(0)

  const { views } = await desk.post('/api/admin/views/list', {}, member)
  const made = views.find(view => view.name === name)
  expect(made?.query).toMatchObject({ priority: ['High'] })
  await desk.post('/api/admin/views/delete', { id: made!.id }, member)
})

test('on phones the list is one pane, its title opens the views, and nothing scrolls sideways', async ({
  desk,
  client,
  pageOf
}) => {
  const queue = await queueOf(desk, 'Phone')
  await queue.tickets(client, 'A subject that is far too long for a telephone and goes on and on')
  const page = await pageOf(desk.admin, { viewport: { width: 320, height: 720 }, hasTouch: true, isMobile: true })
  await page.goto(queue.path)
  const { rows } = listIn(page)
  await expect(rows).toHaveCount(1)
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBeLessThanOrEqual(320)
  const sizes = await page
    .locator('main button:visible, main a:visible')
    .evaluateAll(all =>
      all.map(element => ({ what: element.outerHTML.slice(0, 80), box: element.getBoundingClientRect() }))
    )
  for (const { what, box } of sizes) expect(Math.min(box.width, box.height), what).toBeGreaterThanOrEqual(43)

  await page.getByRole('button', { name: queue.name }).tap()
  await page.getByRole('dialog').getByRole('link', { name: 'Unassigned' }).tap()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Unassigned')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await page.goto(queue.path)
  await rows.first().tap()
  await expect(rows.first()).toBeHidden()
  await page.goBack()
  await expect(rows.first()).toBeVisible()
})
