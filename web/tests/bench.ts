import { type CDPSession, chromium, type Page } from '@playwright/test'
import { chromiumArguments, executablePath } from '../../test/support/chromium.ts'
import { type Desk, type Person, startDesk } from './support/desk.ts'

// How quick the pages are on a slow machine: headless Chromium at a quarter of its speed, and first loads over a slow 4G. Prints what
// docs/performance.md tells. `npm run bench:pages -- 10000` says how many tickets the list holds.
const slowdown = 4
const slow4g = { offline: false, latency: 150, downloadThroughput: (1.6 * 1e6) / 8, uploadThroughput: (0.75 * 1e6) / 8 }
const tickets = Number(process.argv[2] ?? 10_000)

const desk = await startDesk()
const browser = await chromium.launch({ executablePath, args: chromiumArguments })
try {
  const client = await desk.client()
  await fill(desk, client, tickets)
  const report: [string, string, string][] = [
    ['first paint, portal, sign-in', await firstPaint('/sign-in'), '1,500 ms'],
    ['first paint, portal, my tickets', await firstPaint('/', client), '1,500 ms'],
    ['first paint, console, inbox', await firstPaint('/desk/all', desk.admin), '1,500 ms'],
    ['first row, portal, my tickets', await firstRow('/', client), '4,000 ms'],
    ['first row, console, inbox', await firstRow('/desk/all', desk.admin), '5,000 ms'],
    ['a ticket that was hovered opens', await openHovered(), '100 ms'],
    [`longest task while ${tickets.toLocaleString('en')} rows scroll`, await scrollAll(), '50 ms'],
    ['a reply of somebody else appears', await replyAppears(client), '1,000 ms']
  ]
  const width = Math.max(...report.map(([name]) => name.length))
  for (const [name, value, aim] of report)
    process.stdout.write(`${name.padEnd(width)}  ${value.padStart(9)}   aim ${aim}\n`)
} finally {
  await browser.close()
  await desk.stop()
}

/** Tickets for the list to hold, sixteen at a time. */
async function fill({ ticket }: Desk, client: Person, count: number): Promise<void> {
  let made = 0
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      while (made++ < count)
        await ticket(client, { subject: `Inverter ${made} is silent`, message: 'It hums no more. '.repeat(4) })
    })
  )
}

/** Median of the first contentful paint of five visits with an empty cache. */
async function firstPaint(path: string, person?: Person): Promise<string> {
  const times: number[] = []
  for (let visit = 0; visit < 5; visit++) {
    const { page, protocol } = await slowPage(person)
    await protocol.send('Network.emulateNetworkConditions', slow4g)
    await page.goto(desk.url + path)
    times.push(await page.evaluate(paintOf))
    await page.context().close()
  }
  return milliseconds(median(times))
}

/** Median of the time until the first ticket of a list is shown, of five visits with an empty cache. */
async function firstRow(path: string, person: Person): Promise<string> {
  const times: number[] = []
  for (let visit = 0; visit < 5; visit++) {
    const { page, protocol } = await slowPage(person)
    await protocol.send('Network.emulateNetworkConditions', slow4g)
    await page.goto(desk.url + path, { waitUntil: 'commit' })
    times.push(await page.evaluate(firstRowAt))
    await page.context().close()
  }
  return milliseconds(median(times))
}

/** From the press of the button to the thread on the screen, of ten tickets on which the pointer rested. */
async function openHovered(): Promise<string> {
  const { page } = await slowPage(desk.admin)
  await page.goto(`${desk.url}/desk/all`)
  const rows = page.locator('main li a')
  await rows.nth(10).waitFor()
  const times: number[] = []
  for (let row = 0; row < 10; row++) {
    const link = rows.nth(row)
    const loaded = page.waitForResponse(/tickets\/detail/)
    await link.hover()
    await loaded
    await page.waitForTimeout(200)
    times.push(await link.evaluate(openedAfter))
    await page.goBack()
    await rows.nth(10).waitFor()
  }
  await page.context().close()
  return milliseconds(median(times))
}

/** The longest task while the list is scrolled from its beginning to its end: the median of three times. */
async function scrollAll(): Promise<string> {
  const longest: number[] = []
  for (let time = 0; time < 3; time++) longest.push(await scrollOnce())
  return milliseconds(median(longest))
}

async function scrollOnce(): Promise<number> {
  const { page } = await slowPage(desk.admin)
  await page.goto(`${desk.url}/desk/all`)
  const rows = page.locator('main li a')
  await rows.nth(10).waitFor()
  await page.evaluate(watchTasks)
  await rows.nth(5).hover()
  for (let screens = 0; screens < 400; screens++) {
    await page.mouse.wheel(0, 800)
    await page.waitForTimeout(30)
  }
  const longest = await page.evaluate(() => (window as unknown as Tasks).longestTask)
  await page.context().close()
  return longest
}

async function replyAppears(client: Person): Promise<string> {
  const { page } = await slowPage(desk.admin)
  const { ticket_id: id, ticket_number } = await desk.ticket(client)
  await page.goto(`${desk.url}/desk/all/${ticket_number}`)
  await page.getByText('It hums no more.').first().waitFor()
  const times: number[] = []
  for (let reply = 0; reply < 5; reply++) {
    const message = `Reply number ${reply} of a person`
    await desk.post('/api/tickets/reply', { id, message }, client)
    const answered = performance.now()
    await page.locator('main article', { hasText: message }).waitFor()
    times.push(performance.now() - answered)
  }
  await page.context().close()
  return milliseconds(median(times))
}

async function slowPage(person?: Person): Promise<{ page: Page; protocol: CDPSession }> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  if (person) {
    const path = person.population === 'client' ? '/api/auth/login' : '/api/admin/auth/login'
    const headers = { 'X-Deskline-Session': person.population, origin: desk.url }
    await context.request.post(desk.url + path, { headers, data: { email: person.email, password: person.password } })
  }
  const page = await context.newPage()
  const protocol = await context.newCDPSession(page)
  await protocol.send('Network.enable')
  await protocol.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  return { page, protocol }
}

interface Tasks {
  longestTask: number
}

function watchTasks(): void {
  const watched = window as unknown as Tasks
  watched.longestTask = 0
  new PerformanceObserver(list => {
    for (const { duration } of list.getEntries()) watched.longestTask = Math.max(watched.longestTask, duration)
  }).observe({ type: 'longtask' })
}

async function paintOf(): Promise<number> {
  return await new Promise(resolve => {
    new PerformanceObserver(list => {
      const paint = list.getEntriesByName('first-contentful-paint')[0]
      if (paint) resolve(paint.startTime)
    }).observe({ type: 'paint', buffered: true })
  })
}

/** In the page: when the first row of its list was painted. */
async function firstRowAt(): Promise<number> {
  const frame = () => new Promise(resolve => requestAnimationFrame(resolve))
  while (!document.querySelector('main li a')) await frame()
  await frame()
  return performance.now()
}

/** In the page: presses the link, and answers after how many milliseconds an article of the thread is painted. */
async function openedAfter(link: HTMLElement | SVGElement): Promise<number> {
  const began = performance.now()
  ;(link as HTMLElement).click()
  while (!document.querySelector('main article')) await new Promise(resolve => requestAnimationFrame(resolve))
  return performance.now() - began
}

function median(values: number[]): number {
  return values.sort((one, other) => one - other)[values.length >> 1]!
}

function milliseconds(value: number): string {
  return `${Math.round(value).toLocaleString('en')} ms`
}
