import { type BrowserContext, type BrowserContextOptions, test as base, expect, type Page } from '@playwright/test'
import { type Desk, type Person, startDesk } from './desk.ts'

export type { Desk, Person }
export { expect }

interface Fixtures {
  /** What the member of staff of `consolePage` was granted: `test.use({ grants: ['tickets.reply'] })`. Admins may do all. */
  grants: NonNullable<Parameters<Desk['supporter']>[0]> | 'admin'
  /** A new client of this test, and the portal where this client is signed in. */
  client: Person
  portalPage: Page
  /** The member of staff of this test, and the console where this person is signed in. */
  member: Person
  consolePage: Page
  /** A page in a browser of its own, signed in as somebody through the cookie, or as nobody. */
  pageOf(person?: Person, options?: BrowserContextOptions): Promise<Page>
  /** Another window of the same browser. */
  windowOf(page: Page): Promise<Page>
  /** What browsers complained of: errors of scripts, and what the policy of the pages forbade. It must be empty at the end. */
  complaints: string[]
}

/** Tests of the pages. A desk serves all tests of a worker, so that each makes the people and tickets that it is about. */
export const test = base.extend<Fixtures, { desk: Desk }>({
  desk: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants to see what a fixture needs.
    async ({}, use) => {
      const desk = await startDesk()
      await use(desk)
      await desk.stop()
    },
    { scope: 'worker', timeout: 90_000 }
  ],
  grants: ['admin', { option: true }],

  baseURL: async ({ desk }, use) => use(desk.url),

  complaints: [
    // biome-ignore lint/correctness/noEmptyPattern: as above
    async ({}, use) => {
      const complaints: string[] = []
      await use(complaints)
      expect(complaints, 'what the browser complained of').toEqual([])
    },
    { auto: true }
  ],

  page: async ({ page, complaints }, use) => {
    listen(page, complaints)
    await use(page)
  },

  pageOf: async ({ browser, desk, contextOptions, complaints }, use) => {
    const contexts: BrowserContext[] = []
    await use(async (person, options = {}) => {
      const context = await browser.newContext({ baseURL: desk.url, ...contextOptions, ...options })
      contexts.push(context)
      if (person) await signIn(context, desk, person)
      context.on('page', page => listen(page, complaints))
      return await context.newPage()
    })
    await Promise.all(contexts.map(context => context.close()))
  },

  // biome-ignore lint/correctness/noEmptyPattern: as above
  windowOf: async ({}, use) => use(page => page.context().newPage()),

  client: async ({ desk }, use) => use(await desk.client()),
  member: async ({ desk, grants }, use) => use(grants === 'admin' ? desk.admin : await desk.supporter(grants)),
  portalPage: async ({ pageOf, client }, use) => use(await pageOf(client)),
  consolePage: async ({ pageOf, member }, use) => use(await pageOf(member))
})

/** Signs in as the pages do: the refresh token goes into the browser's cookie. */
async function signIn(context: BrowserContext, { url }: Desk, { population, email, password }: Person) {
  const path = population === 'client' ? '/api/auth/login' : '/api/admin/auth/login'
  const answer = await context.request.post(url + path, {
    headers: { 'X-Deskline-Session': population, origin: url },
    data: { email, password }
  })
  expect(answer.status(), await answer.text()).toBe(200)
}

function listen(page: Page, complaints: string[]): void {
  page.on('pageerror', error => complaints.push(`${page.url()}: ${error.stack ?? error.message}`))
  page.on('console', message => {
    const text = message.text()
    if (/Content Security Policy|Refused to/.test(text)) complaints.push(`${page.url()}: ${text}`)
  })
}
