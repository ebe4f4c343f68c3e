import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expectAccessibleInEachWindow } from './support/axe.ts'
import { receive } from './support/receive.ts'
import { expect, test } from './support/test.ts'

test('held mail is counted in the navigation, read, released into a ticket that is searched for, discarded and taken back', async ({
  desk,
  client,
  consolePage: page
}) => {
  test.setTimeout(120_000)
  const { ticket_number } = await desk.ticket(client)
  const [one, other] = [`Held one ${Date.now()}`, `Held other ${Date.now()}`]
  await page.goto('/desk/held-mail')
  await page.getByRole('heading', { level: 1, name: 'Held mail' }).waitFor()
  for (const subject of [one, other]) await hold(desk.dataDir, subject)

  // It appears by itself.
  await page.getByRole('link', { name: one }).click()
  await expect(page.getByText('It names no sender.')).toBeVisible()
  await expect(page.getByText('Who am I?')).toBeVisible()
  await expectAccessibleInEachWindow(page, 'a held e-mail')
  await page.getByRole('button', { name: 'Release into a ticket' }).click()
  await page.getByRole('button', { name: 'Choose a ticket' }).press('Enter')
  await page.getByRole('combobox', { name: 'Find a ticket' }).fill(ticket_number)
  await page.getByRole('option', { name: ticket_number }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Release', exact: true }).click()
  await expect(page.getByText(`Released: ${ticket_number}`)).toBeVisible()
  await expect(page.getByRole('link', { name: one })).toHaveCount(0)

  const row = page.getByRole('row', { name: other })
  await row.getByRole('button', { name: `Actions for ${other}` }).click()
  await page.getByRole('menuitem', { name: 'Discard' }).click()
  await expect(row).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(row).toBeVisible()
  await expectAccessibleInEachWindow(page, 'the held e-mails')
  await page.getByRole('link', { name: 'Blocked senders' }).click()
  await page.getByRole('heading', { level: 1, name: 'Blocked senders' }).waitFor()
  await page.getByRole('button', { name: 'Block a sender' }).click()
  await page.getByRole('textbox', { name: 'Sender' }).fill('@bulk.example')
  await page.getByRole('button', { name: 'Block the sender' }).click()
  await expect(page.getByRole('cell', { name: '@bulk.example', exact: true })).toBeVisible()
  await expectAccessibleInEachWindow(page, 'the blocked senders')

  await page.goto(`/desk/all/${ticket_number}`)
  const article = page.getByRole('article').filter({ hasText: 'Who am I?' })
  const asked = page.waitForRequest(/\/uploads\/mails\/\d+\.eml\?/)
  await article.getByRole('button', { name: 'Save the original' }).click()
  await asked
})

test('several are chosen: those that can be are released, what is left is told of, and discarding is undone', async ({
  desk,
  consolePage: page
}) => {
  const own = `Bulk ${Date.now()}`
  await desk.post('/api/admin/settings/update', { mail_unknown_senders: 'hold' }, desk.admin)
  await hold(desk.dataDir, `${own} nameless`)
  await hold(desk.dataDir, `${own} named`, 'Grace <grace@far.example>')
  await page.goto(`/desk/held-mail?q=${own.replace(' ', '%20')}`)
  const bar = page.getByRole('toolbar', { name: 'Chosen e-mails' })
  await page.getByRole('checkbox', { name: `Choose ${own} named` }).check()
  await expect(bar).toContainText('1 chosen')
  await page.keyboard.press('Escape')
  await expect(bar).toHaveCount(0)
  await page.getByRole('checkbox', { name: 'Choose all that are shown' }).check()
  await expect(bar).toContainText('2 chosen')
  await expectAccessibleInEachWindow(page, 'chosen held e-mails')

  await bar.getByRole('button', { name: 'Release as tickets' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Release', exact: true }).click()
  await expect(page.getByText('1 e-mail released. 1 was left: It names no sender')).toBeVisible()
  await expect(bar).toContainText('1 chosen')
  await expect(page.getByRole('row', { name: `${own} named` })).toHaveCount(0)

  await hold(desk.dataDir, `${own} third`)
  await expect(page.getByRole('row', { name: `${own} third` })).toBeVisible()
  await page.getByRole('checkbox', { name: 'Choose all that are shown' }).check()
  await bar.getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByText('2 e-mails discarded')).toBeVisible()
  await expect(page.getByText('No e-mail matches')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('row', { name: `${own} third` })).toBeVisible()
  await expect(page.getByRole('row', { name: `${own} nameless` })).toBeVisible()
  await desk.post('/api/admin/settings/update', { mail_unknown_senders: 'create' }, desk.admin)
})

test('what was checked of the sender stands at a held e-mail, with its reasons', async ({
  desk,
  consolePage: page
}) => {
  const subject = `Forged ${Date.now()}`
  const checks = 'mx.desk.example; dmarc=fail (p=reject) header.from=far.example; spf=fail smtp.mailfrom=far.example'
  const head = ['From: ada@far.example', 'To: support@desk.example', `Subject: ${subject}`]
  const trusted = { MAIL_TRUSTED_AUTH_HOSTS: 'mx.desk.example' }
  await receive(desk.dataDir, [`Authentication-Results: ${checks}`, ...head, '', 'Pay me.', ''], trusted)
  await page.goto(`/desk/held-mail?q=${subject.replace(' ', '%20')}`)
  await page.getByRole('link', { name: subject }).click()
  await expect(page.getByText('The domain of this address says that this e-mail is not its own.')).toBeVisible()
  await expect(page.getByText(/^fail · far\.example/).first()).toBeVisible()
  await expect(page.getByText('Checked by mx.desk.example')).toBeVisible()
  await expectAccessibleInEachWindow(page, 'a forged e-mail')
})

/** An e-mail as a mail server hands it over, that names no sender or one whom nobody knows. */
async function hold(dataDir: string, subject: string, from?: string): Promise<void> {
  const program = join(import.meta.dirname, '../../bin/deskline.js')
  const command = spawn(process.execPath, [program, 'receive'], {
    env: { ...process.env, DATA_DIR: dataDir, NODE_ENV: 'test' },
    stdio: ['pipe', 'pipe', 'inherit']
  })
  let answer = ''
  command.stdout.on('data', chunk => {
    answer += chunk
  })
  const head = [...(from ? [`From: ${from}`] : []), 'To: support@desk.example', `Subject: ${subject}`]
  command.stdin.end([...head, '', 'Who am I?', ''].join('\r\n'))
  await once(command, 'close')
  expect(JSON.parse(answer)).toMatchObject({ outcome: 'held', reason: from ? 'unknown_sender' : 'no_sender' })
}
