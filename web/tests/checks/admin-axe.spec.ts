import { expectAccessibleInEachWindow } from '../support/axe.ts'
import { expect, test } from '../support/test.ts'

test('axe finds no fault in the administration, and nothing scrolls sideways', async ({
  desk,
  consolePage: page,
  client
}) => {
  test.setTimeout(180_000)
  const supporter = await desk.supporter(['tickets.reply'])
  const actions = [{ set_status: 'Answered' as const }, { add_tags: ['greeted'] }, { assign: supporter.id }]
  const hello = { name: 'Hello', reply_text: 'Dear {{client.first_name}},', actions, is_shared: 1 as const }
  await desk.post('/api/admin/tags/create', { name: 'greeted' }, desk.admin)
  const { macro } = await desk.post('/api/admin/macros/create', hello, desk.admin)
  const { tag } = await desk.post('/api/admin/tags/create', { name: `axe ${Date.now()}` }, desk.admin)
  const { ticket_id } = await desk.ticket(client)
  await desk.post('/api/admin/tickets/tags', { id: ticket_id, tags: [tag.name] }, desk.admin)
  await desk.post('/api/admin/tickets/delete', { id: ticket_id }, desk.admin)
  const look = async (state: string) => {
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
    await expectAccessibleInEachWindow(page, state)
  }
  const paths = [
    ...['/staff', `/staff/${supporter.id}`, `/staff/${desk.admin.id}`, '/departments', '/tags', '/macros'],
    ...[`/macros/${macro.id}`, '/webhooks', '/api-access', '/audit', '/counts', '/trash', '/admin', '/admin/overview'],
    ...['sign-in', 'email', 'email-templates', 'portal', 'general'].map(page => `/settings/${page}`),
    ...['/hours', '/hours/1', '/hours/2', '/sla', '/sla/new', '/fields', '/forms', '/forms/new', '/rules', '/rules/new']
  ]
  for (const path of [...paths, '/account']) {
    await page.goto(`/desk${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
    await look(path)
  }
  await page.getByRole('button', { name: 'Turn two-factor on' }).click()
  await page.getByRole('img', { name: 'QR code' }).waitFor()
  await look('setting up two-factor')

  await page.goto('/desk/audit')
  await page.getByRole('row').nth(1).getByRole('button').click()
  await look('a row of the audit log')
  await page.goto('/desk/webhooks')
  await page.getByRole('button', { name: 'Add webhook' }).click()
  await page.getByRole('dialog').getByText('The desk').click()
  await look('a new webhook')
})
