import type { Page } from '@playwright/test'
import { expect, test } from './support/test.ts'
import { typeText } from './support/type-text.ts'
import { expectWritten } from './support/written-text.ts'

const replyField = (page: Page) => page.getByRole('textbox', { name: 'Reply', exact: true })
const noteField = (page: Page) => page.getByRole('textbox', { name: 'Note, only staff see it' })
const messages = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text })

test('a text survives opening another ticket, a reload and a broken connection, and arrives once', async ({
  desk,
  client,
  consolePage: page
}) => {
  const one = await desk.ticket(client, { subject: 'Draft one' })
  const other = await desk.ticket(client, { subject: 'Draft two' })
  await page.goto(`/desk/all/${one.ticket_number}`)

  await replyField(page).fill('Please switch it off.')
  await expect(page.getByText('Draft saved')).toBeVisible()
  await page
    .getByRole('link', { name: /Draft two/ })
    .first()
    .click()
  await expect(page.getByRole('heading', { level: 1, name: 'Draft two' })).toBeVisible()
  await expectWritten(replyField(page), '')
  await page.goBack()
  await expectWritten(replyField(page), 'Please switch it off.')
  await page.reload()
  await expectWritten(replyField(page), 'Please switch it off.')
  expect(other.ticket_number).not.toBe(one.ticket_number)

  // The answer is lost on its way, after the service has done it; then nothing gets through.
  let tries = 0
  await page.route('**/api/admin/tickets/reply', async route => {
    tries++
    if (tries === 1) await route.fetch()
    await route.abort('connectionreset')
  })
  await page.route('**/api/admin/tickets/detail', route => route.abort('connectionreset'))
  await page.getByRole('button', { name: 'Send and set Answered' }).dblclick()
  await expect(page.getByRole('alert').filter({ hasText: 'Not sent: the connection broke.' })).toBeVisible()
  await expectWritten(replyField(page), 'Please switch it off.')

  await page.unrouteAll()
  await page.getByRole('button', { name: 'Send again' }).click()
  await expect(messages(page, 'Please switch it off.')).toHaveCount(1)
  await expectWritten(replyField(page), '')
  const { messages: sent } = await desk.post('/api/admin/tickets/detail', { id: one.ticket_id }, desk.admin)
  expect(sent.filter(({ message }) => message === 'Please switch it off.')).toHaveLength(1)
})

test('a note looks different from a reply, and never reaches the client', async ({
  desk,
  client,
  consolePage: page
}) => {
  const ticket = await desk.ticket(client, { subject: 'For staff alone' })
  await page.goto(`/desk/all/${ticket.ticket_number}`)
  await replyField(page).fill('This one is for the client.')

  await page.getByRole('radio', { name: 'Note' }).click({ force: true })
  const form = page.getByRole('form', { name: 'Write a note' })
  await expect(form).toContainText('Only staff see this. Katharina gets nothing.')
  await expect(form).toHaveCSS('background-color', 'rgb(255, 247, 218)')
  await expect(page.getByRole('button', { name: /^Send/ })).toHaveCount(0)
  await noteField(page).fill('Third one this week.')
  await page.getByRole('button', { name: 'Add note' }).click()

  const note = page.getByRole('article', { name: /^Note, staff only/ })
  await expect(note).toContainText('Third one this week.')
  await page.getByRole('radio', { name: 'Reply' }).click({ force: true })
  await expectWritten(replyField(page), 'This one is for the client.')
  const seen = await desk.post('/api/tickets/detail', { id: ticket.ticket_id }, client)
  expect(JSON.stringify(seen)).not.toContain('Third one')
})

test('a reply is stopped when others have written since it was begun', async ({ desk, client, consolePage: page }) => {
  const ticket = await desk.ticket(client, { subject: 'Stopped' })
  await page.goto(`/desk/all/${ticket.ticket_number}`)
  await replyField(page).fill('I have booked a technician.')
  await desk.post('/api/tickets/reply', { id: ticket.ticket_id, message: 'Wait, it works again.' }, client)

  await replyField(page).press('Control+Enter')
  const panel = page.getByRole('alertdialog', { name: 'Not sent: Katharina wrote while you were typing' })
  await expect(panel).toBeVisible()
  await expect(panel.getByRole('button', { name: 'Change my reply' })).toBeFocused()
  await expect(page.getByText('New since you began to write')).toBeVisible()
  await expect(messages(page, 'Wait, it works again.')).toHaveCount(1)
  await expect(messages(page, 'I have booked a technician.')).toHaveCount(0)

  await page.keyboard.press('Enter')
  await expect(replyField(page)).toBeFocused()
  await replyField(page).fill('Good. I take the technician back.')
  await desk.post('/api/tickets/reply', { id: ticket.ticket_id, message: 'No, it stopped.' }, client)
  await page.keyboard.press('Control+Enter')
  await page.getByRole('button', { name: 'Send it anyway' }).click()
  await expect(messages(page, 'Good. I take the technician back.')).toHaveCount(1)
  await expect(panel).toHaveCount(0)
})

