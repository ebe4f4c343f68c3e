import { expect, test } from '../support/test.ts'

test('formatted messages are shown so to both sides: lists, code to copy, quotes, links that say where they lead, pictures', async ({
  desk,
  client,
  pageOf,
  consolePage
}) => {
  const ticket = await desk.ticket(client, { message: 'It *stays* as typed.' })
  const message =
    '**Please** try:\n\n1. off\n2. on\n\n```\nP0.17 = 2\n```\n\n> quoted\n\n[The steps](https://help.example/steps)\n\n![the relay](shot.png)'
  const body = new FormData()
  for (const [name, value] of Object.entries({ id: String(ticket.ticket_id), message, format: 'markdown' }))
    body.set(name, value)
  body.set('attachments', new File([pixel], 'shot.png', { type: 'image/png' }))
  await desk.post('/api/admin/tickets/reply', body, desk.admin)

  const portal = await pageOf(client)
  for (const [page, address] of [
    [consolePage, `/desk/all/${ticket.ticket_number}`],
    [portal, `/tickets/${ticket.ticket_number}`]
  ] as const) {
    await page.goto(address)
    await expect(page.getByText('It *stays* as typed.').first()).toBeVisible()
    const article = page.getByRole('article').filter({ hasText: 'try:' })
    await expect(article.locator('strong')).toHaveText('Please')
    await expect(article.locator('ol > li')).toHaveText(['off', 'on'])
    await expect(article.locator('blockquote')).toHaveText('quoted')
    await expect(article.getByRole('link', { name: 'The steps' })).toHaveAttribute('href', 'https://help.example/steps')
    await expect(article.getByText('help.example', { exact: true })).toBeVisible()
    await expect(article.getByRole('button', { name: 'Copy the code' })).toBeVisible()
    const picture = article.getByRole('img', { name: 'the relay' })
    await expect(picture).toBeVisible()
    expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1)
  }
})

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64'
)
