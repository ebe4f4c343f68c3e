import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import type * as library from '../../client/src/index.js'
import { chromiumArguments, executablePath, noChromium } from '../support/chromium.ts'
import { bootDesk } from '../support/desk.ts'
import { aClient, anAdmin, type Person } from '../support/people.ts'
import { root } from '../support/program.ts'

interface Window {
  client: library.PageClient
  ends: library.SessionEnd[]
  begins: library.SessionUser[]
  dialogs: library.SessionUser[]
  /** What the dialog does. */
  answerDialog: (() => Promise<boolean>) | undefined
  outcome(call: Promise<unknown>): Promise<string>
}

declare global {
  var pageWindow: Window
}

const options = { skip: noChromium }
const dayInSeconds = 86_400
const desk = await bootDesk({ connections: 10 })
const browser = noChromium ? undefined : await chromium.launch({ executablePath, args: chromiumArguments })
after(() => browser?.close())

/** A browser; `renewals` tells how often its windows have renewed the session. */
async function aBrowser() {
  const context = await browser!.newContext()
  after(() => context.close())
  await context.route(`${desk.url}/test/**`, async route => {
    const { pathname, searchParams } = new URL(route.request().url())
    const path = pathname.slice('/test'.length)
    if (path === '/page') {
      const body = html(searchParams.get('population')!)
      return await route.fulfill({ contentType: 'text/html', body })
    }
    await route.fulfill({ contentType: 'text/javascript', body: await readFile(join(root, path), 'utf8') })
  })
  let renewals = 0
  context.on('request', request => {
    if (request.url().endsWith('/api/auth/refresh')) renewals++
  })
  return { context, renewals: () => renewals }
}

function html(population: string): string {
  const imports = { 'openapi-fetch': '/test/node_modules/openapi-fetch/dist/index.mjs' }
  return `<!doctype html><script type="importmap">${JSON.stringify({ imports })}</script><script type="module">
    import { createClient } from '/test/client/src/index.js'
    const here = { ends: [], begins: [], dialogs: [], answerDialog: undefined }
    here.outcome = call => call.then(() => 'done', error => error.reason)
    here.client = createClient({
      baseUrl: '', session: 'cookie', population: '${population}',
      onSessionEnd: end => here.ends.push(end),
      onSessionBegin: user => here.begins.push(user),
      reauthenticate(user) {
        here.dialogs.push(user)
        return here.answerDialog ? here.answerDialog() : Promise.resolve(false)
      }
    })
    globalThis.pageWindow = here
  </script>`
}

