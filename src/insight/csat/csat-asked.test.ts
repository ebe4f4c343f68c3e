import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aMail, receiverOf } from '../../../test/support/mails.ts'
import { aClient } from '../../../test/support/people.ts'
import { bootRatingsDesk } from '../../../test/support/ratings.ts'

const { desk, admin, opened, staff, done, later, closed, linksFor, surveyOf } = await bootRatingsDesk()
const day = 24 * 60

test('Q2: one survey a closing, after the delay, and the reason where there is none', async () => {
  const reopened = await closed()
  const [trashed, unanswered] = [await closed(), await aClient(desk, { is_email_verified: true })]
  const quiet = await opened({}, unanswered)
  await staff('status', { id: quiet, status: 'Closed' })
  const optedOut = await closed({ automatic_emails: false })
  const unproven = await closed({ is_email_verified: false })
  await staff('status', { id: reopened.id, status: 'Open' })
  await staff('delete', { id: trashed.id })
  const [again, merged] = [await closed(), await closed()]
  await staff('merge', { id: merged.id, into_id: await opened({}, merged.client) })
  await later(60)
  const second = await opened({}, again.client)
  await staff('reply', { id: second, message: 'Solved' })
  await staff('status', { id: second, status: 'Closed' })
  await later(60)

  const reasonOf = async (id: number) =>
    (await surveyOf(id)).map((each: { voided_reason: string }) => each.voided_reason)
  assert.deepEqual(await reasonOf(reopened.id), ['reopened'])
  assert.deepEqual(await reasonOf(quiet), ['no_reply'])
  assert.deepEqual(await reasonOf(optedOut.id), ['opted_out'])
  assert.deepEqual(await reasonOf(unproven.id), ['unreachable'])
  assert.deepEqual(await reasonOf(merged.id), ['merged'])
  assert.deepEqual(await reasonOf(again.id), [null])
  assert.deepEqual(await reasonOf(second), ['recent'])
  await staff('restore', { id: trashed.id })
  assert.deepEqual(await reasonOf(trashed.id), ['trash'])
})

test('Q2: every closing has its row, also where the desk or the department does not ask', async () => {
  const set = async (values: object) => await done('/api/admin/settings/update', admin, values)
  const asked = await closed({})
  const other = await opened({ department_id: 5 }, await aClient(desk, { is_email_verified: true }))
  await staff('reply', { id: other, message: 'Solved' })
  await staff('status', { id: other, status: 'Closed' })
  await set({ csat_departments: [5] })
  await later(60)
  await set({ csat_departments: [] })
  const turnedOff = await closed()
  await later(1)
  await set({ csat_enabled: 0 })
  const off = await closed()
  await later(60)
  await set({ csat_enabled: 1 })

  const rows = await Promise.all([asked.id, other, turnedOff.id, off.id].map(surveyOf))
  assert.deepEqual(
    rows.map(each => each.map((row: { voided_reason: string }) => row.voided_reason)),
    [['department'], [null], ['disabled'], ['disabled']]
  )
  assert.deepEqual(
    rows.map(([{ sent_at }]) => sent_at !== null),
    [false, true, false, false]
  )
  assert.equal((await desk.post('/api/tickets/rating', off.client, { id: off.id })).data.survey, null)
})

test('Q2: nobody is asked for whom a program answers, until they write themselves', async () => {
  await done('/api/admin/settings/update', admin, { mail_addresses: { 'support@desk.example': 1 } })
  const receive = receiverOf(desk)
  const [away, back] = [await closed(), await closed()]
  for (const { id, client } of [away, back]) {
    await staff('status', { id, status: 'Open' })
    // The e-mail about the answer waits for more of them.
    await later(5)
    const { emails } = await desk.deliver()
    const told = emails.findLast(({ to }) => to === client.email)!
    const answer = { From: client.email, 'In-Reply-To': told.messageId }
    const receipt = await receive(aMail({ ...answer, 'Auto-Submitted': 'auto-replied (vacation)' }))
    assert.deepEqual([receipt.outcome, receipt.is_automatic], ['reply', true])
    if (id === back.id) await receive(aMail(answer, 'I am back, thank you.\n'))
    await staff('status', { id, status: 'Closed' })
  }
  await later(60)

  const last = async (id: number) => (await surveyOf(id))[0].voided_reason
  assert.deepEqual([await last(away.id), await last(back.id)], ['auto_replies', null])
})

test('Q2: whoever does not want to be asked again opens a link, presses its button, and is asked no more', async () => {
  const { id, client } = await closed()
  await later(60)
  const { mail, paths } = await linksFor(client)
  const [, stop] = /(http\S+\/unsubscribe\?token=\S+)/.exec(mail!.text)!
  const page = desk.url + new URL(stop!).pathname + new URL(stop!).search
  const seenByStaff = async () => (await done('/api/admin/tickets/detail', admin, { id })).client_email

  const opened = await fetch(page)
  const [rating, unpressed] = [await (await fetch(desk.url + paths[0]!)).text(), await seenByStaff()]
  const pressed = await fetch(page, { method: 'POST' })
  await staff('status', { id, status: 'Open' })
  await later(8 * day)
  await staff('status', { id, status: 'Closed' })
  await later(60)

  assert.deepEqual([opened.status, pressed.status], [200, 200])
  assert.match(await opened.text(), /ask how our help was/)
  assert.equal((await surveyOf(id))[0].voided_reason, 'opted_out')
  assert.ok(rating.includes(new URL(stop!).search), 'the rating page has the same link')
  assert.match(await pressed.text(), /We do not ask you again/)
  assert.deepEqual([unpressed.rating_emails, (await seenByStaff()).rating_emails], [1, 0])
  // Other automatic e-mails still come.
  const chosen = await done('/api/account/notifications', client, {})
  assert.deepEqual(chosen, { ticket_emails: 1, automatic_emails: 1, rating_emails: 0 })
  await done('/api/account/notifications', client, { rating_emails: 1 })
  assert.equal((await seenByStaff()).rating_emails, 1)
})
