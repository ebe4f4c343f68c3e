import { listIn, queueOf } from '../support/queue.ts'
import { expect, test } from '../support/test.ts'

const rowsInAll = 10_000

test('ten thousand rows scroll without a task that is long', async ({ desk, client, consolePage: page, browser }) => {
  test.setTimeout(240_000)
  const queue = await queueOf(desk, 'Many')
  await queue.tickets(client, 'The one that is there')
  // What the service would answer page by page, made from one real row.
  await page.route('**/api/admin/tickets/list', async route => {
    const { cursor, limit = 20 } = route.request().postDataJSON()
    const answer = await (await route.fetch({ postData: { department_id: queue.deptid, limit: 1 } })).json()
    const [row] = answer.data.tickets
    const from = Number(cursor ?? 0)
    const tickets = Array.from({ length: Math.min(limit, rowsInAll - from) }, (_, at) => ({
      ...row,
      id: 1_000_000 + from + at,
      ticket_number: `TIC-${100_000 + from + at}`,
      subject: `Ticket ${from + at}`
    }))
    const next_cursor = from + limit < rowsInAll ? String(from + limit) : null
    await route.fulfill({ json: { ...answer, data: { ...answer.data, tickets, total: rowsInAll, next_cursor } } })
  })
  await page.goto(queue.path)
  const { rows } = listIn(page)
  await rows.first().waitFor()

  const list = page.getByRole('list', { name: queue.name })
  const scrollTo = (part: number) =>
    list.evaluate((list, part) => {
      const scroller = list.parentElement!
      scroller.scrollTop = scroller.scrollHeight * part
    }, part)
  // All of them are read first, as by somebody who goes to the end.
  await expect
    .poll(
      async () => {
        await scrollTo(1)
        return await page.locator('li[aria-setsize="10000"]').count()
      },
      { timeout: 120_000, intervals: [30] }
    )
    .toBeGreaterThan(0)

  await scrollTo(0)
  await rows.first().focus()
  await browser.startTracing(page, { categories: ['toplevel', 'disabled-by-default-devtools.timeline', '__metadata'] })
  await list.evaluate(async list => {
    const frame = () => new Promise(resolve => requestAnimationFrame(resolve))
    // A hard flick: 3600 px in a second.
    for (let step = 0; step < 200; step++) {
      list.parentElement!.scrollTop += 60
      await frame()
    }
  })
  await expect(page.locator('[data-ticket="1000000"]')).toBeFocused()
  const tasks = tasksIn(await browser.stopTracing())
  const longest = Math.round(Math.max(0, ...tasks))
  const long = tasks.filter(milliseconds => milliseconds > 50).length
  console.log(`10,000 rows at 4 × CPU: the longest of ${tasks.length} tasks took ${longest} ms, ${long} over 50 ms`)
  expect(await rows.count()).toBeLessThan(80)

  // Beside the ticket that is opened its row is still in sight, and again when it is closed.
  const row = page.locator('[data-ticket]').nth(20)
  const opened = page.locator(`[data-ticket="${await row.getAttribute('data-ticket')}"]`)
  await row.click()
  await expect(opened).toHaveAttribute('aria-current', 'page')
  await expect(opened).toBeInViewport()
  await page.goBack()
  await expect(opened).toBeFocused()
  await expect(opened).toBeInViewport()
  expect(long).toBe(0)
})

interface TraceEvent {
  name: string
  tid: number
  /** Microseconds of processor that the task had: others on the machine do not count. */
  tdur?: number
  args: { name?: string }
}

/** A machine that is so much slower than this one, by the processor time of each task: what else runs here does not count. */
const slowness = 4

/** How many milliseconds each task of the page's main thread takes there. */
function tasksIn(trace: Buffer): number[] {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] }
  const main = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(({ tid }) => tid)
  )
  return traceEvents
    .filter(({ name, tid, tdur }) => /RunTask$/.test(name) && main.has(tid) && tdur)
    .map(({ tdur }) => (tdur! / 1000) * slowness)
}
