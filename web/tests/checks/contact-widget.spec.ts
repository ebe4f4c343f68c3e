import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expectAccessibleInEachWindow } from '../support/axe.ts'
import { type Desk, expect, test } from '../support/test.ts'

/** A page of another site, whose policy allows the script and the frame of the desk, and nothing else: no style either. */
async function otherSite(desk: Desk, attributes = '') {
  const page = `<!doctype html><html lang="de"><title>Shop</title><h1>Shop</h1><script src="${desk.url}/widget.js" ${attributes} async></script></html>`
  const policy = `default-src 'none'; script-src ${desk.url}; frame-src ${desk.url}; require-trusted-types-for 'script'`
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': policy }).end(page)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { origin, close: () => server.close() }
}

async function settings(desk: Desk, changes: object): Promise<void> {
  await desk.post('/api/admin/settings/update', changes as never, desk.admin)
}

async function anArticle(desk: Desk): Promise<void> {
  const { category } = await desk.post(
    '/api/admin/kb/categories/create',
    { name: { en: 'Shop' }, audience: 'public' } as never,
    desk.admin
  )
  const texts = { en: { title: 'Where my quagga is', markdown: 'A quagga takes **two days**.' } }
  const { article } = await desk.post('/api/admin/kb/articles/create', { category_id: category.id, texts }, desk.admin)
  await desk.post('/api/admin/kb/articles/publish', { id: article.id }, desk.admin)
}

test('K15 a strict page of another origin shows the widget: search, article, ticket, with the keyboard', async ({
  desk,
  pageOf
}) => {
  await anArticle(desk)
  const site = await otherSite(desk, 'data-locale="en"')
  await settings(desk, { widget_origins: [site.origin], tickets_without_account: 1 })
  const page = await pageOf()
  await page.goto(site.origin)

  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  const frame = page.frameLocator('iframe[title="Help"]')
  await frame.getByRole('searchbox').fill('quagga')
  await expect(frame.getByRole('status')).toHaveText('1 article')
  await frame.getByRole('link', { name: /Where my quagga is/ }).click()
  await expect(frame.getByText('two days')).toBeVisible()
  await frame.getByRole('link', { name: 'Write to us' }).click()
  await frame.getByLabel('Your name').fill('Katharina Brandt')
  await frame.getByLabel('Your e-mail address').fill('katharina.quagga@example.com')
  const departments = frame.getByLabel('Whom do you write to?')
  if (await departments.isVisible()) await departments.selectOption({ index: 1 })
  await frame.getByLabel('Subject').fill('It is late')
  await frame.getByLabel('Message').fill('By three days.')
  await frame.getByRole('button', { name: 'Send' }).click()
  await expect(frame.getByText('Thank you. An e-mail to your address')).toBeVisible()
  await frame.getByRole('link', { name: 'Back' }).press('Escape')
  await expect(page.locator('iframe[title="Help"]')).toBeHidden()
  await expect(page.getByRole('button', { name: 'Help', exact: true })).toBeFocused()

  const found = await desk.post('/api/admin/search', { query: 'katharina.quagga' }, desk.admin)
  expect(JSON.stringify(found)).toContain('It is late')
  expect(await page.context().cookies()).toEqual([])
  site.close()
})

test('K15 whom the site has signed writes without name and address; a page that is not allowed shows nothing', async ({
  desk,
  browser
}) => {
  const { secret } = await desk.post('/api/admin/widget/rotate', {}, desk.admin)
  const claims = { email: 'ada.site@example.com', name: 'Ada Site', exp: Math.floor(Date.now() / 1000) + 600 }
  const payload = Buffer.from(JSON.stringify(claims)).toString('base64url')
  const identity = `${payload}.${createHmac('sha256', secret).update(payload).digest('base64url')}`
  const [site, stranger] = [await otherSite(desk, `data-identity="${identity}"`), await otherSite(desk)]
  await settings(desk, { widget_origins: [site.origin], tickets_without_account: 0 })
  const page = await browser.newPage()
  await page.goto(site.origin)

  // The language of the page, as none was asked for.
  await page.getByRole('button', { name: 'Hilfe', exact: true }).click()
  const frame = page.frameLocator('iframe')
  await frame.getByRole('link', { name: 'Schreiben Sie uns' }).click()
  await expect(frame.getByText('Sie schreiben als Ada Site, ada.site@example.com')).toBeVisible()
  await expect(frame.getByLabel('Ihre E-Mail-Adresse')).toHaveCount(0)

  await page.goto(stranger.origin)
  const refused = page.waitForEvent('console', message => message.text().includes('frame-ancestors'))
  await page.getByRole('button', { name: 'Hilfe', exact: true }).click()
  await refused
  await expect(page.frameLocator('iframe').getByRole('searchbox')).toHaveCount(0)
  await page.close()
  site.close()
  stranger.close()
})

