import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expectAccessible, windows } from '../support/axe.ts'
import { startDesk } from '../support/desk.ts'
import { expect, test } from '../support/test.ts'

test('an address is connected in the browser: servers, test, connect; then it is in the list', async ({ browser }) => {
  const servers = await mailServers()
  const desk = await startDesk({ MAILBOX_ALLOW_PRIVATE: '127.0.0.0/8', IMAP_POLL_SECONDS: '1' })
  const context = await browser.newContext({ baseURL: desk.url })
  try {
    await context.request.post('/api/admin/auth/login', {
      headers: { 'X-Deskline-Session': 'staff', origin: desk.url },
      data: { email: desk.admin.email, password: desk.admin.password }
    })
    const page = await context.newPage()
    await page.goto('/desk/settings/email')
    await page.getByRole('link', { name: 'Connect an address' }).click()
    await page.getByRole('textbox', { name: 'Address' }).fill('support@box.example')
    await page.getByLabel('Receives from').fill('127.0.0.1')
    await page.getByLabel('Port').first().fill(String(servers.imap))
    await page.getByLabel('Encryption').first().selectOption('none')
    await page.getByLabel('Sends through').fill('127.0.0.1')
    await page.getByLabel('Port').last().fill(String(servers.smtp))
    await page.getByLabel('Encryption').last().selectOption('none')
    await page.getByLabel('User name').fill('desk')
    await page.getByLabel('Password', { exact: true }).fill('n0tThat')
    await page.getByLabel('Department', { exact: true }).selectOption({ index: 1 })
    await page.getByLabel('Name that people see').fill('Example Support')
    await expectAccessible(page, 'connecting an address')
    await page.getByRole('button', { name: 'Save and test' }).click()

    await expect(page.getByText(/127\.0\.0\.1 refuses the login of desk/)).toBeVisible()
    await expect(page.getByText('Not tried')).toHaveCount(3)
    await expectAccessible(page, 'a test that failed')
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/failed.png`, fullPage: true })
    await page.getByLabel('Password', { exact: true }).fill('s3cret')
    const saved = page.waitForResponse('**/api/admin/mail/mailboxes/update')
    await page.getByRole('button', { name: 'Save', exact: true }).first().click()
    await saved
    await page.getByRole('button', { name: 'Again from Log in' }).click()
    await expect(page.getByText('It came back.')).toBeVisible({ timeout: 15_000 })
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/tested.png`, fullPage: true })
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await expect(page.getByRole('button', { name: 'Connect', exact: true })).toHaveCount(0)

    const first = page.getByRole('region', { name: 'From the first e-mail to the first answer' })
    await expect(first).toContainText('Write to support@box.example from another address.')
    servers.deliver(
      'From: Ada <ada@people.example>\r\nTo: support@box.example\r\nSubject: Test from home\r\n\r\nHello.\r\n'
    )
    await expect(first).toContainText(/From ada@people\.example\. It is TIC-\d+, “Test from home”\./, {
      timeout: 30_000
    })
    await expectAccessible(page, 'the first e-mail of an address')
    const { mails } = await desk.post('/api/admin/mail/log/list', { outcome: 'ticket', limit: 1 }, desk.admin)
    await desk.post('/api/admin/tickets/reply', { id: mails[0]!.ticket_id!, message: 'Hello.' }, desk.admin)
    await expect(first.locator('[data-state=done]')).toHaveCount(4, { timeout: 60_000 })
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/first.png`, fullPage: true })

    await page.getByRole('link', { name: 'Mail of this address' }).click()
    await expect(page).toHaveURL(/mail\/log\?address=support/)
    await expect(page.getByRole('row', { name: 'Test from home' }).first()).toBeVisible()
    await page.locator('.chip', { hasText: 'support@box.example' }).click()
    await expect(page).not.toHaveURL(/address=/)
    await page.getByRole('button', { name: 'Address', exact: true }).click()
    await page.getByRole('menuitem', { name: 'support@box.example' }).click()
    await expect(page).toHaveURL(/address=support/)
    await expect(page.getByText('Rows are kept for 365 days, raw e-mails for 90.')).toBeVisible()

    await page.goto('/desk/settings/email')
    await expect(page.getByRole('link', { name: 'Example Support' })).toBeVisible()
    await expect(page.getByText('s3cret')).toHaveCount(0)
    await expectAccessible(page, 'the list of addresses')
    if (process.env.SHOTS) {
      await page.screenshot({ path: `${process.env.SHOTS}/list.png`, fullPage: true })
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.screenshot({ path: `${process.env.SHOTS}/list-dark.png`, fullPage: true })
      await page.setViewportSize(windows.phone)
      await page.screenshot({ path: `${process.env.SHOTS}/list-phone.png`, fullPage: true })
      await page.getByRole('link', { name: 'Example Support' }).click()
      await expect(page.getByText('Identity and texts')).toBeVisible()
      await page.screenshot({ path: `${process.env.SHOTS}/mailbox-phone.png`, fullPage: true })
    }
  } finally {
    await context.close()
    await desk.stop()
    await servers.stop()
  }
})

/** A mail server in a process of its own, which delivers what it takes into its mailbox. */
async function mailServers(): Promise<{
  imap: number
  smtp: number
  deliver(raw: string): void
  stop(): Promise<void>
}> {
  const support = join(import.meta.dirname, '../../../test/support')
  const script = `
    const { imapServer } = await import(${JSON.stringify(join(support, 'imap-server.ts'))})
    const { mailServer } = await import(${JSON.stringify(join(support, 'mail-server.ts'))})
    const imap = await imapServer()
    const smtp = await mailServer({ disabledCommands: ['STARTTLS'], allowInsecureAuth: true })
    smtp.onEmail = ({ raw }) => void imap.deliver(raw)
    // Mails from before the address was connected stay where they are.
    process.on('message', raw => void (imap.deliver(raw).date = new Date()))
    process.send({ imap: imap.port, smtp: smtp.port })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc']
  })
  const [ports] = (await once(child, 'message')) as [{ imap: number; smtp: number }]
  return {
    ...ports,
    deliver: raw => void child.send(raw),
    async stop() {
      child.kill()
      await once(child, 'exit')
    }
  }
}
