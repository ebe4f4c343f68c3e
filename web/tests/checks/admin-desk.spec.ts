import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startDesk } from '../support/desk.ts'
import { receive } from '../support/inbound-mail.ts'
import { test as base, type Desk, expect } from '../support/test.ts'

/** A desk of their own: these tests look at it while it is empty, and set what holds for everybody. */
const test = base.extend<object, { desk: Desk }>({
  desk: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants to see what a fixture needs.
    async ({}, use) => {
      const desk = await startDesk({
        WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8',
        IMAP_URL: 'imap://support%40desk.example:s3cret@127.0.0.1:1/INBOX'
      })
      await use(desk)
      await desk.stop()
    },
    { scope: 'worker', timeout: 90_000 }
  ]
})

test('the first steps offer the zone of the browser for the desk', async ({ consolePage: page }) => {
  await page.goto('/desk')
  const step = page.getByRole('listitem').filter({ hasText: 'Choose the time zone of the desk' })
  await expect(step.getByRole('button', { name: 'Choose the time zone of the desk: Europe/Berlin' })).toBeVisible()

  await step.getByRole('button', { name: 'Save' }).click()
  await expect(step).toContainText('Europe/Berlin')
  await page.reload()

  await expect(page.getByText('2 of 6 done')).toBeVisible()
  await expect(step).toHaveCount(0)
})

