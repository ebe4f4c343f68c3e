import type { Page } from '@playwright/test'
import { expect, test } from './support/test.ts'
import { expectWritten } from './support/written-text.ts'

const replyField = (page: Page) => page.getByRole('textbox', { name: 'Reply', exact: true })
const textArea = (page: Page) => page.locator('textarea[data-composer="reply"]')
const editor = (page: Page) => page.locator('[data-composer="reply"][contenteditable="true"]')

test('what is typed while the draft is being read stands where the draft goes on, and the field keeps the focus', async ({
  desk,
  client,
  consolePage: page
}) => {
  const ticket = await desk.ticket(client, { subject: 'Read slowly' })
  await page.goto(`/desk/all/${ticket.ticket_number}`)
  await replyField(page).fill('Please switch it')
  await expect(page.getByText('Draft saved', { exact: true })).toBeVisible()
  const read = await holdDrafts(page)

  await page.goto(`/desk/all/${ticket.ticket_number}`)
  await expect(page.getByRole('article')).toHaveCount(1)
  await page.keyboard.press('r')
  await page.keyboard.type(' off')
  await expectWritten(replyField(page), ' off')
  await read()
  await expectWritten(replyField(page), 'Please switch it off')
  await page.keyboard.type('.')

  await expectWritten(replyField(page), 'Please switch it off.')
})

test('a text that was begun while the draft is being read is lost neither by leaving nor by what was kept before', async ({
  desk,
  client,
  consolePage: page
}) => {
  const ticket = await desk.ticket(client, { subject: 'Left early' })
  await page.goto(`/desk/all/${ticket.ticket_number}`)
  await replyField(page).fill('Kept')
  await expect(page.getByText('Draft saved', { exact: true })).toBeVisible()
  const read = await holdDrafts(page)

  await page.goto(`/desk/all/${ticket.ticket_number}`)
  await expect(page.getByRole('article')).toHaveCount(1)
  await page.keyboard.press('r')
  await page.keyboard.type(' and more')
  await page.getByRole('link', { name: 'All' }).first().click()
  await expect(replyField(page)).toHaveCount(0)
  await read()
  await page.goBack()

  await expectWritten(replyField(page), 'Kept and more')
})

test('/ opens the macros while the draft is being read, and the list stays when the editor comes', async ({
  desk,
  client,
  consolePage: page
}) => {
  await desk.post(
    '/api/admin/macros/create',
    { name: 'Earth quickly', reply_text: 'Check the earth.', is_shared: 1 },
    desk.admin
  )
  const ticket = await desk.ticket(client, { subject: 'Slash at once' })
  const read = await holdDrafts(page)
  const bring = await holdEditor(page)
  await page.goto(`/desk/all/${ticket.ticket_number}`)
  await expect(page.getByRole('article')).toHaveCount(1)

  await page.keyboard.press('r')
  await page.keyboard.type('/earth')
  await expect(page.getByRole('option', { name: /Earth quickly/ })).toBeVisible()
  await read()
  await bring()
  await expect(editor(page)).toBeFocused()
  await expect(page.getByRole('option', { name: /Earth quickly/ })).toBeVisible()
  await page.keyboard.press('Enter')

  await expectWritten(replyField(page), 'Check the earth.')
})

test('each key of a fast typist is kept in its place while the editor takes the place of the text area', async ({
  desk,
  client,
  consolePage: page
}) => {
  const ticket = await desk.ticket(client, { subject: 'Swapped' })
  const bring = await holdEditor(page)
  await page.goto(`/desk/all/${ticket.ticket_number}`)
  await expect(textArea(page)).toBeVisible()
  await page.keyboard.press('r')
  await page.keyboard.type('one  three')
  for (let at = 0; at < 6; at++) await page.keyboard.press('ArrowLeft')
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 4 })

  const brought = bring()
  const typed = 'two, of which the second comes while the field is another one, '
  await page.keyboard.type(typed)
  await brought
  await expect(editor(page)).toBeFocused()
  await page.keyboard.type('end')

  await expectWritten(replyField(page), `one ${typed}end three`)
})

