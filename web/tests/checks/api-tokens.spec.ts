import { expectAccessible } from '../support/axe.ts'
import { expect, test } from '../support/test.ts'

const shots = process.env.SHOTS

test('a token is made on the account page, shown once, and ended', async ({ desk, member, consolePage: page }) => {
  await page.goto('/desk/account/tokens')
  const part = page.getByRole('region', { name: 'API tokens' })
  await expect(part.getByText(/gets a service account instead/)).toBeVisible()
  await expect(part.getByRole('link', { name: 'Open API access' })).toHaveAttribute('href', '/desk/api-access')
  await part.getByRole('button', { name: 'Create a token' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Nightly export')
  await dialog.getByRole('radio', { name: 'Chosen rights' }).check()
  await dialog.getByRole('checkbox', { name: 'View all tickets' }).check()
  await dialog.getByRole('radio', { name: 'Chosen departments' }).check()
  await dialog.getByRole('checkbox', { name: 'Billing' }).check()
  await expect(
    dialog.getByText('Nightly export may do only this: View all tickets, in Billing Department, for 90 days.')
  ).toBeVisible()
  const addresses = dialog.getByRole('textbox', { name: /From these addresses/ })
  await addresses.fill('127.0.0.0/8, nonsense')
  await dialog.getByRole('button', { name: 'Create a token' }).click()
  await expect(dialog.getByText(/^Enter addresses such as/)).toBeVisible()
  await addresses.fill('127.0.0.0/8, ::1')
  await expect(dialog.getByText('for 90 days, from 127.0.0.0/8, ::1.')).toBeVisible()
  await expectAccessible(page, 'the dialog of a token', ['.tooltip'])
  if (shots) await page.screenshot({ path: `${shots}/token-new.png` })
  await dialog.getByRole('button', { name: 'Create a token' }).click()

  const once = part.getByRole('region', { name: 'New token' })
  const secret = await once.locator('code').innerText()
  expect(secret).toMatch(/^dl_\w{36}$/)
  await expectAccessible(page, 'a new token', ['nav', '.tooltip'])
  if (shots) await page.screenshot({ path: `${shots}/token-once.png` })
  const { profile } = await desk.post('/api/account/profile', {}, { token: secret })
  expect(profile).toMatchObject({ permissions: ['tickets.view_all'] })
  await page.getByRole('link', { name: 'Clients' }).first().click()
  const leaving = page.getByRole('dialog', { name: 'Leave without Nightly export?' })
  await leaving.getByRole('button', { name: 'Stay' }).click()
  await expect(once.locator('code')).toHaveText(secret)
  await once.getByRole('button', { name: 'I have kept it' }).click()
  await expect(once).toHaveCount(0)
  await page.reload()
  await expect(part.getByText('Nightly export')).toBeVisible()
  await expect(part.getByRole('listitem')).toContainText('from 127.0.0.0/8, ::1')
  await expect(page.getByText(secret)).toHaveCount(0)

  const act = async (name: string, item: string) => {
    await part
      .getByRole('button', { name: `Actions for ${name}` })
      .first()
      .click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await act('Nightly export', 'Rename')
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Export at night')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(part.getByText('Export at night')).toBeVisible()

  await act('Export at night', 'Replace')
  await expectAccessible(page, 'the dialog of a replacement', ['.tooltip'])
  if (shots) await page.screenshot({ path: `${shots}/token-replace.png` })
  await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click()
  const other = await once.locator('code').innerText()
  expect(other).not.toBe(secret)
  for (const token of [secret, other]) await desk.post('/api/account/profile', {}, { token })
  const rows = part.getByRole('listitem')
  await expect(rows).toHaveCount(2)
  await expect(rows.last()).toContainText('Replaced')
  if (shots) await page.screenshot({ path: `${shots}/token-replaced.png` })
  await once.getByRole('button', { name: 'I have kept it' }).click()

  for (const left of [1, 0]) {
    await act('Export at night', 'End')
    await page.getByRole('dialog').getByRole('button', { name: 'End' }).click()
    await expect(part.getByText('Export at night')).toHaveCount(left)
  }
  const { api_tokens } = await desk.post('/api/account/tokens/list', {}, member)
  expect(api_tokens).toEqual([])
})

test('a token that was replaced elsewhere meanwhile is not replaced again, which the page says in German', async ({
  desk,
  pageOf
}) => {
  const owner = await desk.supporter(['tickets.view_all'])
  const { api_token } = await desk.post('/api/account/tokens/create', { name: 'Export' }, owner)
  const page = await pageOf(owner, { locale: 'de-DE' })
  await page.goto('/desk/account/tokens')
  await page.getByRole('button', { name: 'Aktionen für Export' }).click()
  await page.getByRole('menuitem', { name: 'Ersetzen' }).click()
  await desk.post('/api/account/tokens/replace', { id: api_token.id }, owner)

  await page.getByRole('dialog').getByRole('button', { name: 'Ersetzen' }).click()

  await expect(page.getByText('Er wurde schon ersetzt. Laden Sie die Liste neu.')).toBeVisible()
})

test('a supporter limited to departments gives a token none but these', async ({ desk, pageOf }) => {
  const limited = await desk.supporter(['tickets.view_all'])
  const suffix = Math.random().toString(36).slice(2, 8)
  for (const name of [`Roofs ${suffix}`, `Cellars ${suffix}`]) {
    const { department } = await desk.post('/api/admin/departments/create', { name }, desk.admin)
    await desk.post('/api/admin/departments/members', { id: department.id, staff_ids: [limited.id] }, desk.admin)
  }
  const page = await pageOf(limited)
  await page.goto('/desk/account?part=tokens')
  await page.getByRole('button', { name: 'Create a token' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: 'Chosen departments' }).check()

  await expect(dialog.getByRole('checkbox')).toHaveCount(2)
  await expect(dialog.getByRole('checkbox', { name: `Roofs ${suffix}` })).toBeAttached()
})

test('an admin gives a program an account of its own, and a token', async ({ desk, consolePage: page }) => {
  await page.goto('/desk/api-access')
  await page.getByRole('button', { name: 'Add a service account' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Shop system')
  await dialog.getByRole('textbox', { name: 'What it is for' }).fill('Opens tickets for orders')
  await dialog.getByRole('checkbox', { name: 'View clients' }).check()
  await dialog.getByRole('button', { name: 'Add a service account' }).click()
  const row = page.getByRole('row', { name: /Shop system/ }).first()
  await row.getByRole('button', { name: 'Actions for Shop system' }).click()
  await page.getByRole('menuitem', { name: 'Create a token' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Orders')
  await page.getByRole('dialog').getByRole('button', { name: 'Create a token' }).click()

  const once = page.getByRole('region', { name: 'New token' })
  const secret = await once.locator('code').innerText()
  await desk.post('/api/admin/clients/list', {}, { token: secret })
  await expectAccessible(page, 'API access', ['nav', '.tooltip'])
  if (shots) await page.screenshot({ path: `${shots}/api-access.png`, fullPage: true })

  await once.getByRole('button', { name: 'I have kept it' }).click()
  await page.getByRole('link', { name: 'Shop system' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Shop system' })).toBeVisible()
  await page.getByRole('button', { name: 'Actions for Orders' }).click()
  await page.getByRole('menuitem', { name: 'Replace' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click()
  const other = await once.locator('code').innerText()
  for (const token of [secret, other]) await desk.post('/api/admin/clients/list', {}, { token })
})

test('the page of a service account shows its last calls, what was refused and which right was missing; Stop ends all', async ({
  desk,
  consolePage: page
}) => {
  const name = `Warehouse ${Math.random().toString(36).slice(2, 8)}`
  const { service_account } = await desk.post(
    '/api/admin/service-accounts/create',
    { name, purpose: 'Stock of spare parts', permissions: ['clients.view'] },
    desk.admin
  )
  const made = await desk.post(
    '/api/admin/service-accounts/tokens/create',
    { id: service_account.id, name: 'Server 1' },
    desk.admin
  )
  const call = (path: string) =>
    page.request.post(path, { headers: { authorization: `Bearer ${made.token}` }, data: {} })
  expect((await call('/api/admin/clients/list')).status()).toBe(200)
  expect((await call('/api/admin/staff/list')).status()).toBe(403)

  await page.goto(`/desk/api-access/${service_account.id}`)
  const calls = page.getByRole('region', { name: 'Last calls' })
  await expect(calls.getByText('2 today')).toBeVisible()
  await expect(calls.getByRole('listitem').first()).toContainText('/api/admin/staff/list')
  await expect(calls.getByRole('listitem').first()).toContainText('Refused: lacks “View staff” or “Manage staff”')
  await expect(page.getByText('Refused once this week, always for “View staff” or “Manage staff”.')).toBeVisible()
  await expectAccessible(page, 'a service account', ['nav', '.tooltip'])
  if (shots) await page.screenshot({ path: `${shots}/service-account.png`, fullPage: true })

  await page.getByRole('checkbox', { name: 'View staff' }).check()
  await expect(page.getByText('2 of 12 rights')).toBeVisible()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('button', { name: /^Sav/ })).toHaveCount(0)
  expect((await call('/api/admin/staff/list')).status()).toBe(200)

  await page.getByRole('combobox', { name: 'Search settings' }).fill(name)
  await expect(page.getByRole('option', { name: new RegExp(name) })).toBeVisible()
  await page.getByRole('combobox', { name: 'Search settings' }).fill('Server 1')
  await expect(page.getByRole('option', { name: /Server 1/ }).first()).toBeVisible()
  await page.getByRole('combobox', { name: 'Search settings' }).fill('')

  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click()
  await expect(page.getByText('It is stopped: its tokens have ended.')).toBeVisible()
  expect((await call('/api/admin/clients/list')).status()).toBe(401)
})

test('a token ends on a chosen day, and a right that one lacks is grey with the reason', async ({ desk, pageOf }) => {
  const supporter = await desk.supporter(['tickets.view_all'])
  const page = await pageOf(supporter)
  await page.goto('/desk/account?part=tokens')
  await expect(page.getByText('0 of 20.')).toBeVisible()
  await page.getByRole('button', { name: 'Create a token' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Until then')
  await dialog.getByRole('radio', { name: 'Chosen rights' }).check()
  const refused = dialog.getByRole('checkbox', { name: 'Delete tickets' })
  await expect(refused).toBeDisabled()
  await expect(refused).toHaveAccessibleDescription('You may not do this yourself')
  await dialog.getByRole('checkbox', { name: 'View all tickets' }).check()
  await dialog.getByRole('combobox', { name: 'Ends' }).selectOption('A date')
  await dialog.getByLabel('Last day').fill('2020-01-01')
  await dialog.getByRole('button', { name: 'Create a token' }).click()
  await expect(dialog.getByText('Choose a day to come, within the longest life.')).toBeVisible()
  const day = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10)
  await dialog.getByLabel('Last day').fill(day)
  await dialog.getByRole('button', { name: 'Create a token' }).click()
  await page.getByRole('button', { name: 'I have kept it' }).click()
  await expect(page.getByText('1 of 20.')).toBeVisible()
  const { api_tokens } = await desk.post('/api/account/tokens/list', {}, supporter)
  expect(Math.abs(Date.parse(api_tokens[0]!.expires_at!) - Date.parse(`${day}T23:59:59Z`))).toBeLessThan(15 * 3_600_000)
})

test('an admin limits the life of tokens, and turns those of staff off', async ({
  desk,
  pageOf,
  consolePage: page
}) => {
  const supporter = await desk.supporter(['tickets.view_all'])
  const own = await pageOf(supporter)
  const settings = async () => (await desk.post('/api/admin/settings/detail', {}, desk.admin)).settings
  try {
    await page.goto('/desk/api-access')
    await page.getByRole('combobox', { name: 'Longest life of a person’s token' }).selectOption('One year')
    await expect.poll(async () => (await settings()).token_longest_days).toBe(365)
    await own.goto('/desk/account/tokens')
    await own.getByRole('button', { name: 'Create a token' }).click()
    const ends = own.getByRole('dialog').getByRole('combobox', { name: 'Ends' })
    await expect(ends.getByRole('option')).toHaveText([
      /^After 30 days, /,
      /^After 90 days, /,
      /^After a year, /,
      'A date'
    ])
    await own.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Export')
    await ends.selectOption('365')
    await own.getByRole('dialog').getByRole('button', { name: 'Create a token' }).click()
    await own.getByRole('button', { name: 'I have kept it' }).click()

    const off = page.getByRole('switch', { name: 'Staff may make tokens for themselves' })
    await off.click()
    await expect.poll(async () => (await settings()).staff_tokens).toBe(0)
    if (shots) await page.screenshot({ path: `${shots}/token-settings.png`, fullPage: true })
    await own.reload()
    await expect(own.getByText('Staff may not make tokens for themselves here')).toBeVisible()
    await expect(own.getByRole('button', { name: 'Create a token' })).toHaveCount(0)
  } finally {
    await desk.post('/api/admin/settings/update', { staff_tokens: 1, token_longest_days: null }, desk.admin)
  }
})

test('what a token did is told in the language of the reader, in the time line and the audit log', async ({
  desk,
  client,
  pageOf
}) => {
  const { ticket_id: id, ticket_number } = await desk.ticket(client)
  const proof = { password: desk.admin.password, name: 'Nightly export' }
  const { token } = await desk.post('/api/account/tokens/create', proof, desk.admin)
  await desk.post('/api/admin/tickets/status', { id, status: 'Closed' }, { ...desk.admin, token })
  const page = await pageOf(desk.admin, { locale: 'de-DE' })

  await page.goto(`/desk/all/${ticket_number}`)
  await expect(page.getByText(/^Support Admin, durch Nightly export hat/).first()).toBeVisible()
  await page.goto(`/desk/audit?target=ticket&targetId=${id}`)
  await expect(page.getByRole('row').filter({ hasText: 'Support Admin, durch Nightly export hat' })).toHaveCount(1)
})

test('a client makes a token in the portal, uses it for what is theirs alone, and ends it', async ({
  desk,
  client,
  portalPage: page
}) => {
  const { ticket_id } = await desk.ticket(client)
  await desk.ticket(await desk.client())
  await page.goto('/account/security')
  const part = page.locator('section').filter({ has: page.getByRole('heading', { name: 'API tokens' }) })
  await expect(part.getByText('0 of 20.')).toBeVisible()
  await expect(part.getByText(/service account/)).toHaveCount(0)

  await part.getByRole('button', { name: 'Create a token' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('My export')
  await expect(dialog.getByRole('radio', { name: 'Chosen rights' })).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Create a token' }).click()
  const once = part.getByRole('region', { name: 'New token' })
  const token = await once.locator('code').innerText()
  await expectAccessible(page, 'a new token of a client')
  const { tickets } = await desk.post('/api/tickets/list', {}, { token })
  expect(tickets.map(({ id }) => id)).toEqual([ticket_id])
  await once.getByRole('button', { name: 'I have kept it' }).click()

  await part.getByRole('button', { name: 'Actions for My export' }).click()
  await page.getByRole('menuitem', { name: 'End' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End' }).click()
  await expect(part.getByText('0 of 20.')).toBeVisible()
  await expect(desk.post('/api/tickets/list', {}, { token })).rejects.toThrow()
})
