import AxeBuilder from '@axe-core/playwright'
import { expect, test } from '../support/test.ts'

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

for (const colorScheme of ['light', 'dark'] as const) {
  for (const viewport of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 }
  ]) {
    test(`axe finds nothing in the administration, ${colorScheme}, ${viewport.width} wide`, async ({
      desk,
      pageOf,
      client
    }) => {
      test.setTimeout(180_000)
      const supporter = await desk.supporter(['tickets.reply'])
      const { canned_reply } = await desk.post(
        '/api/admin/canned-replies/create',
        { title: 'Hello', text: 'Dear {{client.first_name}},', is_shared: 1 },
        desk.admin
      )
      const { tag } = await desk.post('/api/admin/tags/create', { name: `axe ${Date.now()}` }, desk.admin)
      const { ticket_id } = await desk.ticket(client)
      await desk.post('/api/admin/tickets/tags', { id: ticket_id, tags: [tag.name] }, desk.admin)
      await desk.post('/api/admin/tickets/delete', { id: ticket_id }, desk.admin)
      const page = await pageOf(desk.admin, { viewport, colorScheme })
      const found: string[] = []
      const look = async (state: string) => {
        await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
        const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze()
        found.push(
          ...violations.map(({ id, nodes }) => `${state}: ${id} ${nodes.map(({ target }) => target).join(', ')}`)
        )
        const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
        if (isWide) found.push(`${state}: scrolls sideways`)
      }
      const paths = [
        ...['/staff', `/staff/${supporter.id}`, `/staff/${desk.admin.id}`, '/departments', '/tags', '/canned'],
        ...[
          `/canned?reply=${canned_reply.id}`,
          '/settings',
          '/webhooks',
          '/audit',
          '/counts',
          '/trash',
          '/account',
          '/start'
        ]
      ]
      for (const path of paths) {
        await page.goto(`/desk${path}`)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
        await look(path)
      }

      await page.goto('/desk/audit')
      await page.getByRole('row').nth(1).getByRole('button').click()
      await look('a row of the audit log')
      await page.goto('/desk/webhooks')
      await page.getByRole('button', { name: 'Add webhook' }).click()
      await page.getByRole('dialog').getByText('The desk').click()
      await look('a new webhook')
      await page.goto('/desk/account')
      await page.getByRole('button', { name: 'Turn two-factor on' }).click()
      await page.getByRole('img', { name: 'QR code' }).waitFor()
      await look('setting up two-factor')
      expect(found).toEqual([])
    })
  }
}
