import { receive } from '../support/inbound-mail.ts'
import { expect, test } from '../support/test.ts'

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

test('pictures that lie elsewhere are told, loaded if the reader wants them: once, again after a failure, and always from a sender whose e-mail is verified', async ({
  desk,
  client,
  consolePage: page
}) => {
  const there = 'https://pictures.example'
  const mail = (text: string, checks: string) =>
    receive(desk, [
      `Authentication-Results: mx.desk.example; dmarc=${checks} header.from=example.com`,
      `From: Katharina Brandt <${client.email}>`,
      'To: support@desk.example',
      'Subject: The meter',
      'MIME-Version: 1.0',
      'Content-Type: text/html; charset=utf-8',
      '',
      `<p>${text} <img src="${there}/meter.png" alt="meter"> <img src="${there}/gone.png"></p>`,
      `<img src="${there}/pixel.png" width="1" height="1">`,
      ''
    ])
  const { ticket_number: number } = await mail('Look at this meter.', 'pass')
  const uncertain = await mail('And at this one.', 'none')
  const elsewhere: string[] = []
  page.on('request', request => {
    if (request.url().startsWith(there)) elsewhere.push(request.url())
  })
  // The service loads from public addresses alone, of which a test has none.
  let loaded: object[] = []
  await page.route('**/api/admin/mail/pictures', route =>
    route.fulfill({ json: { status: 'success', code: 200, message: 'Pictures loaded', data: { pictures: loaded } } })
  )
  const meter = [{ number: 0, type: 'image/png', content: png.toString('base64') }]

  await page.goto(`/desk/all/${number}`)
  const article = page.getByRole('article').filter({ hasText: 'Look at this meter.' })
  await article.getByText('As sent').click()
  await expect(article.getByText('2 pictures are not loaded')).toBeVisible()
  await article.getByRole('button', { name: 'Load once' }).click()
  await expect(article.getByText('2 pictures could not be loaded')).toBeVisible()
  loaded = meter
  await article.getByRole('button', { name: 'Try again' }).click()
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
  // Anybody can write this sender into an e-mail.
  await page.goto(`/desk/all/${uncertain.ticket_number}`)
  const other = page.getByRole('article').filter({ hasText: 'And at this one.' })
  await expect(other.getByText('It is not certain that this e-mail is from Katharina')).toBeVisible()
  await expect(other.getByText('2 pictures are not loaded')).toBeVisible()
  await other.getByRole('button', { name: 'Load once' }).click()
  await expect(picture).toHaveJSProperty('naturalWidth', 8)
  await page.goto(`/desk/all/${number}`)
  await article.getByRole('button', { name: 'No longer from Katharina' }).click()
  await page.reload()
  await expect(article.getByRole('button', { name: 'Load once' })).toBeVisible()
  expect(elsewhere).toEqual([])
})