test('one button sends, closes and opens the next ticket, and remembers that', async ({
  desk,
  client,
  consolePage: page
}) => {
  const tickets = []
  for (const subject of ['Next one', 'Next two', 'Next three']) tickets.push(await desk.ticket(client, { subject }))
  const last = tickets[2]!
  await page.goto(`/desk/all/${last.ticket_number}`)
  await replyField(page).fill('Done.')
  await page.getByRole('button', { name: 'Other ways to send' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Then open the next ticket' }).click()
  await page.getByRole('button', { name: 'Other ways to send' }).click()
  await page.getByRole('menuitem', { name: 'Send and close' }).click()

  await expect(page.getByRole('heading', { level: 1, name: 'Next two' })).toBeFocused()
  await expect(page.locator('[data-announcer=polite]').last()).toContainText(`Sent. Next: ${tickets[1]!.ticket_number}`)
  const { ticket } = await desk.post('/api/admin/tickets/detail', { id: last.ticket_id }, desk.admin)
  expect(ticket.status).toBe('Closed')
  await expect(page.getByRole('button', { name: 'Send and close' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Send and close' })).toBeVisible()
})

test('M3 a macro fills the text and tells what it changes, and nothing is done before it is sent', async ({
  desk,
  client,
  consolePage: page
}) => {
  const reply_text = 'Dear {{client.first_name}}, we look into it.'
  const actions = [{ set_priority: 'High' as const }, { set_status: 'In Progress' as const }]
  await desk.post('/api/admin/macros/create', { name: 'Look closer', actions, reply_text, is_shared: 1 }, desk.admin)
  const silent = { name: 'Just lower', actions: [{ set_priority: 'Low' as const }], is_shared: 1 as const }
  await desk.post('/api/admin/macros/create', silent, desk.admin)
  const ticket = await desk.ticket(client, { subject: 'For a macro' })
  const priority = async () =>
    (await desk.post('/api/admin/tickets/detail', { id: ticket.ticket_number }, desk.admin)).ticket.priority
  await page.goto(`/desk/all/${ticket.ticket_number}`)

  await typeText(replyField(page), '/look')
  await expect(page.getByRole('option', { name: /Look closer.*2 changes/ })).toBeVisible()
  await page.keyboard.press('Enter')
  await expectWritten(replyField(page), 'Dear Katharina, we look into it.')
  const notice = page.getByText('“Look closer” also sets the priority to High and sets In progress.')
  await expect(notice).toBeVisible()
  expect(await priority()).toBe('Medium')

  await page.getByRole('button', { name: 'Text only' }).click()
  await expect(notice).toHaveCount(0)
  await replyField(page).fill('')
  await typeText(replyField(page), '/look')
  await page.keyboard.press('Enter')
  await expect(notice).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await expect(messages(page, 'Dear Katharina, we look into it.')).toHaveCount(1)
  await expect(page.getByText('by macro “Look closer”').first()).toBeVisible()
  expect(await priority()).toBe('High')

  await typeText(replyField(page), '/just')
  await expect(page.getByRole('option', { name: /Just lower/ })).toBeVisible()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect.poll(priority).toBe('Low')
})

test('what is typed in the moment in which the composer appears is kept', async ({
  desk,
  client,
  consolePage: page
}) => {
  const ticket = await desk.ticket(client)
  await page.addInitScript(() => {
    const observer = new MutationObserver(() => {
      const field = document.querySelector('textarea')
      if (!field) return
      observer.disconnect()
      // As a key does, but at once: before anything that waits for the paint.
      Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')!.set!.call(field, '/')
      field.dispatchEvent(new InputEvent('input', { bubbles: true }))
    })
    observer.observe(document, { childList: true, subtree: true })
  })

  await page.goto(`/desk/all/${ticket.ticket_number}`)
  await expect(replyField(page)).toBeVisible()
  await expect(page.getByRole('article')).toHaveCount(1)

  // By then it may be the editor.
  await expectWritten(replyField(page), '/')
  await page.getByRole('link', { name: 'All' }).first().hover()
  await expectWritten(replyField(page), '/')
})

test('/ inserts a canned reply, filled in and undone by Ctrl Z; @ inserts a colleague', async ({
  desk,
  client,
  consolePage: page
}) => {
  await desk.post(
    '/api/admin/canned-replies/create',
    { title: 'Earth lost', text: 'Dear {{client.first_name}}, check the earth.', is_shared: 1 },
    desk.admin
  )
  const colleague = await desk.supporter(['tickets.view_all', 'tickets.reply'], {
    first_name: 'Hannah',
    last_name: 'Lindqvist'
  })
  const ticket = await desk.ticket(client, { subject: 'Canned' })
  await page.goto(`/desk/all/${ticket.ticket_number}`)

  await expect(page.getByRole('heading', { level: 1, name: 'Canned' })).toBeVisible()
  await page.keyboard.press('r')
  await expect(replyField(page)).toBeFocused()
  await page.keyboard.press('/')
  await expect(page.getByRole('option', { name: /Earth lost/ })).toBeVisible()
  await expect(replyField(page)).toBeFocused()
  await expectWritten(replyField(page), '/')
  await replyField(page).fill('')

  await typeText(replyField(page), 'Hello. /earth')
  await expect(page.getByRole('option', { name: /Earth lost/ })).toBeVisible()
  await expect(replyField(page)).toHaveAttribute('aria-activedescendant', /.+/)
  await page.keyboard.press('Enter')
  await expectWritten(replyField(page), 'Hello. Dear Katharina, check the earth.')
  await page.keyboard.press('Control+z')
  await expectWritten(replyField(page), 'Hello. /earth')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('listbox')).toHaveCount(0)

  await page.getByRole('radio', { name: 'Note' }).check({ force: true })
  await typeText(noteField(page), '@hann')
  await page
    .getByRole('option', { name: /Hannah Lindqvist/ })
    .first()
    .click()
  await expectWritten(noteField(page), '@hannah.lindqvist ')
  await typeText(noteField(page), 'can you look?')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('article', { name: /^Note/ })).toContainText('@hannah.lindqvist can you look?')
  await desk.outbox.emailTo(colleague.email)
})

test('files can be added by picker, drop and paste, and are refused before they are sent', async ({
  desk,
  client,
  consolePage: page
}) => {
  const ticket = await desk.ticket(client, { subject: 'Files' })
  await page.goto(`/desk/all/${ticket.ticket_number}`)
  const form = page.getByRole('form', { name: 'Write a reply' })
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64'
  )
  await form.locator('input[type=file]').setInputFiles([
    { name: 'log.txt', mimeType: 'text/plain', buffer: Buffer.from('smoke') },
    { name: 'run.exe', mimeType: 'application/x-msdownload', buffer: Buffer.from('MZ') }
  ])
  await transfer(page, 'drop', 'dropped.png', png)
  await transfer(page, 'paste', 'pasted.png', png)
  await expect(form.getByRole('listitem')).toHaveCount(4)
  await replyField(page).fill('See the files.')
  await expect(page.getByRole('button', { name: 'Send and set Answered' })).toBeDisabled()
  await expect(form.getByText('Remove the refused file first')).toBeVisible()
  await form.getByRole('button', { name: /run\.exe/ }).click()
  await expect(form.getByRole('listitem')).toHaveCount(3)

  // Files are a part of the draft.
  await expect(page.getByText('Draft saved')).toBeVisible()
  await page.reload()
  await expect(form.getByRole('listitem')).toHaveCount(3)
  await page.getByRole('button', { name: 'Send and set Answered' }).click()
  const sent = messages(page, 'See the files.')
  await expect(sent.getByRole('link')).toHaveCount(3)
  const picture = sent.locator('img').first()
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1)
  const link = sent.getByRole('link', { name: /log\.txt/ })
  await link.hover()
  await expect(link).toHaveAttribute('href', /signature=/)
  const href = (await link.getAttribute('href'))!
  expect(await (await page.request.get(href)).text()).toBe('smoke')
  expect((await page.request.get(href.split('?')[0]!)).status()).toBe(404)
})

/** As a hand would, beside the text: the files of an event that the page believes. */
async function transfer(page: Page, kind: 'drop' | 'paste', name: string, content: Buffer): Promise<void> {
  await page.getByRole('button', { name: 'Attach files' }).evaluate(
    (area, { kind, name, bytes }) => {
      const data = new DataTransfer()
      data.items.add(new File([new Uint8Array(bytes)], name, { type: 'image/png' }))
      const init = { bubbles: true, cancelable: true }
      const event =
        kind === 'drop'
          ? new DragEvent('drop', { ...init, dataTransfer: data })
          : new ClipboardEvent('paste', { ...init, clipboardData: data })
      area.dispatchEvent(event)
    },
    { kind, name, bytes: [...content] }
  )
}
