import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expectAccessible, windows } from '../support/axe.ts'
import { startDesk } from '../support/desk.ts'
import { expect, test } from '../support/test.ts'

test('the settings say that there is no mailbox', async ({ consolePage: page }) => {
  await page.goto('/desk/settings/email')
  await expect(page.getByText('No mailbox is connected')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Test', exact: true })).toHaveCount(0)
})

test("each mailbox shows its state and its last error in the reader's language, and a button tests it", async ({
  browser
}) => {
  const mailServer = await scriptedMailbox()
  const [good, away] = [`imap://desk:s3cret@127.0.0.1:${mailServer.port}/INBOX`, 'imap://desk:s3cret@127.0.0.1:1/Help']
  const desk = await startDesk({ IMAP_URL: `${good} ${away}` })
  const contexts = [await browser.newContext({ baseURL: desk.url })]
  const signedIn = async (context = contexts[0]!) => {
    await context.request.post('/api/admin/auth/login', {
      headers: { 'X-Deskline-Session': 'staff', origin: desk.url },
      data: { email: desk.admin.email, password: desk.admin.password }
    })
    return await context.newPage()
  }
  try {
    const page = await signedIn()
    const states = async () => {
      const { mailboxes } = await desk.post('/api/admin/mail/mailboxes/list', {}, desk.admin)
      return mailboxes.flatMap(each => (each.source === 'operator' ? `${each.folder} ${each.state}` : []))
    }
    await expect.poll(states, { message: 'how the mailboxes stand' }).toEqual(['INBOX working', 'Help failing'])
    await page.goto('/desk/settings/email')
    const rows = page.getByRole('button', { name: 'Test', exact: true })
    await expect(rows).toHaveCount(2)
    await expect(page.getByText('Connected', { exact: true })).toBeVisible()
    await expect(page.getByText('Not connected', { exact: true })).toBeVisible()
    await expect(page.getByText('Nobody answers at 127.0.0.1:1')).toBeVisible()
    await expectAccessible(page, 'the mailboxes')

    await rows.first().click()
    await expect(page.getByText(/127\.0\.0\.1 lets desk in: INBOX holds \d+ e-mails/)).toBeVisible()
    await rows.last().click()
    await expect(page.getByText('Nobody answers at 127.0.0.1:1')).toBeVisible()
    await expect(page.getByText('s3cret')).toHaveCount(0)
    await page.setViewportSize(windows.phone)
    await expectAccessible(page, 'the mailboxes on a phone')

    contexts.push(await browser.newContext({ baseURL: desk.url, locale: 'de-DE' }))
    const german = await signedIn(contexts[1])
    await german.goto('/desk/settings/email')
    await expect(german.getByText('Unter 127.0.0.1:1 antwortet niemand')).toBeVisible()
    const tests = german.getByRole('button', { name: 'Testen', exact: true })
    await tests.first().click()
    await expect(german.getByText(/127\.0\.0\.1 lässt desk ein: In INBOX liegen 0 E-Mails/)).toBeVisible()
  } finally {
    for (const context of contexts) await context.close()
    await desk.stop()
    await mailServer.stop()
  }
})

/** A small IMAP server in a process of its own. */
async function scriptedMailbox(): Promise<{ port: number; stop(): Promise<void> }> {
  const server = join(import.meta.dirname, '../../../test/support/imap-server.ts')
  const script = `const { imapServer } = await import(${JSON.stringify(server)}); const { port } = await imapServer(); process.send(port)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc']
  })
  const [port] = (await once(child, 'message')) as [number]
  return {
    port,
    async stop() {
      const closed = once(child, 'close')
      child.kill()
      await closed
    }
  }
}
