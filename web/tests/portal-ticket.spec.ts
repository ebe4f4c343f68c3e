import type { Page } from '@playwright/test'
import { expect, test } from './support/test.ts'

const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const answer = (page: Page) => page.getByLabel('Your answer')
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64'
)

test('a new ticket is written on one page, kept as a draft until it is sent, and then shows its number and what happens next', async ({
  portalPage: page
}) => {
  await page.goto('/new')
  await page.getByRole('button', { name: 'Send ticket' }).click()
  await expect(page.getByText('Choose what it is about.')).toBeVisible()
  await expect(page.getByRole('radio', { name: 'Technical Support' })).toBeFocused()
  await page.getByRole('radio', { name: 'Billing Department' }).check()
  await page.getByLabel('Subject').fill('Wrong VAT id')
  await page.getByLabel('What happened?').fill('Invoice 4711 has none.')
  await page.getByRole('radio', { name: 'High' }).check()
  await expect(page.getByText('High: something important does not work')).toBeVisible()
  await page.locator('input[type=file]').setInputFiles([
    { name: 'invoice.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4') },
    { name: 'virus.exe', mimeType: 'application/octet-stream', buffer: Buffer.from('MZ') }
  ])
  await expect(page.getByText('This kind of file is not accepted')).toBeVisible()
  await page.getByRole('button', { name: 'Send ticket' }).click()
  await expect(page.getByText('Remove the files that are not accepted, then send.')).toBeVisible()
  await page.getByRole('button', { name: 'Remove virus.exe' }).click()
  // The last keys are kept after a moment, and what is kept is told to all tabs.
  await expect.poll(() => keptDrafts(page)).toContain('invoice.pdf')
  await expect.poll(() => keptDrafts(page)).not.toContain('virus.exe')

  await page.reload()
  await expect(page.getByLabel('Subject')).toHaveValue('Wrong VAT id')
  await expect(page.getByRole('radio', { name: 'High' })).toBeChecked()
  await expect(page.getByText('invoice.pdf')).toBeVisible()
  await page.getByRole('button', { name: 'Send ticket' }).dblclick()

  await expect(page.getByRole('main').getByText(/We have it\. TIC-\d+ is its number\./)).toBeVisible()
  await expect(heading(page)).toHaveText('Wrong VAT id')
  await expect(heading(page)).toBeFocused()
  await expect(page.getByRole('link', { name: /invoice\.pdf/ })).toHaveAttribute('href', /signature=/)
  await page.getByRole('link', { name: 'My tickets' }).first().click()
  await expect(page.getByRole('link', { name: /Wrong VAT id/ })).toHaveCount(1)
  await page.goto('/new')
  await expect(page.getByLabel('Subject')).toHaveValue('')
})

test('a message that could not be sent is kept, shows the reason, and arrives once however often it is retried', async ({
  desk,
  client,
  portalPage: page
}) => {
  const ticket = await desk.ticket(client)
  await page.goto(`/tickets/${ticket.ticket_number}`)
  await answer(page).fill('It still hums not.')
  // The answer to the first is lost: it has arrived, and nobody knows.
  await page.route('**/api/tickets/reply', async route => {
    await route.fetch()
    await route.fulfill({ status: 500, json: { status: 'error', reason: 'internal_error', message: 'No' } })
  })
  await page.getByRole('button', { name: 'Send answer' }).click()
  await expect(page.getByRole('alert')).toContainText('Not sent')
  await expect(page.getByRole('alert')).toContainText('Text and files are kept.')
  await expect(answer(page)).toHaveValue('It still hums not.')
  await page.unroute('**/api/tickets/reply')
  await page.reload()
  await expect(answer(page)).toHaveValue('It still hums not.')
  await page.getByRole('button', { name: 'Send answer' }).dblclick()
  await expect(page.getByRole('article')).toHaveCount(2)
  await expect(answer(page)).toHaveValue('')
  const { messages } = await desk.post('/api/tickets/detail', { id: ticket.ticket_id }, client)
  expect(messages.map(({ message }) => message)).toEqual(['It hums no more.', 'It still hums not.'])
})

test('files can be added by picker, drop and paste', async ({ desk, client, portalPage: page }) => {
  const ticket = await desk.ticket(client)
  await page.goto(`/tickets/${ticket.ticket_number}`)
  await answer(page).fill('Three files.')
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'one.txt', mimeType: 'text/plain', buffer: Buffer.from('1') })
  for (const [type, name] of [
    ['drop', 'two.png'],
    ['paste', 'three.png']
  ] as const) {
    const carried = await page.evaluateHandle(
      ([name, bytes]) => {
        const carried = new DataTransfer()
        carried.items.add(new File([new Uint8Array(bytes)], name, { type: 'image/png' }))
        return carried
      },
      [name, [...picture]] as const
    )
    if (type === 'drop') await answer(page).dispatchEvent('drop', { dataTransfer: carried })
    else
      await answer(page).evaluate((field, carried) => {
        field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: carried, bubbles: true, cancelable: true }))
      }, carried)
  }
  await expect(page.getByRole('list', { name: 'Files' }).getByRole('listitem')).toHaveCount(3)
  await page.getByRole('button', { name: 'Send answer' }).click()
  await expect(page.getByRole('article')).toHaveCount(2)
  const sent = page.getByRole('article').last()
  await expect(sent.getByRole('link')).toHaveCount(3)
  // The picture comes by a signed link; without a signature it does not.
  await expect(sent.locator('img').first()).toHaveJSProperty('naturalWidth', 1)
  const href = await sent.getByRole('link', { name: /two\.png/ }).getAttribute('href')
  expect((await page.request.get(href!)).status()).toBe(200)
  expect((await page.request.get(href!.split('?')[0]!)).status()).toBe(404)
})

