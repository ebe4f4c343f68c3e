import type { Page } from '@playwright/test'
import { xssInHtml } from '../../test/support/xss-payloads.ts'
import { expectAccessible } from './support/axe.ts'
import { expect, test } from './support/test.ts'
import { expectWritten } from './support/written-text.ts'

/** The field of a reply once it shows formatting. */
const field = (page: Page) => page.locator('[data-composer="reply"][contenteditable="true"]')
const html = (page: Page) =>
  field(page).evaluate(element => element.innerHTML.replace(/ (class|title)="[^"]*"/g, '').replace(/<br>/g, ''))
const toolbar = (page: Page, name = 'Formatting') => page.getByRole('toolbar', { name })

test('typed marks turn into formatting at once, Backspace gives them back, and what the field shows is sent', async ({
  desk,
  client,
  consolePage: page
}) => {
  const ticket = await desk.ticket(client, { subject: 'Formatted' })
  await page.goto(`/desk/all/${ticket.ticket_number}`)
  await field(page).click()

  await page.keyboard.type('**bold** *it* `code`')
  expect(await html(page)).toBe('<p><strong>bold</strong> <em>it</em> <code>code</code></p>')
  await page.keyboard.press('Backspace')
  expect(await html(page)).toBe('<p><strong>bold</strong> <em>it</em> `code`</p>')
  for (const line of ['- one', '', '> said', '', '# Head', '1. first', '']) {
    await page.keyboard.press('Enter')
    await page.keyboard.type(line)
  }
  await page.keyboard.press('Enter')
  await page.keyboard.type('2 * 3 * 4')
  const shown =
    '<p><strong>bold</strong> <em>it</em> `code`</p><ul><li><p>one</p></li></ul><blockquote><p>said</p></blockquote>' +
    '<h1>Head</h1><ol><li><p>first</p></li></ol><p>2 * 3 * 4</p>'
  expect(await html(page)).toBe(shown)
  // It is the same after it was kept.
  await expect(page.getByText('Draft saved')).toBeVisible()
  await page.reload()
  await expect.poll(() => html(page)).toBe(shown)

  await page.keyboard.press('r')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('article').filter({ hasText: 'Head' })).toHaveCount(1)
  const { messages } = await desk.post('/api/admin/tickets/detail', { id: ticket.ticket_id }, desk.admin)
  expect(messages.at(-1)!.html?.replace(/\s*\n\s*/g, '')).toBe(
    '<p><strong>bold</strong> <em>it</em> `code`</p><ul><li>one</li></ul><blockquote><p>said</p></blockquote>' +
      '<h1>Head</h1><ol><li>first</li></ol><p>2 * 3 * 4</p>'
  )
})

test('the bar floats over a selection, stands as a row with Aa, and works by keys; a picture stands in the text', async ({
  desk,
  client,
  consolePage: page
}) => {
  const ticket = await desk.ticket(client, { subject: 'Bar' })
  await page.goto(`/desk/all/${ticket.ticket_number}`)
  await field(page).click()
  await page.keyboard.type('It lost its earth')
  await expect(toolbar(page)).toHaveCount(0)
  await page.keyboard.press('Control+Shift+ArrowLeft')
  await expect(toolbar(page)).toBeVisible()
  await page.keyboard.press('Control+b')
  await expect(toolbar(page).getByRole('button', { name: 'Bold' })).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.press('Control+Shift+K')
  await page.keyboard.type('no address')
  await page.keyboard.press('Enter')
  await expect(toolbar(page).getByRole('alert')).toHaveText('That is no address')
  await page.getByRole('textbox', { name: 'Address of the link' }).fill('example.org/earth')
  await page.keyboard.press('Enter')
  await expect(field(page)).toBeFocused()
  expect(await html(page)).toBe('<p>It lost its <a href="https://example.org/earth"><strong>earth</strong></a></p>')

  await page.keyboard.press('Shift+Home')
  await page.keyboard.press('Control+Shift+F')
  await expect(toolbar(page).getByRole('button', { name: 'Bold' })).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await expect(field(page)).toBeFocused()
  expect(await html(page)).toContain('<em>')
  await page.keyboard.press('Control+End')
  await expect(toolbar(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'Formatting' }).click()
  await expect(toolbar(page)).toBeVisible()
  await expect(field(page)).toBeFocused()

  await paste(page, { file: true })
  const picture = field(page).getByRole('img', { name: 'my-shot' })
  await expect(picture).toBeVisible()
  const form = page.getByRole('form', { name: 'Write a reply' })
  await expect(form.getByRole('listitem')).toHaveCount(0)
  await page.keyboard.press('ArrowLeft')
  await expect(toolbar(page, 'Picture')).toBeVisible()
  await expectAccessible(page, 'formatting')
  await toolbar(page, 'Picture').getByRole('button', { name: 'Make it a file' }).click()
  await expect(form.getByRole('listitem')).toHaveText(/my-shot\.png/)
  await page.keyboard.press('Control+z')
  await expect(form.getByRole('listitem')).toHaveCount(0)
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('article').filter({ hasText: 'It lost its' })).toHaveCount(1)
  const { messages } = await desk.post('/api/admin/tickets/detail', { id: ticket.ticket_id }, desk.admin)
  expect(messages.at(-1)!.message).toContain('![my-shot](my-shot.png)')
  expect(messages.at(-1)!.attachments.map(({ file_name }) => file_name)).toEqual(['my-shot.png'])
  await page.getByRole('button', { name: 'Formatting' }).click()
})