async function aWindow(context: BrowserContext, population: library.Population = 'client'): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${desk.url}/test/page?population=${population}`)
  await page.waitForFunction(() => globalThis.pageWindow)
  return page
}

async function signIn(page: Page, { email, password }: Person): Promise<void> {
  await page.evaluate(given => globalThis.pageWindow.client.signIn(given), { email, password })
}

const emailHere = (page: Page) => page.evaluate(async () => (await globalThis.pageWindow.client.user())?.email)
const ends = (page: Page) =>
  page.evaluate(() => globalThis.pageWindow.ends.map(({ reason, user }) => [reason, user.email]))
/** What becomes of several calls at once. */
const calls = (page: Page, count = 3) =>
  page.evaluate(
    count =>
      Promise.all(
        Array.from({ length: count }, () =>
          globalThis.pageWindow.outcome(globalThis.pageWindow.client.POST('/api/account/profile'))
        )
      ),
    count
  )
const begun = (page: Page, count: number) =>
  page.waitForFunction(count => globalThis.pageWindow.begins.length >= count, count)

test(
  'a page keeps nothing that a script could take home, and is signed in when it is loaded again',
  options,
  async () => {
    const ada = await aClient(desk)
    const { context } = await aBrowser()
    const page = await aWindow(context)
    assert.equal(await emailHere(page), undefined)

    await signIn(page, ada)
    const stored = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])')
    await page.reload()
    await page.waitForFunction(() => globalThis.pageWindow)

    assert.equal(stored, '[{},{},""]')
    assert.deepEqual(
      (await context.cookies()).map(({ name, httpOnly, sameSite }) => [name, httpOnly, sameSite]).sort(),
      [
        ['deskline-client', true, 'Strict'],
        // It reads articles of the help centre, and nothing else.
        ['deskline-help-client', true, 'Lax']
      ]
    )
    assert.equal(await emailHere(page), ada.email)
    assert.deepEqual(await calls(page), ['done', 'done', 'done'])
  }
)

test('of many calls in several windows whose token has expired one renews it for all', options, async () => {
  const { context, renewals } = await aBrowser()
  const first = await aWindow(context)
  const others = [await aWindow(context), await aWindow(context)]
  for (const page of others) await emailHere(page)
  await signIn(first, await aClient(desk))
  for (const page of others) await begun(page, 1)
  const before = renewals()

  desk.clock.turn(dayInSeconds + 1)
  const outcomes = await Promise.all([first, ...others].map(page => calls(page, 10)))

  assert.deepEqual(new Set(outcomes.flat()), new Set(['done']))
  assert.equal(renewals() - before, 1)
})

test('where a page has no locks windows renew at once, and the session goes on', options, async () => {
  const { context } = await aBrowser()
  await context.addInitScript(() => Object.defineProperty(navigator, 'locks', { value: undefined }))
  const pages = [await aWindow(context), await aWindow(context), await aWindow(context)]
  await signIn(pages[0]!, await aClient(desk))

  for (let day = 0; day < 2; day++) {
    desk.clock.turn(dayInSeconds + 1)
    const outcomes = await Promise.all(pages.map(page => calls(page)))
    assert.deepEqual(new Set(outcomes.flat()), new Set(['done']))
  }
})

test('pages that are left while they ask, again and again, stay signed in', options, async () => {
  const ada = await aClient(desk)
  const { context } = await aBrowser()
  const page = await aWindow(context)
  await signIn(page, ada)

  for (let time = 0; time < 5; time++) {
    await page.evaluate(() => void globalThis.pageWindow.client.user())
    await page.reload()
    await page.waitForFunction(() => globalThis.pageWindow)
  }

  assert.equal(await emailHere(page), ada.email)
})

test('who signs out in one window is signed out in all, but a member of staff beside goes on', options, async () => {
  const [ada, grace] = [await aClient(desk), await anAdmin(desk)]
  const { context } = await aBrowser()
  const [here, there, staff] = [await aWindow(context), await aWindow(context), await aWindow(context, 'staff')]
  await emailHere(there)
  await signIn(here, ada)
  await begun(there, 1)
  await staff.evaluate(given => globalThis.pageWindow.client.signIn(given), {
    email: grace.email,
    password: grace.password
  })

  await here.evaluate(() => globalThis.pageWindow.client.signOut())
  await there.waitForFunction(() => globalThis.pageWindow.ends.length > 0)

  for (const page of [here, there]) {
    assert.deepEqual(await ends(page), [['signed_out', ada.email]])
    assert.deepEqual(await calls(page, 1), ['unauthenticated'])
    assert.deepEqual(await page.evaluate(() => globalThis.pageWindow.dialogs), [])
  }
  assert.deepEqual(await calls(staff), ['done', 'done', 'done'])
  assert.deepEqual((await context.cookies()).map(({ name }) => name).sort(), ['deskline-help-staff', 'deskline-staff'])
})

test('when somebody else signs in another window does nothing in their name', options, async () => {
  const [ada, eve] = [await aClient(desk), await aClient(desk)]
  const { context } = await aBrowser()
  const [here, there] = [await aWindow(context), await aWindow(context)]
  await signIn(here, ada)
  assert.equal(await emailHere(there), ada.email)

  await signIn(here, eve)
  await there.waitForFunction(() => globalThis.pageWindow.ends.length > 0)

  assert.deepEqual(await ends(there), [['replaced', ada.email]])
  assert.deepEqual(await calls(there, 2), ['session_replaced', 'session_replaced'])
  assert.deepEqual(await calls(here, 1), ['done'])
  assert.equal(await emailHere(here), eve.email)
})

test(
  'when the session is over one dialog asks for all calls, which go on once somebody has signed in',
  options,
  async () => {
    const ada = await aClient(desk)
    const { context } = await aBrowser()
    const page = await aWindow(context)
    await signIn(page, ada)
    await desk.post('/api/account/sessions/revoke', ada, { others: 1 })
    await page.evaluate(
      given => {
        globalThis.pageWindow.answerDialog = () => globalThis.pageWindow.client.signIn(given).then(() => true)
      },
      { email: ada.email, password: ada.password }
    )

    const outcomes = await calls(page, 5)

    assert.deepEqual(new Set(outcomes), new Set(['done']))
    assert.deepEqual(await page.evaluate(() => globalThis.pageWindow.dialogs.map(({ email }) => email)), [ada.email])
    assert.deepEqual(await ends(page), [])
  }
)

test('who signs in again in one window answers the dialogs of all', options, async () => {
  const ada = await aClient(desk)
  const { context } = await aBrowser()
  const [here, there] = [await aWindow(context), await aWindow(context)]
  await signIn(here, ada)
  await emailHere(there)
  await desk.post('/api/account/sessions/revoke', ada, { others: 1 })
  for (const page of [here, there]) {
    await page.evaluate(() => {
      globalThis.pageWindow.answerDialog = () => new Promise(() => {})
    })
  }

  const stopped = [calls(here), calls(there)]
  for (const page of [here, there]) await page.waitForFunction(() => globalThis.pageWindow.dialogs.length === 1)
  await signIn(here, ada)

  assert.deepEqual(new Set((await Promise.all(stopped)).flat()), new Set(['done']))
  assert.equal(await there.evaluate(() => globalThis.pageWindow.begins.at(-1)?.email), ada.email)
})

test(
  'a dialog that is left ends the session for good, and one in which somebody else signs in repeats nothing',
  options,
  async () => {
    const [ada, eve] = [await aClient(desk), await aClient(desk)]
    const { context } = await aBrowser()
    const page = await aWindow(context)
    await signIn(page, ada)
    await desk.post('/api/account/sessions/revoke', ada, { others: 1 })
    const left = await calls(page)
    await signIn(page, ada)
    await desk.post('/api/account/sessions/revoke', ada, { others: 1 })
    await page.evaluate(
      given => {
        globalThis.pageWindow.answerDialog = () => globalThis.pageWindow.client.signIn(given).then(() => true)
      },
      { email: eve.email, password: eve.password }
    )

    const others = await calls(page)

    assert.deepEqual([left, others], [Array(3).fill('unauthenticated'), Array(3).fill('unauthenticated')])
    assert.deepEqual(await ends(page), [['expired', ada.email]])
    assert.equal(await emailHere(page), eve.email)
  }
)