test('tickets are grouped by whose turn it is; closing asks once, writing reopens; notes stay hidden and new answers appear', async ({
  desk,
  client,
  portalPage: page
}) => {
  const answered = await desk.ticket(client, { subject: 'Yield report as PDF' })
  const open = await desk.ticket(client, { subject: 'Second storage' })
  await desk.post('/api/admin/tickets/note', { id: answered.ticket_id, note: 'Only for staff.' }, desk.admin)
  await desk.post('/api/tickets/reply', { id: answered.ticket_id, message: 'Here it is.' }, desk.admin)
  await page.goto('/')
  const yours = page.getByRole('region', { name: 'Your turn' })
  await expect(yours.getByRole('link')).toHaveText([/Yield report as PDF.*Answered/s])
  await expect(page.getByRole('region', { name: 'Our turn', exact: true }).getByRole('link')).toHaveText([
    /Second storage.*Received/s
  ])
  expect(await yours.evaluate(yours => yours.compareDocumentPosition(yours.nextElementSibling!) & 4)).toBe(4)
  const link = yours.getByRole('link')
  expect(await link.getAttribute('href')).toBe(`/tickets/${answered.ticket_number}`)
  await expect(link.locator('time')).toHaveAttribute('datetime', /Z$/)
  await expect(link.locator('time')).toHaveAttribute('title', /CET|CEST|GMT|UTC/)

  await page.getByLabel('Search your tickets').fill('storage')
  await expect(page.getByText('1 ticket found')).toBeVisible()
  await page.getByLabel('Search your tickets').fill('')

  await link.click()
  await expect(page.getByText('Answered, your turn')).toBeVisible()
  await expect(page.getByRole('article')).toHaveCount(2)
  await expect(page.getByText('Only for staff.')).toHaveCount(0)
  await expect(page.getByRole('article', { name: /^You,/ })).toBeVisible()
  await page.getByRole('button', { name: 'Close ticket' }).click()
  await expect(page.getByRole('dialog')).toContainText('You can open it again by writing.')
  await page.getByRole('dialog').getByRole('button', { name: 'Close ticket' }).click()
  await expect(page.getByText('Writing opens this ticket again')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Close ticket' })).toHaveCount(0)
  await answer(page).fill('One more thing.')
  await answer(page).press('Control+Enter')
  await expect(page.getByText('You wrote last')).toBeVisible()

  // Somebody answers: it appears without a reload, and it is said.
  await desk.post('/api/tickets/reply', { id: answered.ticket_id, message: 'Gladly.' }, desk.admin)
  await expect(page.getByText('Gladly.')).toBeVisible()
  await expect(page.locator('[aria-live=polite]')).toHaveText(/New message from/)
  await page.goto('/')
  await desk.post('/api/tickets/reply', { id: open.ticket_id, message: 'We look into it.' }, desk.admin)
  await expect(yours.getByRole('link')).toHaveCount(2)
})

test('a new answer below the visible part scrolls nothing, and a button leads to it', async ({
  desk,
  client,
  pageOf
}) => {
  const ticket = await desk.ticket(client)
  for (let i = 1; i <= 12; i++)
    await desk.post('/api/tickets/reply', { id: ticket.ticket_id, message: `Line\n\n`.repeat(8) + i }, client)
  const page = await pageOf(client, { viewport: { width: 390, height: 844 } })
  await page.goto(`/tickets/${ticket.ticket_number}`)
  await expect(page.getByRole('button', { name: '7 earlier messages' })).toBeVisible()
  await page.getByRole('button', { name: '7 earlier messages' }).click()
  await expect(page.getByRole('article')).toHaveCount(13)
  await desk.post('/api/tickets/reply', { id: ticket.ticket_id, message: 'The newest.' }, desk.admin)
  await page.getByRole('button', { name: '1 new message' }).click()
  await expect(page.getByText('The newest.')).toBeInViewport()
  await expect(page.getByRole('button', { name: '1 new message' })).toHaveCount(0)
})

/** The names of the files and the texts that are kept in this browser. */
async function keptDrafts(page: Page): Promise<string> {
  return await page.evaluate(
    () =>
      new Promise<string>(resolve => {
        const opening = indexedDB.open('deskline-drafts')
        opening.onsuccess = () => {
          const all = opening.result.transaction('drafts').objectStore('drafts').getAll()
          all.onsuccess = () =>
            resolve(JSON.stringify(all.result.map(({ files }) => files.map((file: File) => file.name))))
        }
      })
  )
}
