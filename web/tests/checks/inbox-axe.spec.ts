import { expectAccessible, windows } from '../support/axe.ts'
import { listIn, queueOf } from '../support/queue.ts'
import { test } from '../support/test.ts'

for (const [name, viewport] of Object.entries(windows)) {
  test(`axe finds no fault in the list of tickets, ${name}`, async ({ desk, client, pageOf }) => {
    const queue = await queueOf(desk, 'Axe')
    await queue.tickets(client, 'One', 'Two', 'Three')
    const page = await pageOf(desk.admin, { viewport })
    await page.goto(queue.path)
    await listIn(page).rows.first().waitFor()
    await expectAccessible(page, 'list')

    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('button', { name: 'Priority', exact: true }).click()
    await page.getByRole('option', { name: 'Low' }).waitFor()
    await expectAccessible(page, 'filters')
    await page.keyboard.press('Escape')

    await listIn(page).rows.first().focus()
    await page.keyboard.press('x')
    await page.getByRole('toolbar').getByRole('button', { name: 'Assign' }).click()
    await page.getByRole('option', { name: 'Nobody' }).waitFor()
    await expectAccessible(page, 'selected')
    await page.keyboard.press('Escape')
    await page.getByRole('toolbar').getByRole('button', { name: 'Trash' }).click()
    await page.getByRole('dialog').waitFor()
    await expectAccessible(page, 'asked')

    await page.goto(`${queue.path}?priority=low`)
    await page.getByText('No tickets match these filters').waitFor()
    await expectAccessible(page, 'empty')
    await page.goto('/desk/view-999999')
    await page.getByText('There is no such view').first().waitFor()
    await expectAccessible(page, 'missing')
  })
}
