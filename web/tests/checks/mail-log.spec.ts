import { expectAccessibleInEachWindow } from '../support/axe.ts'
import { receive, receiveHeldMail } from '../support/inbound-mail.ts'
import { expect, test } from '../support/test.ts'

test('the mail log shows what became of each e-mail, its filters stand in the address, and a row opens by key to the steps', async ({
  desk,
  consolePage: page
}) => {
  const subject = `Logged ${Date.now()}`
  const checks = 'mx.desk.example; dmarc=fail (p=reject) header.from=far.example; spf=fail smtp.mailfrom=far.example'
  const head = ['From: Grace <grace@far.example>', 'To: support@desk.example', `Subject: ${subject}`]
  await receive(desk, [`Authentication-Results: ${checks}`, ...head, '', 'Pay me.', ''])
  await receiveHeldMail(desk, `${subject} nameless`)

  await page.goto('/desk/all')
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: /^Mail\b/ })
    .click()
  await page.getByRole('link', { name: 'Log', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Mail log' })).toBeVisible()
  await expect(page).toHaveURL(/\/desk\/mail\/log\?days=7$/)
  await page.getByRole('searchbox').fill(`${subject}`)
  await page.getByRole('button', { name: 'In and out' }).click()
  await page.getByRole('menuitem', { name: 'Came in' }).click()
  await page.getByRole('button', { name: 'What became of it' }).click()
  await page.getByRole('menuitem', { name: 'Held' }).click()
  await page.getByRole('button', { name: 'Sender checked' }).click()
  await page.getByRole('menuitem', { name: 'fails' }).click()
  await expect(page).toHaveURL(/way=in&became=held&checked=fail/)
  await expect(page.getByText('1 e-mail', { exact: true })).toBeVisible()
  const row = page.getByRole('row', { name: subject })
  await expect(row).toContainText('grace@far.example')
  await expect(row).toContainText('support@')
  await expect(row).toContainText('HeldSender in doubt')
  await page.reload()
  await expect(page.getByText('1 e-mail', { exact: true })).toBeVisible()

  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  const steps = page.getByRole('list', { name: 'Steps' })
  await expect(steps.getByRole('listitem')).toContainText([
    /Came in .*\d\d:\d\d:\d\d/,
    'Sender checked: fails.',
    'Held Sender authentication failed'
  ])
  await expect(page.getByText('fail · far.example').first()).toBeVisible()
  await expect(page).toHaveURL(/\/desk\/mail\/log\/\d+\?/)
  await page.reload()
  await expect(steps).toBeVisible()
  await page.getByRole('button', { name: 'Raw e-mail' }).click()
  await expect(page.getByRole('dialog')).toContainText('Pay me.')
  await expectAccessibleInEachWindow(page, 'a raw e-mail')
  await page.keyboard.press('Escape')
  await expectAccessibleInEachWindow(page, 'an opened e-mail of the log')
  await page.keyboard.press('Escape')
  await expect(steps).toHaveCount(0)
  await expect(page).toHaveURL(/\/desk\/mail\/log\?/)

  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download CSV' }).click()
  expect((await saved).suggestedFilename()).toMatch(/\.csv$/)
})

