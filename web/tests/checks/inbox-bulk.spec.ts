import { expectSubjects, listIn, queueOf } from '../support/queue.ts'
import { expect, test } from '../support/test.ts'

test('a bulk change can be undone, and tickets that somebody else has changed meanwhile are left unchanged and shown', async ({
  desk,
  client,
  consolePage: page,
  pageOf
}) => {
  const queue = await queueOf(desk, 'Bulk')
  const opened = await queue.tickets(client, 'Four', 'Three', 'Two', 'One')
  await page.goto(queue.path)
  await expectSubjects(page, 'One', 'Two', 'Three', 'Four')
  const { row } = listIn(page)
  const bar = page.getByRole('toolbar', { name: 'Selected tickets' })
  const toast = page.getByRole('status').filter({ hasText: 'ticket' })

  await page.getByRole('checkbox', { name: `Select ${opened[3]!.ticket_number}` }).click()
  await row('Three').click({ modifiers: ['Shift'] })
  await expect(bar).toContainText('3 selected')
  const [last, under] = await Promise.all([listIn(page).rows.last().boundingBox(), bar.boundingBox()])
  expect(last!.y + last!.height).toBeLessThanOrEqual(under!.y)

  // Esc closes what lies on top, not the selection under it.
  await page.keyboard.press('p')
  await page.getByRole('option', { name: 'High' }).waitFor()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('option', { name: 'High' })).toBeHidden()
  await expect(bar).toContainText('3 selected')
  await page.keyboard.press('p')
  await page.getByRole('option', { name: 'High' }).click()
  await expect(toast).toContainText('3 tickets set to priority High.')
  await expect(row('Two').getByRole('img', { name: 'High priority' })).toBeVisible()
  await expect(bar).toHaveCount(0)
  await toast.getByRole('button', { name: 'Undo' }).click()
  await expect(row('Two').getByRole('img', { name: 'Medium priority' })).toBeVisible()
  await expect
    .poll(
      async () =>
        (await desk.post('/api/admin/tickets/detail', { id: opened[2]!.ticket_id }, desk.admin)).ticket.priority
    )
    .toBe('Medium')

  // Jonas is first with one of them, and the page does not hear of it before it sends.
  const jonas = await desk.supporter(['tickets.view_all', 'tickets.edit_status'], {
    first_name: 'Jonas',
    last_name: 'Petersen'
  })
  const still = await pageOf(desk.admin)
  await still.route('**/api/admin/events/stream', route => route.abort())
  await still.goto(queue.path)
  await listIn(still).row('One').waitFor()
  await desk.post('/api/admin/tickets/update', { id: opened[3]!.ticket_id, priority: 'Low' }, jonas)
  await still.getByRole('checkbox', { name: 'Select all tickets shown' }).click()
  await still.getByRole('toolbar').getByRole('button', { name: 'Status' }).click()
  await still.getByRole('option', { name: 'Closed' }).click()
  await expect(still.getByText(/3 tickets set to Closed\. 1 was changed/)).toBeVisible()
  await still.getByRole('button', { name: 'Show it' }).click()
  await expect(still.getByRole('toolbar')).toContainText('1 selected')
  await expect(listIn(still).row('One').getByRole('img', { name: 'Open' })).toBeVisible()

  // On the page that hears of it the others leave, once nobody points there or has the focus.
  await page.getByRole('button', { name: 'Search or jump' }).focus()
  await page.getByRole('navigation').hover()
  await expectSubjects(page, 'One')
})

test('more than a hundred tickets are changed a hundred at a time, and a page of the list that failed can be retried', async ({
  desk,
  client,
  consolePage: page
}) => {
  const queue = await queueOf(desk, 'Hundreds')
  const numbers = Array.from({ length: 104 }, (_, at) => `Meter ${at}`)
  for (let at = 0; at < numbers.length; at += 8)
    await Promise.all(numbers.slice(at, at + 8).map(subject => queue.tickets(client, subject)))

  let isBroken = true
  await page.route('**/api/admin/tickets/list', (route, request) =>
    isBroken && request.postDataJSON().cursor ? route.fulfill({ status: 500, json: {} }) : route.fallback()
  )
  await page.goto(queue.path)
  await expect(page.getByRole('status').filter({ hasText: 'Something went wrong in the service.' })).toBeVisible()
  await expect(listIn(page).row('Meter').first()).toBeVisible()
  isBroken = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.locator('li[aria-setsize="104"]').first()).toBeVisible()

  const sent: number[] = []
  page.on('request', request => {
    if (request.url().endsWith('/api/admin/tickets/bulk')) sent.push(request.postDataJSON().ids.length)
  })
  await page.getByRole('checkbox', { name: 'Select all tickets shown' }).click()
  const bar = page.getByRole('toolbar', { name: 'Selected tickets' })
  await expect(bar).toContainText('104 selected')
  await bar.getByRole('button', { name: 'Priority' }).click()
  await page.getByRole('option', { name: 'High' }).click()
  await expect(page.getByText('104 tickets set to priority High.')).toBeVisible()
  expect(sent).toEqual([100, 4])
  const ofHigh = { department_id: queue.deptid, priority: ['High' as const], limit: 1 }
  expect((await desk.post('/api/admin/tickets/list', ofHigh, desk.admin)).total).toBe(104)
})

test('moving tickets to the trash asks once, and can be undone', async ({ desk, client, consolePage: page }) => {
  const queue = await queueOf(desk, 'Trash')
  await queue.tickets(client, 'Rubbish')
  await page.goto(queue.path)
  await page.getByRole('checkbox', { name: /Select TIC/ }).click()
  await page.getByRole('toolbar').getByRole('button', { name: 'Trash' }).click()
  await expect(page.getByRole('dialog')).toContainText('Clients and lists no longer show them')
  await page.getByRole('button', { name: 'Move to trash' }).click()
  await expect(page.getByText('1 ticket is in the trash.')).toBeVisible()
  await expect(page.getByText('Nothing waits for you')).toBeVisible()
  await page.keyboard.press('z')
  await expectSubjects(page, 'Rubbish')
})

test.describe('with only the permission to view', () => {
  test.use({ grants: ['tickets.view_all'] })

  test('tickets can be neither selected nor opened nor taken', async ({ desk, client, consolePage: page }) => {
    const queue = await queueOf(desk, 'Readers')
    await queue.tickets(client, 'To be read')
    await page.goto(queue.path)
    await expectSubjects(page, 'To be read')
    await expect(page.getByRole('checkbox')).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'New ticket' })).toHaveCount(0)
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.keyboard.press('i')
    await expect(page.getByRole('toolbar', { name: 'Selected tickets' })).toHaveCount(0)
    await expect(page.getByRole('img', { name: 'Nobody assigned' })).toBeVisible()
  })
})

test.describe('with only the permission to reply', () => {
  test.use({ grants: ['tickets.view_all', 'tickets.reply'] })

  test('one key takes an unassigned ticket', async ({ desk, client, consolePage: page, member }) => {
    const queue = await queueOf(desk, 'Takers')
    await queue.tickets(client, 'To be taken')
    await page.goto('/desk/unassigned')
    const row = listIn(page).row('To be taken')
    await expect(row).toBeVisible()
    await expect(page.getByRole('checkbox')).toHaveCount(0)
    await row.focus()
    await page.keyboard.press('i')
    await expect(page.getByText(`1 ticket assigned to ${member.first_name} ${member.last_name}.`)).toBeVisible()
    await page.goto('/desk/mine')
    await expect(listIn(page).row('To be taken')).toBeVisible()
  })
})
