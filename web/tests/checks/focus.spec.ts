import type { Page } from '@playwright/test'
import { queueOf } from '../support/queue.ts'
import { expect, test } from '../support/test.ts'

test('focused controls show the focus, and no fixed element covers them', async ({ desk, client, pageOf }) => {
  const queue = await queueOf(desk, 'Focus')
  await queue.tickets(client, ...Array.from({ length: 9 }, (_, at) => `Row ${at}`))
  const ticket = await desk.ticket(client, { deptid: queue.deptid, message: 'A long story. '.repeat(400) })
  const page = await pageOf(desk.admin)
  for (const viewport of [
    { width: 1280, height: 560 },
    { width: 390, height: 640 }
  ]) {
    await page.setViewportSize(viewport)
    for (const path of [
      queue.path,
      `${queue.path}/${ticket.ticket_number}`,
      '/desk/settings/portal',
      '/desk/staff/1'
    ]) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
      const faults = await faultsByTab(page)
      expect.soft(faults, `${path} at ${viewport.width} px`).toEqual([])
    }
  }
})

/** Goes through all that Tab leads to, and tells of what does not show its focus or lies under something else. */
async function faultsByTab(page: Page): Promise<string[]> {
  const faults: string[] = []
  const seen = new Set<string>()
  for (let stop = 0; stop < 90; stop++) {
    await page.keyboard.press('Tab')
    const { key, fault } = await page.evaluate(lookAtFocus)
    // Once around.
    if (seen.has(key)) break
    seen.add(key)
    // What is still being drawn or scrolled is looked at again.
    if (fault && (await staysAtFault(page))) faults.push(`${key}: ${fault}`)
  }
  expect(seen.size, 'what Tab leads to').toBeGreaterThan(5)
  return faults
}

function staysAtFault(page: Page): Promise<boolean> {
  return expect
    .poll(async () => (await page.evaluate(lookAtFocus)).fault, { timeout: 5000 })
    .toBeUndefined()
    .then(
      () => false,
      () => true
    )
}

function lookAtFocus(): { key: string; fault?: string } {
  const element = document.activeElement
  if (!element || element === document.body) return { key: 'body' }
  const at = [...document.querySelectorAll('*')].indexOf(element)
  const key = `${at} ${element.outerHTML.slice(0, 120)}`
  // The box of what is drawn by its label is the label's.
  const label = (element as HTMLInputElement).labels?.[0] ?? element.closest('label')
  const isTiny = element.getBoundingClientRect().width < 4
  const shown = isTiny && label ? label : element
  const { left, right, top, bottom } = shown.getBoundingClientRect()
  const [x, y] = [(left + right) / 2, (top + Math.min(bottom, top + 40)) / 2]
  const over = document.elementFromPoint(x, y)
  if (!over) return { key, fault: `out of sight at ${Math.round(x)}, ${Math.round(y)}` }
  const isOwn = shown.contains(over) || over.contains(shown) || (label?.contains(over) ?? false)
  if (!isOwn) return { key, fault: `covered by ${over.outerHTML.slice(0, 120)}` }

  // A field may be a part of the box that shows it.
  const around: (Element | null | undefined)[] = [element, element.nextElementSibling, label]
  for (let box = element.parentElement; box && around.length < 8; box = box.parentElement) around.push(box)
  const isRinged = around.some(each =>
    [undefined, '::before', '::after'].some(part => {
      if (!each) return false
      const { outlineStyle, outlineWidth } = getComputedStyle(each, part)
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2
    })
  )
  return isRinged ? { key } : { key, fault: 'no ring' }
}