test('K15 where the site’s visitor signs out, or another signs in, nobody writes as the former one, or reads what they typed', async ({
  desk,
  browser
}) => {
  const { secret } = await desk.post('/api/admin/widget/rotate', {}, desk.admin)
  const signed = (name: string) => {
    const claims = { email: `${name}@example.com`, name, exp: Math.floor(Date.now() / 1000) + 600 }
    const payload = Buffer.from(JSON.stringify(claims)).toString('base64url')
    return `${payload}.${createHmac('sha256', secret).update(payload).digest('base64url')}`
  }
  const site = await otherSite(desk, 'data-locale="en"')
  await settings(desk, { widget_origins: [site.origin], tickets_without_account: 1 })
  const page = await browser.newPage()
  await page.goto(site.origin)
  const identify = (identity: string | null) =>
    page.evaluate(
      given => (globalThis as never as { Deskline: { identify(given: unknown): void } }).Deskline.identify(given),
      identity
    )
  await page.getByRole('button', { name: 'Help', exact: true }).click()
  const frame = page.frameLocator('iframe')
  await frame.getByRole('link', { name: 'Write to us' }).click()
  await frame.getByLabel('Message').fill('As a stranger')

  await identify(signed('alice'))
  await expect(frame.getByText('You write as alice')).toBeVisible()
  await expect(frame.getByLabel('Message')).toHaveValue('As a stranger')
  await frame.getByLabel('Message').fill('Of Alice alone')
  await identify(signed('bob'))
  await expect(frame.getByText('You write as bob')).toBeVisible()
  await expect(frame.getByLabel('Message')).toHaveValue('')
  await frame.getByLabel('Message').fill('Of Bob alone')
  await identify(null)
  await expect(frame.getByLabel('Your e-mail address')).toHaveValue('')
  await expect(frame.getByLabel('Message')).toHaveValue('')
  await page.close()
  site.close()
})

test('K15 the pages of the frame work without a script, and axe finds no fault in them', async ({ desk, pageOf }) => {
  await settings(desk, { tickets_without_account: 1 })
  const plain = await pageOf(undefined, { javaScriptEnabled: false })
  await plain.goto('/widget/en?search=nothinghasthis')
  await expect(plain.getByRole('status')).toHaveText('Nothing has these words.')
  await plain.getByRole('link', { name: 'Write to us' }).click()
  await expect(plain.getByLabel('Subject')).toHaveValue('nothinghasthis')
  const page = await pageOf()
  for (const path of ['/widget/en', '/widget/en?search=e', '/widget/de/write', '/widget/en/articles/999999']) {
    await page.goto(path)
    await expectAccessibleInEachWindow(page, path)
  }
})

test('an admin says which sites show the widget, and makes its secret, which is shown once', async ({
  desk,
  consolePage: page
}) => {
  await settings(desk, { widget_origins: [] })
  await page.goto('/desk/settings/help')
  await page.getByLabel('Sites that may show it').fill('nowhere')
  const save = page.getByRole('button', { name: 'Save', exact: true }).nth(1)
  await save.click()
  await expect(page.getByText('Write the beginning of each site’s address')).toBeVisible()
  await page.getByLabel('Sites that may show it').fill('https://WWW.Example.com/contact\nhttp://localhost:8080')
  await save.click()
  await expect(page.getByLabel('Sites that may show it')).toHaveValue('https://www.example.com\nhttp://localhost:8080')
  await expect(page.getByText(`<script src="${desk.url}/widget.js" async></script>`)).toBeVisible()
  await page.getByRole('button', { name: /Make a( new)? secret/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Make a secret' }).click()
  await expect(page.getByRole('dialog').locator('code')).toHaveText(/^[\w-]{43}$/)
  await page.getByRole('button', { name: 'I have kept it' }).click()
  await expect(page.getByRole('button', { name: 'Make a new secret' })).toBeVisible()
  await expectAccessibleInEachWindow(page, 'help settings')
})
