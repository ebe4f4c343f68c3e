import type { BrowserContext, Page, Request } from '@playwright/test'
import { expect, test } from '../support/test.ts'

// Browsers open six connections to a server over HTTP/1.1, as here.

test('eight tabs of a browser share one stream for each person, and all stay usable and live', async ({
  desk,
  client,
  pageOf,
  windowOf
}) => {
  const ticket = await desk.ticket(client, { subject: 'Seen in eight tabs' })
  const first = await pageOf(desk.admin)
  const streams = streamsOf(first.context())
  await signIn(first.context(), client, desk.url)
  const tabs = [first, ...(await Promise.all(Array.from({ length: 7 }, () => windowOf(first))))]
  for (const [at, tab] of tabs.entries())
    await tab.goto(at < 4 ? `/desk/all/${ticket.ticket_number}` : `/tickets/${ticket.ticket_number}`)
  for (const tab of tabs) await expect(tab.getByRole('heading', { level: 1, name: ticket.subject })).toBeVisible()

  await desk.post('/api/admin/tickets/reply', { id: ticket.ticket_id, message: 'Is it plugged in?' }, desk.admin)
  for (const tab of tabs) await expect(tab.getByRole('article').filter({ hasText: 'plugged in' })).toBeVisible()
  await Promise.all(tabs.map(tab => tab.reload()))
  for (const tab of tabs) await expect(tab.getByRole('article').filter({ hasText: 'plugged in' })).toBeVisible()
  await desk.post('/api/tickets/reply', { id: ticket.ticket_id, message: 'It is now.' }, client)
  for (const tab of tabs) await expect(tab.getByRole('article').filter({ hasText: 'It is now.' })).toBeVisible()

  expect(streams.open()).toEqual(['/api/admin/events/stream', '/api/events/stream'])
})

test('when the tab with the stream is closed the next one takes over without missing an event', async ({
  desk,
  client,
  pageOf,
  windowOf
}) => {
  const { ticket_id: id, ticket_number } = await desk.ticket(client, { subject: 'Handed over' })
  const leader = await pageOf(desk.admin)
  const streams = streamsOf(leader.context())
  await leader.goto(`/desk/all/${ticket_number}`)
  await expect.poll(() => streams.pages()).toEqual([leader])
  const tabs = [await windowOf(leader), await windowOf(leader)]
  for (const tab of tabs) {
    await tab.goto(`/desk/all/${ticket_number}`)
    await expect(tab.getByRole('heading', { level: 1, name: 'Handed over' })).toBeVisible()
  }
  // An event that came by the former stream, and one while there is none.
  await desk.post('/api/tickets/reply', { id, message: 'While the first tab leads.' }, client)
  for (const tab of tabs) await expect(article(tab, 'While the first tab leads.')).toBeVisible()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await leader.context().route('**/events/stream', async route => {
    await released
    await route.continue()
  })
  const next = leader.context().waitForEvent('request', isStream)
  await leader.close()
  await next
  await desk.post('/api/tickets/reply', { id, message: 'While no tab has a stream.' }, client)
  release()

  for (const tab of tabs) await expect(article(tab, 'While no tab has a stream.')).toBeVisible()
  expect(streams.open()).toEqual(['/api/admin/events/stream'])
})

test('a frozen tab gives the stream to the next one, and has missed nothing when it is resumed', async ({
  desk,
  client,
  pageOf,
  windowOf
}) => {
  const { ticket_id: id, ticket_number } = await desk.ticket(client, { subject: 'Frozen' })
  const frozen = await pageOf(desk.admin)
  const streams = streamsOf(frozen.context())
  await frozen.goto(`/desk/all/${ticket_number}`)
  await expect.poll(() => streams.pages()).toEqual([frozen])
  const other = await windowOf(frozen)
  await other.goto(`/desk/all/${ticket_number}`)
  await expect(other.getByRole('heading', { level: 1, name: 'Frozen' })).toBeVisible()

  await lifecycle(frozen, 'freeze')
  await expect.poll(() => streams.pages()).toEqual([other])
  await desk.post('/api/tickets/reply', { id, message: 'Into the cold.' }, client)
  await expect(article(other, 'Into the cold.')).toBeVisible()
  await lifecycle(frozen, 'resume')

  await expect(article(frozen, 'Into the cold.')).toBeVisible()
  expect(streams.pages()).toEqual([other])
})

test('a tab that hangs loses the stream to a visible one', async ({ desk, client, pageOf, windowOf }) => {
  const { ticket_id: id, ticket_number } = await desk.ticket(client, { subject: 'Hanging' })
  const hanging = await pageOf(desk.admin)
  const streams = streamsOf(hanging.context())
  await hanging.goto(`/desk/all/${ticket_number}`)
  await expect.poll(() => streams.pages()).toEqual([hanging])
  const other = await windowOf(hanging)
  await other.goto(`/desk/all/${ticket_number}`)
  await expect(other.getByRole('heading', { level: 1, name: 'Hanging' })).toBeVisible()
  const protocol = await hanging.context().newCDPSession(hanging)

  await protocol.send('Debugger.enable')
  await protocol.send('Debugger.pause')
  await expect.poll(() => streams.pages().includes(other)).toBe(true)
  await desk.post('/api/tickets/reply', { id, message: 'Past the one that hangs.' }, client)
  await expect(article(other, 'Past the one that hangs.')).toBeVisible()
  await protocol.send('Debugger.disable')

  await expect(article(hanging, 'Past the one that hangs.')).toBeVisible()
  await expect.poll(() => streams.pages()).toEqual([other])
})

