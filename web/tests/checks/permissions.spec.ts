import { expect, type Page } from '@playwright/test'
import { type Desk, type Person, test } from '../support/test.ts'

type Slug = NonNullable<Parameters<Desk['supporter']>[0]>[number]

/** The places in the navigation, and the pages of the administration, that somebody with one permission alone has. */
const places: Record<Slug, { nav: string[]; pages: string[] }> = {
  'clients.view': { nav: ['Clients'], pages: [] },
  'clients.create': { nav: [], pages: [] },
  'clients.edit': { nav: [], pages: [] },
  'clients.delete': { nav: [], pages: [] },
  'tickets.view_all': { nav: ['Mail', 'Reports'], pages: ['Tags'] },
  'tickets.reply': { nav: ['Macros', 'Knowledge base', 'Reports'], pages: ['Tags'] },
  'tickets.edit_status': { nav: ['Macros', 'Reports'], pages: ['Tags'] },
  'tickets.delete': { nav: ['Reports'], pages: ['Tags', 'Trash'] },
  'departments.view': { nav: [], pages: ['Departments'] },
  'departments.manage': { nav: ['Knowledge base'], pages: ['Departments'] },
  'staff.view': { nav: [], pages: ['Staff'] },
  'staff.manage': { nav: [], pages: ['Staff'] }
}

/** What else shows that a permission is held, or is not. */
const proofs: Record<Slug, (page: Page, desk: Desk, client: Person) => Promise<void>> = {
  'clients.view': async (page, _, client) => {
    await page.goto(`/desk/clients/${client.id}`)
    await expect(page.getByText(client.email).first()).toBeVisible()
    await absent(page, ['Edit', 'New ticket'])
    await page.goto('/desk/clients')
    await absent(page, ['Add client'])
  },
  'clients.create': async page => refused(page, '/clients'),
  'clients.edit': async page => refused(page, '/clients'),
  'clients.delete': async page => refused(page, '/clients'),
  'tickets.view_all': async (page, desk, client) => {
    await openTicket(page, desk, client)
    await expect(page.getByRole('textbox', { name: /reply/i })).toHaveCount(0)
    await page.goto('/desk/tags')
    await absent(page, ['Add tag', 'Actions for'])
    await refused(page, '/macros')
  },
  'tickets.reply': async (page, desk) => {
    const shared = { name: `Shared ${Date.now()}`, reply_text: 'Hello', is_shared: 1 as const }
    const { macro } = await desk.post('/api/admin/macros/create', shared, desk.admin)
    await page.goto(`/desk/macros/${macro.id}`)
    await expect(page.getByText('You can use this macro.')).toBeVisible()
    await absent(page, ['Save', 'Delete'])
    await refused(page, '/trash')
  },
  'tickets.edit_status': async page => {
    await page.goto('/desk/tags')
    await expect(page.getByRole('button', { name: 'Add tag' })).toBeVisible()
    await refused(page, '/trash')
  },
  'tickets.delete': async (page, desk, client) => {
    const { ticket_id, ticket_number } = await desk.ticket(client)
    await desk.post('/api/admin/tickets/delete', { id: ticket_id }, desk.admin)
    const { tickets } = await desk.post('/api/admin/tickets/list', { trashed: 1 }, desk.admin)
    expect(tickets.map(ticket => ticket.ticket_number)).toContain(ticket_number)
    await page.goto('/desk/trash')
    await expect(page.getByRole('heading', { name: 'Trash' })).toBeVisible()
    await refused(page, '/macros')
  },
  'departments.view': async page => {
    await page.goto('/desk/departments')
    await expect(page.getByRole('cell', { name: /Technical Support/ })).toBeVisible()
    await absent(page, ['Add department', 'Actions for'])
  },
  'departments.manage': async page => {
    await page.goto('/desk/departments')
    await expect(page.getByRole('button', { name: 'Add department' })).toBeVisible()
    await expect(page.getByRole('button', { name: /Actions for Technical/ })).toBeVisible()
  },
  'staff.view': async (page, desk) => {
    await page.goto(`/desk/staff/${desk.admin.id}`)
    await expect(page.getByText('Admins may do everything')).toBeVisible()
    await absent(page, ['Add supporter', 'Edit', 'Reset password'])
  },
  'staff.manage': async (page, desk) => {
    await page.goto('/desk/staff')
    await expect(page.getByText(desk.admin.email)).toBeVisible()
    await absent(page, ['Add supporter'])
    await page.goto(`/desk/staff/${desk.admin.id}`)
    await expect(page.getByRole('checkbox')).toHaveCount(0)
    for (const path of ['/audit', '/webhooks', '/settings/general']) await refused(page, path)
  }
}

for (const slug of Object.keys(places) as Slug[])
  test(`${slug}: the pages offer what it allows and nothing else`, async ({ desk, client, pageOf }) => {
    const page = await pageOf(await desk.supporter([slug]))
    await page.goto('/desk/account')
    await expect(page.getByRole('heading', { level: 1, name: 'Account' })).toBeVisible()

    const nav = page.getByRole('navigation', { name: 'Main' }).getByRole('region', { name: 'Desk' })
    // With the number of held mails, of which other tests make some.
    const { pages } = places[slug]
    const names = [...places[slug].nav, ...(pages.length > 0 ? ['Administration'] : [])]
    await expect(nav.getByRole('link')).toHaveText(names.map(name => new RegExp(`^${name}\\d*$`)))
    await page.goto('/desk/admin')
    const list = page.getByRole('navigation', { name: 'Administration' }).getByRole('link')
    if (pages.length > 0) await expect(list).toHaveText(['Overview', ...pages])
    else await expect(page.getByText('You may not see this page')).toBeVisible()

    await proofs[slug](page, desk, client)
  })

/** By its address a page says that it is not for them, and shows nothing of it. */
async function refused(page: Page, path: string) {
  await page.goto(`/desk${path}`)
  await expect(page.getByText('You may not see this page')).toBeVisible()
}

async function absent(page: Page, buttons: string[]) {
  for (const name of buttons) await expect(page.locator('main').getByRole('button', { name })).toHaveCount(0)
}

async function openTicket(page: Page, desk: Desk, client: Person) {
  const { ticket_number } = await desk.ticket(client)
  await page.goto(`/desk/all/${ticket_number}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Inverter is silent' })).toBeVisible()
}