test('an e-mail that came in is processed again after the page has said what would become of it', async ({
  desk,
  consolePage: page
}) => {
  const subject = `Again ${Date.now()}`
  await desk.post('/api/admin/settings/update', { mail_unknown_senders: 'hold' }, desk.admin)
  await receiveHeldMail(desk, subject, `Grace <grace.${Date.now()}@far.example>`)
  await desk.post('/api/admin/settings/update', { mail_unknown_senders: 'create' }, desk.admin)

  await page.goto(`/desk/mail/log?q=${encodeURIComponent(subject)}`)
  const row = page.getByRole('row', { name: subject })
  await row.getByRole('button', { name: `What became of “${subject}”` }).click()
  await expect(page.getByRole('link', { name: 'Open in Held' })).toHaveAttribute('href', /^\/desk\/mail\/held\/\d+$/)
  await page.getByRole('button', { name: 'Process again' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('It would be a new ticket.')
  await expect(row).toContainText('Held')
  await dialog.getByRole('button', { name: 'Process again' }).click()
  await expect(page.getByText('Processed: Ticket')).toBeVisible()
  await expect(row.getByRole('link', { name: /^TIC-/ })).toBeVisible()
  await expect(page.getByRole('list', { name: 'Steps' })).toContainText('Processed again')
})

test('an answer is sent again as a new e-mail, and the ticket shows both to somebody who may not see the log', async ({
  desk,
  consolePage: page,
  pageOf
}) => {
  const client = await desk.client({ verified: true })
  const { ticket_id, ticket_number } = await desk.ticket(client)
  const message = `Have you tried water? ${Date.now()}`
  await desk.post('/api/admin/tickets/reply', { id: ticket_id, message }, desk.admin)
  await desk.outbox.emailTo(client.email, new RegExp(message.replace('?', '\\?')))

  await page.goto(`/desk/mail/log?way=out&q=${encodeURIComponent(ticket_number)}`)
  const rows = page.getByRole('row', { name: ticket_number })
  await rows.first().getByRole('button').click()
  await expect(page.getByRole('heading', { name: 'Who was to get it' })).toBeVisible()
  const before = await rows.count()
  await page.getByRole('button', { name: 'Send again' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(client.email)
  await dialog.getByRole('button', { name: 'Send again' }).click()
  await expect(page.getByText('The e-mail is queued again')).toBeVisible()
  await expect(rows).toHaveCount(before + 1)
  await page.getByRole('link', { name: 'The new e-mail' }).click()
  await expect(page.getByRole('list', { name: 'Steps' }).getByRole('link', { name: 'The first e-mail' })).toBeVisible()

  const jonas = await desk.supporter(['tickets.reply'])
  await desk.post('/api/admin/tickets/assign', { id: ticket_id, assigned_staff_id: jonas.id }, desk.admin)
  const other = await pageOf(jonas)
  await other.goto(`/desk/all/${ticket_number}`)
  await other.getByRole('article').first().waitFor()
  await other.keyboard.press('Shift+M')
  const emails = other.getByRole('dialog', { name: 'E-mails of this ticket' })
  await emails.getByRole('button', { expanded: false }).and(emails.locator('li button')).first().click()
  await expect(emails.getByRole('list', { name: 'Steps' })).toContainText('Queued')
  await expect(emails.getByRole('link', { name: 'Show in the mail log' })).toHaveCount(0)
  await expectAccessibleInEachWindow(other, 'the e-mails of a ticket')
  await other.goto('/desk/mail/log')
  await expect(other.getByText('You may not see this page')).toBeVisible()
})

test('the former addresses of held mail lead to Mail with what they name', async ({ desk, consolePage: page }) => {
  const subject = `Former ${Date.now()}`
  await receiveHeldMail(desk, subject)
  await page.goto(`/desk/held-mail?q=${encodeURIComponent(subject)}`)
  await expect(page).toHaveURL(/\/desk\/mail\/held\?q=Former/)
  await page.getByRole('link', { name: subject }).click()
  await expect(page).toHaveURL(/\/desk\/mail\/held\/\d+$/)
  const path = new URL(page.url()).pathname
  await page.goto(path.replace('/mail/held/', '/held-mail/'))
  await expect(page).toHaveURL(path)
  await page.goto('/desk/held-mail/blocked')
  await expect(page).toHaveURL('/desk/mail/blocked')
  await expect(page.getByRole('link', { name: 'Blocked senders' })).toHaveAttribute('aria-current', 'page')
})

test('on a phone a link to an e-mail of the log leads to its opened row, and times stand below one another', async ({
  desk,
  consolePage: page
}) => {
  const from = ['From: ada@phone.example', 'To: support@desk.example']
  for (let at = 0; at < 12; at++) await receive(desk, [...from, `Subject: On a phone ${at}`, '', `Text ${at}.`, ''])
  const { mails } = await desk.post(
    '/api/admin/mail/log/list',
    { search: 'ada@phone.example', direction: 'in', limit: 20 },
    desk.admin
  )
  await page.setViewportSize({ width: 390, height: 844 })

  await page.goto(`/desk/mail/log/${mails.at(-1)!.id}?way=in&q=ada@phone.example`)

  await expect(page.locator(`[data-mail="${mails.at(-1)!.id}"]`)).toBeInViewport()
  await expect(page.getByRole('list', { name: 'Steps' })).toBeInViewport()
  const ends = await page.locator('tbody td > time').evaluateAll(times => {
    const right = (time: Element) => Math.round(time.getBoundingClientRect().right)
    return [...new Set(times.map(time => right(time.closest('td')!) - right(time)))]
  })
  expect(ends).toEqual([0])
})