test('what is typed while the service is asked for the draft of another machine stands behind that draft', async ({
  desk,
  client,
  member,
  consolePage: page
}) => {
  const ticket = await desk.ticket(client, { subject: 'From elsewhere' })
  await desk.post('/api/admin/tickets/draft/save', { id: ticket.ticket_id, message: 'Please switch it' }, member)
  const answer = await hold(page, '**/api/admin/tickets/draft')
  await page.goto(`/desk/all/${ticket.ticket_number}`)
  await expect(page.getByRole('article')).toHaveCount(1)

  await page.keyboard.press('r')
  await page.keyboard.type(' off')
  await expectWritten(replyField(page), ' off')
  await answer()
  await expectWritten(replyField(page), 'Please switch it off')
  await page.keyboard.type('.')

  await expectWritten(replyField(page), 'Please switch it off.')
})

test('keys that follow at once reach the field that a key has opened', async ({ desk, client, consolePage: page }) => {
  const ticket = await desk.ticket(client, { subject: 'At once' })
  await page.goto(`/desk/all/${ticket.ticket_number}`)
  await expect(editor(page)).toBeVisible()

  await keysInOneFrame(page, ['n'])
  expect(await page.evaluate(() => document.activeElement?.getAttribute('data-composer'))).toBe('note')
  await page.keyboard.press('Escape')
  await keysInOneFrame(page, ['r'])
  expect(await page.evaluate(() => document.activeElement?.getAttribute('data-composer'))).toBe('reply')
  await page.keyboard.type('earth')
  await page.keyboard.press('Control+Shift+ArrowLeft')
  await page.evaluate(() => {
    const init = { key: 'K', code: 'KeyK', keyCode: 75, ctrlKey: true, shiftKey: true, bubbles: true, cancelable: true }
    document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', init))
    document.documentElement.dataset.focused = document.activeElement!.getAttribute('aria-label') ?? ''
  })

  await expect(page.locator('html')).toHaveAttribute('data-focused', 'Address of the link')
})

test('a field that is reached by Tab takes the next key where its text ends', async ({
  desk,
  client,
  consolePage: page
}) => {
  const ticket = await desk.ticket(client, { subject: 'By Tab' })
  await page.goto(`/desk/all/${ticket.ticket_number}`)
  await replyField(page).fill('Please switch it')
  await expect(page.getByText('Draft saved', { exact: true })).toBeVisible()
  await page.reload()
  await expect(editor(page)).toHaveText('Please switch it')

  // The focus alone, and the key before any timer.
  await editor(page).evaluate((field: HTMLElement) => {
    field.focus()
    document.execCommand('insertText', false, ' off.')
  })

  await expectWritten(replyField(page), 'Please switch it off.')
})

/** Keys without a frame between them. */
async function keysInOneFrame(page: Page, keys: string[]): Promise<void> {
  await page.evaluate(keys => {
    for (const key of keys) {
      const init = { key, code: `Key${key.toUpperCase()}`, bubbles: true, cancelable: true }
      document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', init))
    }
  }, keys)
}

/** Holds the drafts of this browser back on the pages that are loaded next. Returns what lets them be read. */
async function holdDrafts(page: Page): Promise<() => Promise<void>> {
  await page.addInitScript(() => {
    const released = new Promise<void>(resolve => Object.assign(window, { readDrafts: resolve }))
    const { set } = Object.getOwnPropertyDescriptor(IDBRequest.prototype, 'onsuccess')!
    Object.defineProperty(IDBOpenDBRequest.prototype, 'onsuccess', {
      set(this: IDBRequest, handler: (event: Event) => void) {
        set!.call(this, (event: Event) => void released.then(() => handler(event)))
      }
    })
  })
  return async () => await page.evaluate(() => (window as unknown as { readDrafts(): void }).readDrafts())
}

const holdEditor = async (page: Page) => await hold(page, '**/rich-editor-*.js')

/** Holds requests back. Returns what lets them go. */
async function hold(page: Page, url: string): Promise<() => Promise<void>> {
  const gate = Promise.withResolvers<void>()
  await page.route(url, async route => {
    await gate.promise
    await route.continue()
  })
  return async () => gate.resolve()
}
