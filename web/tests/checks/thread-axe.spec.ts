import { expectAccessible, windows } from '../support/axe.ts'
import { type Desk, expect, type Person, test } from '../support/test.ts'
import { typeText } from '../support/type-text.ts'

// The navigation and the tooltips are those of every page, and are looked at there.
const elsewhere = ['nav', '.tooltip']

for (const [name, viewport] of Object.entries({ ...windows, narrow: { width: 1100, height: 800 } })) {
  test(`axe finds no fault on a ticket, ${name}`, async ({ desk, client, pageOf }) => {
    const page = await pageOf(desk.admin, { viewport })
    const ticket = await aTicket(desk, client)
    await page.goto(`/desk/all/${ticket.ticket_number}`)
    await expect(page.getByRole('article').last()).toBeVisible()
    await expectAccessible(page, 'thread', elsewhere)

    const isPhone = name === 'phone'
    if (isPhone) await page.getByRole('button', { name: 'Reply to Katharina' }).click()
    const reply = page.getByRole('textbox', { name: 'Reply', exact: true })
    await desk.post('/api/admin/canned-replies/create', { title: 'Hello', text: 'Hello', is_shared: 1 }, desk.admin)
    await typeText(reply, 'Dear /')
    await expect(page.getByRole('listbox', { name: 'Macros' })).toBeVisible()
    await expectAccessible(page, 'canned replies', elsewhere)
    await page.keyboard.press('Backspace')
    await desk.post('/api/tickets/reply', { id: ticket.ticket_id, message: 'Wait.' }, client)
    await page.keyboard.press('Control+Enter')
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await expectAccessible(page, 'stopped', elsewhere)
    await page.getByRole('button', { name: 'Change my reply' }).click()
    await page.getByRole('radio', { name: 'Note' }).check({ force: true })
    await expectAccessible(page, 'note', elsewhere)
    await page.getByRole('radio', { name: 'Reply' }).check({ force: true })
    await page.getByRole('button', { name: 'Other ways to send' }).click()
    await expectAccessible(page, 'send menu', elsewhere)
    await page.keyboard.press('Escape')
    if (isPhone) await page.getByRole('button', { name: 'Close and keep the text' }).click()
    if (name !== 'desktop') {
      await page.getByRole('button', { name: 'Details', exact: true }).click()
      await expectAccessible(page, 'details', elsewhere)
      await page.keyboard.press('Escape')
    }
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: /^Merge/ }).click()
    await expectAccessible(page, 'merge', elsewhere)
  })
}

test('a ticket fits 320 px and 400 % without horizontal scrolling, also in a longer language and from right to left', async ({
  desk,
  client,
  pageOf
}) => {
  const ticket = await aTicket(desk, client)
  for (const language of ['de', 'en-XA', 'en-XB']) {
    for (const viewport of [
      { width: 320, height: 640 },
      { width: 1440, height: 900 }
    ]) {
      const page = await pageOf(desk.admin, { viewport })
      await page.addInitScript(language => localStorage.setItem('deskline:language', language), language)
      await page.goto(`/desk/all/${ticket.ticket_number}`)
      await expect(page.getByRole('article').last()).toBeVisible()
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(overflow, `${language} at ${viewport.width}`).toBeLessThanOrEqual(0)
      const clipped = await page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('main button')]
          .filter(button => button.checkVisibility() && button.scrollWidth > button.clientWidth + 1)
          .filter(button => getComputedStyle(button).textOverflow !== 'ellipsis')
          .map(button => button.textContent || button.ariaLabel)
      )
      expect(clipped, `${language} at ${viewport.width}`).toEqual([])
      await page.close()
    }
  }
})

async function aTicket(desk: Desk, client: Person) {
  const ticket = await desk.ticket(client, {
    subject: 'Inverter shows error E-042 after firmware 8.1',
    files: [new File(['smoke'], 'inverter-log.csv', { type: 'text/csv' })]
  })
  const id = ticket.ticket_id
  await desk.post('/api/admin/tickets/reply', { id, message: 'Please switch it off.' }, desk.admin)
  await desk.post('/api/admin/tickets/note', { id, note: 'Third one, @admin.admin' }, desk.admin)
  await desk.post('/api/admin/tickets/status', { id, status: 'In Progress' }, desk.admin)
  return ticket
}
