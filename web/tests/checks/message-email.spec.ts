import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startDesk } from '../support/desk.ts'
import { receive } from '../support/inbound-mail.ts'
import { test as base, expect } from '../support/test.ts'

/** The desk may load pictures from this machine. */
const test = base.extend<object, { desk: Awaited<ReturnType<typeof startDesk>> }>({
  desk: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants to see what a fixture needs.
    async ({}, use) => {
      const desk = await startDesk({ WEBHOOK_ALLOW_PRIVATE: '127.0.0.1' })
      await use(desk)
      await desk.stop()
    },
    { scope: 'worker', timeout: 90_000 }
  ]
})

test('an e-mail is shown as text with a folded quote, and its original HTML in a frame that loads and runs nothing', async ({
  desk,
  client,
  consolePage: page
}) => {
  const { ticket_number: number } = await receive(desk, [
    `From: Katharina Brandt <${client.email}>`,
    'To: support@desk.example',
    'Subject: About the app',
    'MIME-Version: 1.0',
    'Content-Type: multipart/alternative; boundary=b',
    '',
    '--b',
    'Content-Type: text/plain; charset=utf-8',
    '',
    'It works again.',
    '',
    'On Mon, Nov 16, 2026 Mira wrote:',
    '> Does it?',
    '--b',
    'Content-Type: text/html; charset=utf-8',
    '',
    '<p>It <b style="color:red">works</b> again.</p><img src="http://elsewhere.example/x.png"><script>document.title = "run"</script>',
    '--b--',
    ''
  ])
  const elsewhere: string[] = []
  page.on('request', request => {
    if (!request.url().startsWith(desk.url) && !request.url().startsWith('about:')) elsewhere.push(request.url())
  })

  await page.goto(`/desk/all/${number}`)
  const article = page.getByRole('article').filter({ hasText: 'It works again.' })
  await expect(article.getByText('Does it?')).toBeHidden()
  await article.getByText('Earlier text').click()
  await expect(article.getByText('Does it?')).toBeVisible()
  await article.getByText('As sent').click()
  const frame = page.frameLocator('iframe')
  await expect(frame.getByText('works')).toHaveCSS('color', 'rgb(255, 0, 0)')
  await expect(frame.locator('script')).toHaveCount(0)
  expect(elsewhere).toEqual([])
  // It is remembered for the e-mails of this sender.
  await page.reload()
  await expect(page.frameLocator('iframe').getByText('works')).toBeVisible()
  await article.getByText('Text', { exact: true }).click()
  await expect(page.locator('iframe')).toHaveCount(0)
})

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR4nGNQSDiAFTEMLQkAGplQAT43V5gAAAAASUVORK5CYII=',
  'base64'
)

test('pictures that lie elsewhere are told, loaded once by the service if the reader wants them, and always from a sender', async ({
  desk,
  client,
  consolePage: page
}) => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.headers['user-agent'] ?? 'no browser')
    if (request.url === '/meter.png') response.end(png)
    else response.writeHead(404).end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const there = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { ticket_number: number } = await receive(desk, [
    `From: Katharina Brandt <${client.email}>`,
    'To: support@desk.example',
    'Subject: The meter',
    'MIME-Version: 1.0',
    'Content-Type: text/html; charset=utf-8',
    '',
    `<p>Look at this meter. <img src="${there}/meter.png" alt="meter"> <img src="${there}/gone.png"></p>`,
    `<img src="${there}/pixel.png" width="1" height="1">`,
    ''
  ])
  const elsewhere: string[] = []
  page.on('request', request => {
    if (request.url().startsWith(there)) elsewhere.push(request.url())
  })

  await page.goto(`/desk/all/${number}`)
  const article = page.getByRole('article').filter({ hasText: 'Look at this meter.' })
  await article.getByText('As sent').click()
  await expect(article.getByText('2 pictures are not loaded')).toBeVisible()
  expect(asked).toEqual([])
  await article.getByRole('button', { name: 'Load once' }).click()
  const picture = page.frameLocator('iframe').getByAltText('meter')
  await expect(picture).toHaveAttribute('src', /^data:image\/png;base64,/)
  await expect(picture).toHaveJSProperty('naturalWidth', 8)
  await expect(article.getByText('1 picture could not be loaded')).toBeVisible()
  // Once is once.
  await page.reload()
  await expect(article.getByText('2 pictures are not loaded')).toBeVisible()
  await article.getByRole('button', { name: 'Always from Katharina' }).click()
  await expect(picture).toHaveJSProperty('naturalWidth', 8)
  await page.reload()
  await expect(picture).toHaveJSProperty('naturalWidth', 8)
  await article.getByRole('button', { name: 'No longer from Katharina' }).click()
  await page.reload()
  await expect(article.getByRole('button', { name: 'Load once' })).toBeVisible()
  expect(elsewhere).toEqual([])
  expect(new Set(asked)).toEqual(new Set(['no browser']))
  server.close()
})
