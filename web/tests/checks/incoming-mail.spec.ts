import { expectAccessibleInEachWindow } from '../support/axe.ts'
import { receive, receiveHeldMail } from '../support/inbound-mail.ts'
import { expect, test } from '../support/test.ts'

test('axe finds no fault in the held e-mails, an open one and the blocked senders', async ({
  desk,
  consolePage: page
}) => {
  const subject = `Clean ${Date.now()}`
  await receiveHeldMail(desk, subject)
  await desk.post('/api/admin/mail/blocked/add', { sender: '@clean.example' }, desk.admin)
  await page.goto('/desk/mail/held')
  await page.getByRole('link', { name: subject }).waitFor()
  await expectAccessibleInEachWindow(page, 'the held e-mails')
  await page.getByRole('link', { name: subject }).click()
  await page.getByText('Who am I?').waitFor()
  await expectAccessibleInEachWindow(page, 'a held e-mail')
  await page.goto('/desk/mail/blocked')
  await page.getByRole('cell', { name: '@clean.example', exact: true }).waitFor()
  await expectAccessibleInEachWindow(page, 'the blocked senders')
})

test('several held e-mails are released as far as possible, the others are reported, and discarding can be undone', async ({
  desk,
  consolePage: page
}) => {
  const own = `Bulk ${Date.now()}`
  await desk.post('/api/admin/settings/update', { mail_unknown_senders: 'hold' }, desk.admin)
  await receiveHeldMail(desk, `${own} nameless`)
  await receiveHeldMail(desk, `${own} named`, 'Grace <grace@far.example>')
  await page.goto(`/desk/mail/held?q=${own.replace(' ', '%20')}`)
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

  await receiveHeldMail(desk, `${own} third`)
  await expect(page.getByRole('row', { name: `${own} third` })).toBeVisible()
  await page.getByRole('checkbox', { name: 'Choose all that are shown' }).check()
  await bar.getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByText('2 e-mails discarded')).toBeVisible()
  await expect(page.getByText('No e-mail matches')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Show all held mail' })).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('row', { name: `${own} third` })).toBeVisible()
  await expect(page.getByRole('row', { name: `${own} nameless` })).toBeVisible()
  await desk.post('/api/admin/settings/update', { mail_unknown_senders: 'create' }, desk.admin)
})

test('a held e-mail shows what was checked of its sender, with the reasons', async ({ desk, consolePage: page }) => {
  const subject = `Forged ${Date.now()}`
  const checks = 'mx.desk.example; dmarc=fail (p=reject) header.from=far.example; spf=fail smtp.mailfrom=far.example'
  const address = 'ada.of.the.department.with.a.very.long.name.indeed@far.example'
  const head = [`From: ${address}`, 'To: support@desk.example', `Subject: ${subject}`]
  await receive(desk, [`Authentication-Results: ${checks}`, ...head, '', 'Pay me.', ''])
  await page.goto(`/desk/mail/held?q=${subject.replace(' ', '%20')}`)
  await page.getByRole('link', { name: subject }).click()
  await expect(page.getByText('The domain of this address says that this e-mail is not its own.')).toBeVisible()
  await expect(page.getByText(/^fail · far\.example/).first()).toBeVisible()
  await expect(page.getByText('Checked by mx.desk.example')).toBeVisible()
  await expectAccessibleInEachWindow(page, 'a forged e-mail')

  // The last window is a phone's: nothing is cut off there.
  await page.getByRole('button', { name: 'Release as a new ticket' }).click()
  await page.getByRole('dialog').getByText(address).waitFor()
  for (const place of ['.page', '.dialog-body']) {
    const isCut = await page
      .locator(place)
      .last()
      .evaluate(part => part.scrollWidth > part.clientWidth)
    expect(isCut, `${place} shows the whole address`).toBe(false)
  }
})

test('a message shows how certain its sender is, and on a click what was checked', async ({
  desk,
  client,
  consolePage: page
}) => {
  const { ticket_number: number } = await receive(desk, [
    'Authentication-Results: mx.desk.example; spf=none smtp.mailfrom=example.com;',
    ` dmarc=pass (p=REJECT) header.from=${client.email.split('@')[1]}`,
    `From: Katharina Brandt <${client.email}>`,
    'To: support@desk.example',
    'Subject: Verified',
    '',
    'It is me.'
  ])

  await page.goto(`/desk/all/${number}`)
  const article = page.getByRole('article').filter({ hasText: 'It is me.' })
  const badge = article.getByRole('button', { name: 'Verified' })
  await badge.click()
  const details = article.getByRole('dialog', { name: 'Who wrote this e-mail' })
  await expect(details).toContainText('vouches for the e-mail')
  await expect(details).toContainText('Checked by mx.desk.example')
  await page.keyboard.press('Escape')
  await expect(details).toBeHidden()
  await expect(badge).toBeFocused()
})
