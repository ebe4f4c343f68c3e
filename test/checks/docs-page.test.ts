import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Browser, chromium } from 'playwright-core'
import { endpoints } from '../../src/endpoints.ts'
import { chromiumArguments, executablePath, noChromium } from '../support/chromium.ts'
import { bootDesk } from '../support/desk.ts'
import { aClient } from '../support/people.ts'

const desk = await bootDesk()
const skip = noChromium

test('the reference page shows every operation, its aliases by what they stand for, and what a word filters; it asks nobody else for anything and obeys its own policy', {
  skip
}, async () => {
  // Only what is in sight is drawn.
  await withPage({ height: 20_000 }, async ({ open, requests, complaints }) => {
    const page = await open('/docs')

    await page
      .locator('.opblock')
      .nth(endpoints.length - 1)
      .waitFor()
    const operations = await page.locator('.opblock').count()

    assert.ok(operations >= endpoints.length, `${operations} operations for ${endpoints.length} endpoints`)
    assert.match((await page.locator('.info').textContent()) ?? '', /Deskline/)
    assert.ok(requests.length > 4)
    assert.deepEqual(
      requests.filter(url => !url.startsWith(desk.url) && !url.startsWith('data:')),
      []
    )
    const paths = await page.locator('.opblock-summary-path').allTextContents()
    assert.equal(paths.filter(path => path.includes('{id}')).length, 0)

    await page.locator('.operation-filter-input').fill('departments')
    await page.locator('.opblock-tag[data-tag="check"]').waitFor({ state: 'detached' })
    const left = await page.locator('.opblock-tag').allTextContents()

    assert.ok(left.every(tag => tag.includes('departments')))
    assert.deepEqual(complaints, [])
  })
})

test('a reader enters a token, which is there after a reload, and tries an operation with it', { skip }, async () => {
  await withPage({ height: 800 }, async ({ open, complaints }) => {
    const client = await aClient(desk)
    const page = await open('/docs/#/account/accountProfile')

    await page.locator('.auth-wrapper .authorize').first().click()
    const session = page.locator('.auth-container form').filter({ hasText: 'bearer (http' })
    await session.locator('input').fill(client.token)
    await session.locator('.authorize').click()
    await page.reload()
    await page.locator('.opblock.is-open .try-out__btn').click()
    await page.locator('.opblock.is-open .execute').click()
    const answer = page.locator('.opblock.is-open .live-responses-table tbody .response-col_description')
    await answer.waitFor()

    assert.ok((await answer.textContent())?.includes(client.email))
    assert.deepEqual(complaints, [])
  })
})

let browser: Promise<Browser> | undefined
after(async () => (await browser)?.close())

interface Opened {
  open(path: string): Promise<Awaited<ReturnType<Browser['newPage']>>>
  /** Every address that the browser asked for. */
  requests: string[]
  /** What the browser complained of: errors of scripts, of loading, of the page's policy. */
  complaints: string[]
}

async function withPage({ height }: { height: number }, work: (opened: Opened) => Promise<void>): Promise<void> {
  browser ??= chromium.launch({ executablePath, args: chromiumArguments })
  const requests: string[] = []
  const complaints: string[] = []
  const page = await (await browser).newPage({ viewport: { width: 1280, height } })
  page.setDefaultTimeout(120_000)
  page.on('request', request => requests.push(request.url()))
  page.on('pageerror', error => complaints.push(error.message))
  page.on('requestfailed', request => complaints.push(`${request.url()} failed`))
  page.on('console', message => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  const open = async (path: string) => {
    await page.goto(desk.url + path)
    return page
  }
  await work({ open, requests, complaints })
  await page.close()
}
