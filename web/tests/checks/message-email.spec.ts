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
