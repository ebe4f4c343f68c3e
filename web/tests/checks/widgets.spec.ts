import { listIn, queueOf } from '../support/queue.ts'
import { expect, test } from '../support/test.ts'

test('a menu works with arrows, Home, End and letters, and restores the focus', async ({ consolePage: page }) => {
  await page.goto('/desk/account')
  const button = page.getByRole('button', { name: /account and appearance/ })
  await button.focus()
  await page.keyboard.press('ArrowDown')
  const item = (name: string) =>
    page.getByRole(/^(English|Dark|Light)/.test(name) ? 'menuitemcheckbox' : 'menuitem', { name })
  await expect(button).toHaveAttribute('aria-expanded', 'true')
  await expect(item('Your account')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(item('Your settings')).toBeFocused()
  await page.keyboard.press('End')
  await expect(item('Sign out')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(item('Your account')).toBeFocused()
  await page.keyboard.press('d')
  await expect(item('Dark')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toBeHidden()
  await expect(button).toBeFocused()

  await page.keyboard.press('Enter')
  await page.keyboard.press('d')
  await page.keyboard.press('Enter')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(page.locator('html')).toHaveCSS('color-scheme', 'dark')
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
})

test('a segmented control is a group of radios: one stop of Tab, arrows choose', async ({ consolePage: page }) => {
  await page.goto('/desk/account')
  const choice = page.getByRole('group', { name: 'Appearance' })
  await choice.getByRole('radio', { name: 'As the system' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(choice.getByRole('radio', { name: 'Light' })).toBeChecked()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
  await page.keyboard.press('ArrowLeft')
  await expect(page.locator('html')).not.toHaveAttribute('data-theme')
  await page.keyboard.press('Tab')
  await expect(choice.getByRole('radio', { name: 'As the system' })).not.toBeFocused()
})

test('a picker is searched by typing, without accents, and announces the active item', async ({
  desk,
  client,
  consolePage: page
}) => {
  const ozdemir = await desk.supporter(['tickets.view_all', 'tickets.reply'], { last_name: 'Özdemir' })
  const { ticket_number } = await desk.ticket(client)
  await page.goto(`/desk/all/${ticket_number}`)
  await expect(page.getByRole('heading', { name: 'Inverter is silent' }).first()).toBeVisible()
  await page.keyboard.press('a')
  const search = page.getByRole('combobox', { name: /assign/i })
  await expect(search).toBeFocused()
  await search.fill('nobody at all is called so')
  await expect(page.getByText('Nobody with that name').first()).toBeVisible()
  await search.fill('ozdem')
  const option = page.getByRole('option', { name: /Özdemir/ }).first()
  await expect(option).toBeVisible()
  await expect(search).toHaveAttribute('aria-activedescendant', (await option.getAttribute('id'))!)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('combobox')).toBeHidden()
  const shown = page.getByRole('button', { name: new RegExp(ozdemir.last_name) }).first()
  await expect(shown).toBeVisible()
})

test('a dialog takes and keeps the focus, closes by Escape and restores the focus', async ({ consolePage: page }) => {
  await page.goto('/desk/all')
  const opener = page.getByRole('button', { name: 'New ticket' }).first()
  await opener.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  for (let i = 0; i < 30; i++) await page.keyboard.press('Tab')
  expect(
    await page.evaluate(
      () => document.activeElement === document.body || Boolean(document.activeElement?.closest('dialog'))
    )
  ).toBe(true)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(opener).toBeFocused()
})

test('the first Tab leads past the navigation; a new page gives its heading the focus and the window its title', async ({
  consolePage: page
}) => {
  await page.goto('/desk/clients')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('Tab')
  const skip = page.getByRole('link', { name: 'Skip to content' })
  await expect(skip).toBeFocused()
  await expect(skip).toBeInViewport()
  await page.keyboard.press('Enter')
  await expect(page.locator('main')).toBeFocused()

  await page.getByRole('link', { name: 'Macros' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await expect(page).toHaveTitle(/^Macros · Deskline$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
})

test('the heading of a page that loads late still takes the focus', async ({ desk, client, consolePage: page }) => {
  const ticket = await desk.ticket(client, { subject: 'Comes late' })
  let arrive = () => {}
  const isWaited = new Promise<void>(resolve => {
    arrive = resolve
  })
  await page.route('**/api/admin/tickets/detail', async route => {
    await isWaited
    await route.continue()
  })
  await page.clock.install()
  await page.goto('/desk/search')
  await page.getByRole('searchbox').fill(ticket.ticket_number)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(ticket.ticket_number))
  await page.clock.runFor(10_000)
  arrive()
  await expect(page.getByRole('heading', { level: 1, name: 'Comes late' })).toBeFocused()
})

test('the button that saves a view is there only if the page shows a list', async ({ consolePage: page }) => {
  const add = page.getByRole('button', { name: 'Save this view' })
  await page.goto('/desk/all')
  await expect(add).toBeVisible()
  for (const path of ['/desk/clients', '/desk/account', '/desk/search']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: 'Saved views' })).toBeVisible()
    await expect(add).toHaveCount(0)
  }
})

test('the tooltip of an icon shows its name and key, and Escape hides it', async ({ consolePage: page }) => {
  await page.goto('/desk/account')
  const tip = page.getByRole('tooltip')
  // Tooltips are loaded after the page.
  await expect(async () => {
    await page.mouse.move(0, 0)
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).hover()
    await expect(tip).toHaveText(/Keyboard shortcuts\s*\?/, { timeout: 1_000 })
  }).toPass()
  await page.keyboard.press('Escape')
  await expect(tip).toBeHidden()
})

test('a toast stays for eight seconds, and as long as the pointer or the focus is in it', async ({
  desk,
  client,
  consolePage: page
}) => {
  const queue = await queueOf(desk, 'Toasts')
  await queue.tickets(client, 'Three', 'Two', 'One')
  await page.clock.install()
  await page.goto(queue.path)
  const { row } = listIn(page)
  const toast = page.getByRole('status').filter({ hasText: 'assigned to' })
  await expect(row('Three')).toBeVisible()
  // From now on time passes when the test says so.
  await page.clock.pauseAt(Date.now() + 60_000)
  const take = async (subject: string) => {
    await row(subject).focus()
    await page.keyboard.press('i')
    await expect(toast).toBeVisible()
  }

  await take('One')
  await page.clock.runFor(7900)
  await expect(toast).toBeVisible()
  await page.clock.runFor(200)
  await expect(toast).toBeHidden()

  await take('Two')
  await toast.getByText('assigned to').hover()
  await page.clock.runFor(20_000)
  await expect(toast).toBeVisible()
  await page.getByRole('heading', { level: 1 }).hover()
  await page.clock.runFor(8100)
  await expect(toast).toBeHidden()

  await take('Three')
  await toast.getByRole('button', { name: 'Undo' }).focus()
  await page.clock.runFor(20_000)
  await expect(toast).toBeVisible()
  await row('Three').focus()
  await page.clock.runFor(8100)
  await expect(toast).toBeHidden()
})
