import type { Page } from '@playwright/test'
import { expect, test } from '../support/test.ts'
import { typeText } from '../support/type-text.ts'
import { expectWritten } from '../support/written-text.ts'

const replyField = (page: Page) => page.getByRole('textbox', { name: 'Reply', exact: true })
const details = (page: Page) => page.getByRole('complementary')

test('M3 what a macro changes is marked beside what stands now, and is taken out again; the palette offers it too', async ({
  desk,
  client,
  consolePage: page
}) => {
  const name = `Earth lost ${Date.now()}`
  const actions = [{ set_priority: 'High' as const }, { assign: 1 }]
  const reply_text = 'Dear {{client.first_name}}, the earth is lost.'
  await desk.post('/api/admin/macros/create', { name, actions, reply_text, is_shared: 1 }, desk.admin)
  const { ticket_number: number } = await desk.ticket(client)
  await page.goto(`/desk/all/${number}`)
  await typeText(replyField(page), `/${name.split(' ').at(-1)}`)
  await page.getByRole('option', { name }).click()

  const priority = details(page).getByRole('button', { name: /^Priority/ })
  const assignee = details(page).getByRole('button', { name: /^Assignee/ })
  await expect(priority).toHaveText(/High.*was Medium/)
  await expect(assignee).toHaveText(/was Nobody/)
  await expect(page.getByText('Marked rows change when you send.')).toBeVisible()
  await page.getByRole('button', { name: 'Take out' }).click()
  await expectWritten(replyField(page), '')
  await expect(priority).toHaveText(/Medium/)
  await expect(page.getByText('Marked rows change when you send.')).toBeHidden()

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search or jump' }).fill(name)
  await page.getByRole('option', { name: `${name} 2 changes` }).click()
  await expectWritten(replyField(page), 'Dear Katharina, the earth is lost.')
  await expect(priority).toHaveText(/High.*was Medium/)
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Marked rows change when you send.')).toBeHidden()
  await expect(priority).toHaveText(/High/)
  await expect(page.getByText(`by macro “${name}”`).first()).toBeVisible()
})

test('M5 a macro is applied to selected tickets, after telling what it does, and undone', async ({
  desk,
  client,
  consolePage: page
}) => {
  const name = `Raise ${Date.now()}`
  const actions = [{ set_priority: 'Critical' as const }]
  await desk.post('/api/admin/macros/create', { name, actions, is_shared: 1 }, desk.admin)
  const numbers = [(await desk.ticket(client)).ticket_number, (await desk.ticket(client)).ticket_number]
  const priorities = async () =>
    await Promise.all(
      numbers.map(async id => (await desk.post('/api/admin/tickets/detail', { id }, desk.admin)).ticket.priority)
    )
  await page.goto('/desk/all')
  for (const number of numbers) await page.getByRole('checkbox', { name: `Select ${number}` }).check()
  await expect(page.getByRole('button', { name: 'Apply macro' })).toBeEnabled()
  await page.keyboard.press('m')
  await page.getByRole('combobox', { name: 'Apply macro' }).fill(name)
  await page.getByRole('option', { name }).click()
  const question = page.getByRole('dialog', { name: `Apply “${name}” to 2 tickets?` })
  await expect(question).toContainText('set priority to Critical')
  await question.getByRole('button', { name: 'Apply' }).click()
  await expect(page.getByText(`“${name}” applied to 2 tickets.`)).toBeVisible()
  await expect.poll(priorities).toEqual(['Critical', 'Critical'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(priorities).toEqual(['Medium', 'Medium'])
})

test('M1 a macro that somebody may not use is shown locked, with the permissions that it needs', async ({
  desk,
  client,
  pageOf
}) => {
  const name = `Locked ${Date.now()}`
  const actions = [{ set_priority: 'High' as const }]
  await desk.post('/api/admin/macros/create', { name, actions, is_shared: 1 }, desk.admin)
  const { ticket_number: number } = await desk.ticket(client)
  const page = await pageOf(await desk.supporter(['tickets.view_all', 'tickets.reply']))
  await page.goto(`/desk/all/${number}`)
  await expect(replyField(page)).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search or jump' }).fill(name)
  const line = page.getByRole('option', { name: new RegExp(`${name}.*Needs tickets.edit_status`) })
  await expect(line).toHaveAttribute('aria-disabled', 'true')
})
