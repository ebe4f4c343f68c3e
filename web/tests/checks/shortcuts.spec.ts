import type { Page } from '@playwright/test'
import { expect, test } from '../support/test.ts'

const plain = [...'abcdefghijklmnopqrstuvwxyz0123456789/?.,;-+*#', 'Enter', 'Escape', 'ArrowDown', 'ArrowUp']
const withControl = [...'abcdefghijklmnopqrstuvwxyz/.', 'Enter']

test('the sheet of shortcuts lists exactly the keys that work on a page', async ({
  desk,
  client,
  consolePage: page
}) => {
  test.slow()
  const { ticket_number, ticket_id } = await desk.ticket(client)
  await desk.ticket(client, { subject: 'Another one' })
  const places = [
    { path: '/desk/all', ready: () => page.getByRole('link', { name: /Another one/ }).focus() },
    { path: `/desk/all/${ticket_number}`, ready: () => page.locator('[data-composer]').waitFor() },
    {
      path: '/desk/search?q=Another',
      ready: () =>
        page
          .getByRole('link', { name: /Another one/ })
          .first()
          .waitFor()
    }
  ]
  for (const { path, ready } of places) {
    const fresh = async () => {
      // Some keys close the ticket, and a closed one is not snoozed.
      await desk.post('/api/admin/tickets/status', { id: ticket_id, status: 'Open' }, desk.admin)
      await page.goto(path)
      await ready()
    }
    await fresh()
    const shown = await keysInSheet(page)
    expect(shown.length, path).toBeGreaterThan(5)
    const candidates = [
      ...plain,
      ...plain.filter(key => /^[a-z]$/.test(key)).map(key => `Shift ${key}`),
      ...withControl.map(key => `Ctrl ${key}`),
      ...plain.filter(key => /^[a-z]$/.test(key)).map(key => `g ${key}`)
    ]
    // What a field handles itself is tried in the field.
    const ofFields = ['Ctrl Enter', 'Enter', 'ArrowDown', 'ArrowUp']
    const expected = shown.filter(key => !ofFields.includes(key))
    await fresh()
    const silent = candidates.filter(key => !shown.includes(key) && !(isSequence(key) && shown.includes(key.slice(2))))
    expect(await handledAmong(page, silent), `${path}: keys that are not in the sheet`).toEqual([])
    for (const key of expected) {
      await fresh()
      // Some keys come with what the page loads last.
      await expect.poll(() => handledAmong(page, [key]), `${path}: ${key} of the sheet`).toEqual([key])
    }
  }
})

async function keysInSheet(page: Page): Promise<string[]> {
  await page.keyboard.press('?')
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' }).locator('[data-shortcut]')
  await keys.first().waitFor()
  return await keys.evaluateAll(all => all.map(one => (one as HTMLElement).dataset.shortcut!))
}

/** Its second key may be one of its own. */
function isSequence(key: string): boolean {
  return key.startsWith('g ')
}

/** Those of these keys that the page takes from the browser, pressed where the focus is. */
async function handledAmong(page: Page, keys: string[]): Promise<string[]> {
  return await page.evaluate(keys => {
    const press = (key: string, modifiers: KeyboardEventInit) => {
      const code = /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : key
      const event = new KeyboardEvent('keydown', { key, code, bubbles: true, cancelable: true, ...modifiers })
      return !(document.activeElement ?? document.body).dispatchEvent(event)
    }
    return keys.filter(shortcut => {
      const [first, second] = shortcut.split(' ')
      if (second === undefined) {
        const isHandled = press(first!, {})
        // The next key must not end a sequence that this one begins.
        press('F13', {})
        return isHandled
      }
      if (first === 'Ctrl') return press(second, { ctrlKey: true })
      if (first === 'Shift') return press(second.toUpperCase(), { shiftKey: true })
      press(first!, {})
      const isHandled = press(second, {})
      // A third key ends a sequence that was begun.
      press('F13', {})
      return isHandled
    })
  }, keys)
}