test('the first steps lead an admin to a customer, a supporter and an address', async ({ desk, consolePage: page }) => {
  await desk.post('/api/admin/settings/update', { time_zone: 'Europe/Berlin' }, desk.admin)
  await page.goto('/desk')
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible()
  const card = page.getByRole('region', { name: /First steps|Your desk is ready/ })
  await expect(card.getByText('2 of 6 done')).toBeVisible()
  await expect(card.getByRole('link', { name: 'Open the customer portal' })).toHaveAttribute('href', '/')
  // The departments are there already: what is done is not shown.
  const steps = card.getByRole('listitem')
  await expect(steps).toHaveCount(4)

  await page.getByRole('button', { name: 'Choose password' }).click()
  await page.getByLabel('Current password').fill(desk.admin.password)
  await page.getByLabel('New password').fill('a sentence of mine')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(steps.nth(0)).toContainText('no longer uses the published password')

  await page.getByRole('button', { name: 'Invite customer' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('First name').fill('Test')
  await dialog.getByLabel('Last name').fill('Customer')
  await dialog.getByLabel('E-mail').fill('me.too@example.com')
  await dialog.getByRole('button', { name: 'Invite customer' }).click()
  await expect(page.getByText('An invitation is on its way to me.too@example.com.')).toBeVisible()
  expect((await desk.outbox.emailTo('me.too@example.com')).text).toContain('http')
  await expect(steps.nth(1)).toContainText('Your test customer can write to you.')

  await page.getByRole('button', { name: 'Add supporter' }).click()
  await dialog.getByLabel('First name').fill('Hannah')
  await dialog.getByLabel('Last name').fill('Lindqvist')
  await dialog.getByLabel('E-mail').fill('hannah@example.com')
  await dialog.getByLabel('First password').fill('a long sentence')
  await dialog.getByRole('button', { name: 'Add supporter' }).click()
  await expect(steps.nth(2)).toContainText('Your first supporter is there.')

  await steps.nth(3).getByRole('link', { name: 'Open settings' }).click()
  await expect(page.getByText('INBOX at 127.0.0.1')).toBeVisible()
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await expect(page.getByText('Nobody answers at 127.0.0.1:1').last()).toBeVisible()
  await page.getByRole('button', { name: 'Add address' }).click()
  await page.getByLabel('E-mail', { exact: true }).fill('support@desk.example')
  await page.getByRole('button', { name: 'Save addresses' }).click()
  await page.getByRole('link', { name: 'Overview' }).click()
  await expect(steps).toHaveCount(1)
  await expect(steps).toContainText('Now send an e-mail to support@desk.example.')
  await receive(desk, ['From: ada@example.org', 'To: support@desk.example', 'Subject: Help', '', 'Please.', ''])
  await page.getByRole('link', { name: 'General' }).click()
  await page.reload()
  await page.getByRole('link', { name: 'Overview' }).click()
  // All is done, and what was changed is told in words.
  await expect(page.getByRole('region', { name: 'Changed lately' })).toContainText('Hannah Lindqvist')
  await expect(card).toHaveCount(0)
  await page.goto('/desk')
  await expect(page).toHaveURL(/\/desk\/all/)

  // The other tests of this desk sign in with the password that it began with.
  const { email, password } = desk.admin
  const changed = await tokenOf(desk, email, 'a sentence of mine')
  await desk.post(
    '/api/account/password',
    { current_password: 'a sentence of mine', new_password: password },
    { token: changed }
  )
  desk.admin.token = await tokenOf(desk, email, password)
})

async function tokenOf(desk: Desk, email: string, password: string): Promise<string> {
  const session = await desk.post('/api/admin/auth/login', { email, password })
  if (!('token' in session)) throw new Error('a second factor is wanted')
  return session.token
}

test('settings take effect at once, and branding is checked before it is saved', async ({
  desk,
  consolePage: page
}) => {
  await page.goto('/desk/settings/email')
  const saved = page.getByRole('main').getByText('Saved', { exact: true })
  await page.getByLabel('E-mails of people without an account').selectOption('Hold them')
  await expect(saved).toBeVisible()
  await page.getByRole('button', { name: 'Add address' }).click()
  // The desk may have an address already.
  const address = page.getByRole('textbox', { name: 'E-mail', exact: true }).last()
  await address.fill('support@example.com')
  await page.getByLabel('Department', { exact: true }).last().selectOption('Billing Department')
  await page.getByRole('button', { name: 'Save addresses' }).click()
  await expect(page.getByRole('button', { name: 'Save addresses' })).toHaveCount(0)
  await page.reload()
  await expect(page.locator('input[type=email][value="support@example.com"]')).toBeVisible()
  await expect(page.getByLabel('E-mails of people without an account')).toHaveValue('hold')

  await page.getByRole('link', { name: 'General' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'General' })).toBeVisible()
  await page.getByRole('textbox', { name: 'Name' }).fill('Nordlicht Energie')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(saved).toBeVisible()
  // The desk may have another zone than UTC already.
  await page.getByRole('button', { name: /^Time zone: / }).click()
  await page.getByRole('combobox', { name: 'Time zone' }).fill('berl')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Time zone: Europe/Berlin' })).toBeVisible()

  await page.getByRole('link', { name: 'Portal', exact: true }).click()
  await page.getByRole('switch', { name: 'Tickets without an account' }).click()
  await expect(saved).toBeVisible()
  await expect(saved).toHaveCount(0)
  const accent = page.getByLabel('Accent colour', { exact: true })
  await accent.fill('#ffe97a')
  await expect(page.getByText('Too light: it needs a contrast of at least 3 to 1 on white.')).toBeVisible()
  await accent.fill('#1d6b40')
  // What somebody else has set meanwhile is not taken back.
  const { version } = await desk.post('/api/admin/settings/detail', {}, desk.admin)
  await desk.post('/api/admin/settings/update', { phone: '+49 30 1234', expected_version: version }, desk.admin)
  const read = page.waitForResponse('**/api/admin/settings/detail')
  await page.getByRole('switch', { name: 'Tickets without an account' }).click()
  await read
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(saved.first()).toBeVisible()
  await page.getByTestId('logo').setInputFiles({
    name: 'logo.gif',
    mimeType: 'image/gif',
    buffer: Buffer.from('GIF89a')
  })
  await expect(page.getByText('This is no PNG, JPEG or WebP.')).toBeVisible()
  await page.getByTestId('logo').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: pixel })
  await expect(page.getByRole('img', { name: 'The logo as it is now' })).toBeVisible()
  const shown = await desk.post('/api/desk', {})
  expect([shown.name, shown.accent, shown.phone]).toEqual(['Nordlicht Energie', '#1d6b40', '+49 30 1234'])

  await page.goto('/desk/settings/emails')
  await expect(page).toHaveURL(/\/desk\/account\?part=emails$/)
  const emails = page.getByRole('switch', { name: 'A client answers in my ticket' })
  const wasOn = await emails.isChecked()
  await emails.click()
  await expect(saved.last()).toBeVisible()
  await page.reload()
  await expect(page.getByRole('switch', { name: 'A client answers in my ticket' })).toBeChecked({ checked: !wasOn })

  await page.getByRole('switch', { name: 'Single-key shortcuts' }).click()
  await page.getByRole('group', { name: 'Appearance' }).getByText('Dark').click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(page.getByRole('switch', { name: 'Single-key shortcuts' })).not.toBeChecked()
})