test('of what is pasted only the known kinds are left, and nothing of it runs', async ({
  desk,
  client,
  consolePage: page
}) => {
  const ticket = await desk.ticket(client, { subject: 'Pasted' })
  await page.goto(`/desk/all/${ticket.ticket_number}`)
  await field(page).click()
  await page.keyboard.type('Before ')
  await paste(page, {
    html:
      '<p style="color:red">Hi <span style="font-weight:700">there</span> <b style="font-weight:normal">you</b> ' +
      '<a href="javascript:alert(1)">bad</a> <a href="https://example.org">good</a>' +
      '<img src=x onerror="alert(1)"></p><script>alert(1)</script><style>p{}</style>' +
      '<table><tr><td>a</td><td>b</td></tr></table><ul><li>one<ul><li>sub</li></ul></li></ul>'
  })
  expect(await html(page)).toBe(
    '<p>Before Hi <strong>there</strong> you bad <a href="https://example.org">good</a></p><p>a b</p>' +
      '<ul><li><p>one</p><ul><li><p>sub</p></li></ul></li></ul>'
  )
  await page.keyboard.press('Control+a')
  await paste(page, { text: 'a *b* _c_\nsecond\n\n- third' })
  expect(await html(page)).toBe('<p>a *b* _c_second</p><p>- third</p>')
})

test('with plain text, and until the editor is there, keys put marks into a text area', async ({
  desk,
  client,
  consolePage: page
}) => {
  const ticket = await desk.ticket(client, { subject: 'Plain' })
  await page.goto('/desk/account')
  await page.getByRole('switch', { name: 'Write plain text' }).click()
  await page.goto(`/desk/all/${ticket.ticket_number}`)
  const area = page.getByRole('textbox', { name: 'Reply', exact: true })
  await area.fill('so bold')
  await area.press('Control+Shift+ArrowLeft')
  await area.press('Control+b')
  await expect(area).toHaveValue('so **bold**')
  await expect(page.getByRole('button', { name: 'Formatting' })).toHaveCount(0)
})

test('the portal begins plain; formatting keeps the text, and going back says what is lost', async ({
  desk,
  client,
  portalPage: page
}) => {
  const ticket = await desk.ticket(client, { subject: 'Portal text' })
  await page.goto(`/tickets/${ticket.ticket_number}`)
  const answer = page.getByRole('textbox', { name: 'Your answer' })
  await answer.fill('2 * 3 * 4\n\n1. stays')
  await page.getByRole('button', { name: 'Format', exact: true }).click()
  await expect(toolbar(page)).toBeVisible()
  await expect(answer.locator('p')).toHaveText(['2 * 3 * 4', '1. stays'])
  await answer.press('Control+End')
  await page.keyboard.press('Enter')
  await page.keyboard.type('- batch **22**')
  await expect(answer.locator('li strong')).toHaveText('22')
  await expectAccessible(page, 'formatting')

  await page.getByRole('button', { name: 'Plain text' }).click()
  await expectWritten(answer, '2 * 3 * 4\n\n1. stays\n\n- batch 22')
  await expect(page.getByText('The formatting is gone')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(answer.locator('li strong')).toHaveText('22')
  await answer.press('Control+Enter')
  await expect(page.getByRole('article').filter({ hasText: 'batch' })).toHaveCount(1)
  const { messages } = await desk.post('/api/tickets/detail', { id: ticket.ticket_id }, client)
  expect(messages.at(-1)!.html).toContain('<strong>22</strong>')
  // This browser formats from now on, and the next answer begins so.
  await expect(toolbar(page)).toBeVisible()
})

/** As a hand would: the content of a clipboard that the field believes. */
async function paste(page: Page, given: { html?: string; text?: string; file?: boolean }): Promise<void> {
  await field(page).evaluate((area, { html, text, file }) => {
    const data = new DataTransfer()
    if (html) data.setData('text/html', html)
    if (text) data.setData('text/plain', text)
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    const bytes = Uint8Array.from(atob(png), char => char.charCodeAt(0))
    if (file) data.items.add(new File([bytes], 'my shot.png', { type: 'image/png' }))
    area.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData: data }))
  }, given)
}

test('nothing of the public lists of attacks runs, loads or stays when it is pasted', async ({
  desk,
  client,
  consolePage: page
}) => {
  const ticket = await desk.ticket(client, { subject: 'Pasted attacks' })
  const elsewhere: string[] = []
  const dialogs: string[] = []
  page.on('request', request => {
    const url = request.url()
    if (!url.startsWith(desk.url) && !/^(about|data|blob):/.test(url)) elsewhere.push(url)
  })
  page.on('dialog', async dialog => {
    dialogs.push(dialog.message())
    await dialog.dismiss()
  })
  await page.goto(`/desk/all/${ticket.ticket_number}`)
  await field(page).click()

  for (const attack of xssInHtml) {
    await field(page).evaluate((element, html) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/html', html)
      clipboardData.setData('text/plain', 'pasted')
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    }, attack)
    const found = await field(page).evaluate(element => {
      const unsafe = [...element.querySelectorAll('*')].filter(
        each =>
          /^(script|style|iframe|object|embed|form|input|button|svg|math|link|meta|base|video|audio)$/.test(
            each.localName
          ) ||
          each.getAttributeNames().some(name => name.startsWith('on') || name === 'style' || name === 'srcset') ||
          /^\s*(javascript|vbscript|data):/i.test(each.getAttribute('href') ?? '')
      )
      return unsafe.map(each => each.outerHTML.slice(0, 200))
    })
    expect(found, attack).toEqual([])
  }
  await field(page).press('Control+Enter')
  await expect(page.getByRole('article')).toHaveCount(2)

  const { messages } = await desk.post('/api/admin/tickets/detail', { id: ticket.ticket_id }, desk.admin)
  expect(messages.at(-1)!.html ?? '').not.toMatch(/<(script|style|iframe|img|svg|form)|\son\w+=|javascript:/i)
  expect(dialogs).toEqual([])
  expect(elsewhere).toEqual([])
})
