import { gzipSync } from 'node:zlib'
import type { Page, Response } from '@playwright/test'
import { expect, test } from '../support/test.ts'

// What a browser with an empty cache loads until somebody sees what they came for: every script, however it is imported.

const kilobytes = 1000

test('the portal loads at most 115 kB of scripts, in few files, before the first ticket or the sign-in', async ({
  desk,
  client,
  page,
  portalPage
}) => {
  await desk.ticket(client)

  const signIn = await weightOf(page, '/sign-in', 'form')
  const tickets = await weightOf(portalPage, '/', 'main li a')

  for (const { bytes, files } of [signIn, tickets]) {
    expect(Math.round(bytes / kilobytes)).toBeLessThanOrEqual(115)
    expect(files).toBeLessThanOrEqual(20)
  }
})

test('the console loads at most 150 kB of scripts, in few files, before the first ticket or the sign-in', async ({
  desk,
  client,
  page,
  consolePage
}) => {
  await desk.ticket(client)

  const signIn = await weightOf(page, '/desk/sign-in', 'form')
  const inbox = await weightOf(consolePage, '/desk/all', 'main li a')

  for (const { bytes, files } of [signIn, inbox]) {
    expect(bytes).toBeLessThanOrEqual(150 * kilobytes)
    expect(files).toBeLessThanOrEqual(20)
  }
})

test('the editor comes apart from the page, once a thread is shown, in at most 80 kB', async ({
  desk,
  client,
  consolePage: page
}) => {
  const { ticket_number } = await desk.ticket(client)
  const parts: Response[] = []
  page.on('response', response => {
    if (/\/rich-editor-[^/]*\.js$/.test(new URL(response.url()).pathname)) parts.push(response)
  })
  await page.goto(`/desk/all/${ticket_number}`)
  await page.locator('[data-composer="reply"][contenteditable="true"]').waitFor()

  const bodies = await Promise.all(parts.map(response => response.body()))
  const bytes = bodies.reduce((sum, body) => sum + gzipSync(body, { level: 9 }).length, 0)
  process.stdout.write(`the editor: ${(bytes / kilobytes).toFixed(1)} kB gzipped in ${bodies.length} scripts\n`)
  expect(bodies.length).toBeGreaterThan(0)
  expect(bytes).toBeLessThanOrEqual(80 * kilobytes)
})

/** The scripts that a first visit requests until this is shown, gzipped. */
async function weightOf(page: Page, path: string, shown: string): Promise<{ bytes: number; files: number }> {
  const responses: Response[] = []
  page.on('response', response => {
    if (response.request().resourceType() === 'script') responses.push(response)
  })
  await page.addInitScript(noteWhenShown, shown)
  await page.goto(path, { waitUntil: 'commit' })
  const shownAt = await (await page.waitForFunction(() => window.shownAt)).jsonValue()
  const before = responses.filter(response => response.request().timing().startTime <= shownAt!)
  const bodies = await Promise.all(before.map(response => response.body()))
  const bytes = bodies.reduce((sum, body) => sum + gzipSync(body, { level: 9 }).length, 0)
  process.stdout.write(`${path}: ${(bytes / kilobytes).toFixed(1)} kB gzipped in ${bodies.length} scripts\n`)
  return { bytes, files: bodies.length }
}

declare global {
  interface Window {
    /** When an element of the page was first there, in milliseconds since 1970. */
    shownAt?: number
  }
}

function noteWhenShown(shown: string): void {
  new MutationObserver((_, observer) => {
    if (!document.querySelector(shown)) return
    window.shownAt = performance.timeOrigin + performance.now()
    observer.disconnect()
  }).observe(document, { childList: true, subtree: true })
}
