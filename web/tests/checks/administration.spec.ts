import { expect, test } from '../support/test.ts'

test('the pages of the administration are found by their words in both languages, settings by their hint, and Esc clears and leaves', async ({
  consolePage: page
}) => {
  await page.goto('/desk/admin')
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible()
  const search = page.getByRole('combobox', { name: 'Search settings' })
  await page.keyboard.press('/')
  await expect(search).toBeFocused()
  const hits = page.getByRole('listbox', { name: 'Found' }).getByRole('option')

  for (const word of ['trash', 'Papierkorb']) {
    await search.fill(word)
    await expect(hits.first()).toHaveText(/^Trash/)
  }
  await search.fill('nothing at all is called so')
  await expect(page.getByText('Nothing is called that.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(search).toHaveValue('')
  await expect(page.getByRole('link', { name: 'Webhooks' })).toBeVisible()

  // A setting takes the focus in its row, which is marked for a moment.
  await search.pressSequentially('can do nothing else')
  await expect(hits).toHaveText(['Staff must use two-factorSign-in'])
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/desk\/settings\/sign-in\?setting=staffTwoFactor$/)
  await expect(page.getByRole('switch', { name: /Staff must use two-factor/ })).toBeFocused()
  await expect(page.locator('[data-wanted]')).toHaveCount(1)
  await expect(page.locator('[data-wanted]')).toHaveCount(0)

  await search.focus()
  await page.keyboard.press('Escape')
  await expect(search).not.toBeFocused()
})

test('the search finds what people have named themselves, and the palette finds the same', async ({
  desk,
  consolePage: page
}) => {
  const { tag } = await desk.post('/api/admin/tags/create', { name: `Zebra ${Date.now()}` }, desk.admin)
  await page.goto('/desk/staff')
  await page.getByRole('combobox', { name: 'Search settings' }).fill('zebra')
  const hit = page.getByRole('option', { name: tag.name })
  await expect(hit.locator('mark')).toHaveText('Zebra')
  await hit.click()
  await expect(page).toHaveURL(/\/desk\/tags$/)

  await page.goto('/desk/all')
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search or jump' }).fill('accent colour')
  await page.getByRole('option', { name: /Accent colour.*Portal/ }).click()
  await expect(page.getByLabel('Choose the accent colour')).toBeFocused()
})

test('what needs attention shows in the overview with one button, and as a glyph with words in the list', async ({
  consolePage: page
}) => {
  await page.route('**/api/admin/mail/mailboxes/list', async route => {
    const response = await route.fetch()
    const body = await response.json()
    const mailbox = {
      source: 'operator',
      name: 'help',
      user: 'help@desk.example',
      host: 'mail.example',
      port: 993,
      folder: 'INBOX'
    }
    const state = { state: 'failing', last_mail_at: null, unread_mails: 0, last_error: 'It is gone' }
    const error = { last_error_code: null, last_error_said: null, last_error_at: null }
    body.data.mailboxes = [{ ...mailbox, ...state, ...error }]
    await route.fulfill({ json: body })
  })
  await page.goto('/desk/admin')
  const card = page.getByRole('region', { name: 'Needs attention' })
  await expect(card.getByText('The mailbox help@desk.example cannot be read')).toBeVisible()
  await expect(page.getByRole('link', { name: 'E-mail 1 needs attention' })).toBeVisible()
  await card.getByRole('link', { name: 'Open mailboxes' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'E-mail' })).toBeVisible()

  await page.unroute('**/api/admin/mail/mailboxes/list')
  await page.getByRole('link', { name: 'Overview' }).click()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible()
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  await expect(card).toHaveCount(0)
})

test('addresses of former pages lead to their new places', async ({ desk, pageOf, consolePage: page }) => {
  const member = await pageOf(await desk.supporter(['tickets.reply']))
  for (const [former, place] of [
    ['start', 'admin'],
    ['settings', 'settings/general'],
    ['settings/you', 'account?part=browser'],
    ['settings/emails', 'account?part=emails']
  ]) {
    await page.goto(`/desk/${former}`)
    await expect(page).toHaveURL(`/desk/${place}`)
  }
  await member.goto('/desk/settings')
  await expect(member).toHaveURL('/desk/account')
})

test('on a phone the administration is a page of groups, to which every page leads back; between, the navigation is a rail', async ({
  desk,
  pageOf
}) => {
  const phone = await pageOf(desk.admin, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  await phone.goto('/desk/admin')
  await expect(phone.getByRole('heading', { level: 1, name: 'Administration' })).toBeVisible()
  const links = phone.getByRole('navigation', { name: 'Administration' }).getByRole('link')
  for (const link of await links.all()) expect((await link.boundingBox())!.height).toBeGreaterThanOrEqual(44)
  for (const name of await links.allTextContents()) {
    await links.getByText(name, { exact: true }).click()
    await expect(phone.getByRole('heading', { level: 1, name: 'Administration' })).toHaveCount(0)
    await phone.getByRole('link', { name: 'Administration', exact: true }).click()
    await expect(phone.getByRole('heading', { level: 1, name: 'Administration' })).toBeFocused()
  }

  const page = await pageOf(desk.admin, { viewport: { width: 1100, height: 700 } })
  await page.goto('/desk/all')
  const nav = page.getByRole('navigation', { name: 'Main' })
  await expect.poll(async () => (await nav.boundingBox())!.width).toBe(216)
  await nav.getByRole('link', { name: 'Administration' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeFocused()
  expect((await nav.boundingBox())!.width).toBe(56)
  // The list keeps its place while one goes from page to page, and the skip link leads past it.
  await page.getByRole('link', { name: 'Audit log', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Audit log' })).toBeFocused()
  await page.getByRole('link', { name: 'Skip to content' }).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Download CSV' })).toBeFocused()
})