test('a webhook shows its secret once, can be tested, lists its deliveries, and sends what it missed while it was off', async ({
  desk,
  consolePage: page
}) => {
  let isBack = false
  const receiver = createServer((_request, response) =>
    response.writeHead(isBack ? 204 : 503).end(isBack ? undefined : 'Come back later')
  )
  await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/deskline`
  await page.goto('/desk/webhooks')
  await page.getByRole('button', { name: 'Add webhook' }).click()
  await page.getByRole('textbox', { name: 'Address' }).fill(url)
  await page.getByRole('dialog').getByText('Tickets', { exact: true }).click()
  await page.getByRole('checkbox', { name: 'ticket.created' }).check()
  await page.getByRole('dialog').getByRole('button', { name: 'Add webhook' }).click()
  await expect(page.getByText(/^whsec_/)).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'I have kept it' }).click()
  await expect(page.getByText(/^whsec_/)).toHaveCount(0)

  await page.getByRole('link', { name: url }).click()
  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.getByRole('button', { name: 'webhook.test' }).first().click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('503').first()).toBeVisible()
  await dialog.getByText('Answer', { exact: true }).first().click()
  await expect(dialog.getByText('Come back later').first()).toBeVisible()
  await dialog.getByRole('button', { name: 'Deliver again' }).click()
  await dialog.getByRole('button', { name: 'Close' }).first().click()

  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Rotate the secret …' }).click()
  await page.getByRole('button', { name: 'Rotate', exact: true }).click()
  await page.getByRole('button', { name: 'I have kept it' }).click()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Turn off' }).click()
  await expect(page.getByText('It is off: nothing is sent.')).toBeVisible()
  await page.getByRole('button', { name: 'More actions' }).click()
  await expect(page.getByRole('menuitem', { name: 'Deliver again since …' })).toHaveAttribute('aria-disabled', 'true')
  await page.keyboard.press('Escape')
  await desk.ticket(await desk.client(), { subject: 'Happened while it was off' })

  isBack = true
  await page.getByRole('alert').or(page.locator('.banner')).getByRole('button', { name: 'Turn on' }).click()
  await expect(page.getByText('It is off: nothing is sent.')).toHaveCount(0)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Deliver again since …' }).click()
  const replay = page.getByRole('dialog', { name: 'Deliver again' })
  const since = replay.getByLabel('Since')
  const dayAgo = await since.inputValue()
  await since.fill('')
  await replay.getByRole('button', { name: 'Deliver again' }).click()
  await expect(since).toHaveAttribute('aria-invalid', 'true')
  await since.fill(dayAgo)
  await replay.getByRole('button', { name: 'Deliver again' }).click()
  await expect(replay).toBeHidden()
  await expect(page.getByText(/sent again\.|What was missed follows\./)).toBeVisible()
  const delivered = page.getByRole('row', { name: /ticket\.created/ }).filter({ hasText: 'Delivered' })
  await expect(delivered.first()).toBeVisible()
  await expect(
    page
      .getByRole('row', { name: /webhook\.test/ })
      .filter({ hasText: 'Delivered' })
      .first()
  ).toBeVisible()

  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete …' }).click()
  await page.getByRole('button', { name: 'Delete webhook' }).click()
  await expect(page.getByText('Nobody is told anything yet')).toBeVisible()
  // The step is in the empty place, and nowhere else.
  await expect(page.locator('.state').getByRole('button', { name: 'Add webhook' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add webhook' })).toHaveCount(1)
  receiver.closeAllConnections()
  receiver.close()
})

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64'
)