test('without locks each visible page has a stream of its own', async ({ desk, client, pageOf, windowOf }) => {
  const { ticket_id: id, ticket_number } = await desk.ticket(client, { subject: 'Without locks' })
  const page = await pageOf(desk.admin)
  await page.context().addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'locks'))
  const streams = streamsOf(page.context())
  const tabs = [page, await windowOf(page)]
  for (const tab of tabs) {
    await tab.goto(`/desk/all/${ticket_number}`)
    await expect(tab.getByRole('heading', { level: 1, name: 'Without locks' })).toBeVisible()
  }
  await expect.poll(() => streams.pages()).toEqual(tabs)
  const see = (isSeen: boolean) =>
    page.evaluate(isSeen => {
      Object.defineProperty(document, 'hidden', { value: !isSeen, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    }, isSeen)

  await see(false)
  await expect.poll(() => streams.pages()).toEqual([tabs[1]])
  await desk.post('/api/tickets/reply', { id, message: 'Nobody looked.' }, client)
  await expect(article(tabs[1]!, 'Nobody looked.')).toBeVisible()
  await see(true)

  await expect(article(page, 'Nobody looked.')).toBeVisible()
})

test('a resumed tab shows the right presence at once', async ({ desk, client, pageOf }) => {
  const hannah = await desk.supporter(['tickets.view_all', 'tickets.reply'], { first_name: 'Hannah' })
  const jonas = await desk.supporter(['tickets.view_all', 'tickets.reply'], { first_name: 'Jonas' })
  const { ticket_number } = await desk.ticket(client, { subject: 'Who is here' })
  const page = await pageOf(hannah)
  const others = await pageOf(jonas)
  for (const each of [page, others]) await each.goto(`/desk/all/${ticket_number}`)
  await expect(page.getByText('Jonas is viewing')).toBeVisible()
  await expect(others.getByText('Hannah is viewing')).toBeVisible()

  await lifecycle(page, 'freeze')
  // The service forgets a person with their last stream.
  await expect(others.getByText('Hannah is viewing')).toBeHidden()
  await others.goto('/desk/closed')
  await lifecycle(page, 'resume')
  await expect(page.getByText('Jonas is viewing')).toBeHidden({ timeout: 5_000 })
  await others.goto(`/desk/all/${ticket_number}`)

  await expect(others.getByText('Hannah is viewing')).toBeVisible({ timeout: 5_000 })
})

test('a person with a ticket in two windows stays present when one of them is closed', async ({
  desk,
  client,
  pageOf,
  windowOf
}) => {
  const hannah = await desk.supporter(['tickets.view_all', 'tickets.reply'], { first_name: 'Hannah' })
  const { ticket_number } = await desk.ticket(client, { subject: 'In two windows' })
  const page = await pageOf(hannah)
  const second = await windowOf(page)
  const others = await pageOf(desk.admin)
  for (const each of [page, second, others]) await each.goto(`/desk/all/${ticket_number}`)
  await expect(others.getByText('Hannah is viewing')).toBeVisible()

  // It may still be saying that it views the ticket.
  const left = second.waitForResponse(
    response => /tickets\/presence/.test(response.url()) && response.request().postDataJSON().state === 'away'
  )
  const saidAgain = page.waitForRequest(/tickets\/presence/, { timeout: 15_000 })
  await second.getByRole('link', { name: 'Closed' }).first().click()
  await left
  await saidAgain

  await expect(others.getByText('Hannah is viewing')).toBeVisible()
})

function article(page: Page, text: string) {
  return page.getByRole('article').filter({ hasText: text })
}

/** Tells the page what the browser tells it. */
async function lifecycle(page: Page, event: 'freeze' | 'resume'): Promise<void> {
  await page.evaluate(event => document.dispatchEvent(new Event(event)), event)
}

function isStream(request: Request): boolean {
  return /\/events\/stream$/.test(request.url())
}

/** The streams of a browser that are open now. */
function streamsOf(context: BrowserContext) {
  const requests = new Map<Request, Page>()
  context.on('request', request => {
    if (isStream(request)) requests.set(request, request.frame().page())
  })
  context.on('requestfailed', request => requests.delete(request))
  context.on('requestfinished', request => requests.delete(request))
  const open = () => [...requests].filter(([, page]) => !page.isClosed())
  return {
    open: () =>
      open()
        .map(([request]) => new URL(request.url()).pathname)
        .sort(),
    pages: () => open().map(([, page]) => page)
  }
}

/** Beside somebody else who is signed in in this browser. */
async function signIn(
  context: BrowserContext,
  { email, password }: { email: string; password: string },
  origin: string
) {
  const headers = { 'X-Deskline-Session': 'client', origin }
  const answer = await context.request.post(`${origin}/api/auth/login`, { headers, data: { email, password } })
  expect(answer.ok()).toBe(true)
}
