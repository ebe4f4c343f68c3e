import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aMail, receiverOf } from '../../../test/support/mails.ts'
import { aClient } from '../../../test/support/people.ts'
import { bootReportsDesk } from '../../../test/support/reports.ts'

const { desk, admin, grace, at, opened, staff, report, done } = await bootReportsDesk()
await done('/api/admin/settings/update', admin, { csat_enabled: 1 })
let now = Date.parse('2026-03-02T09:00:00Z')
const later = async (minutes: number) => {
  now += minutes * 60_000
  await at(new Date(now).toISOString())
}
await later(0)

const day = 24 * 60

/** A ticket that grace has answered and closed, of a client of its own; the survey is due in an hour. */
async function closed(given: object = {}) {
  const client = await aClient(desk, { is_email_verified: true, ...given })
  const id = await opened({}, client)
  await staff('reply', { id, message: 'Solved' })
  await staff('status', { id, status: 'Closed' })
  return { id, client }
}

/** The links of the newest survey e-mail to this client. */
async function linksFor({ email }: { email: string }) {
  const { emails } = await desk.deliver()
  const mail = emails.findLast(
    ({ to, subject }) => to === email && /How was our help|Wie war unsere Hilfe/.test(subject)
  )
  const links = [...(mail?.text ?? '').matchAll(/http\S+\/rate\/(\S+?)\?rating=(good|bad)/g)]
  return {
    mail,
    token: links[0]?.[1] ?? '',
    paths: links.map(([link]) => new URL(link).pathname + new URL(link).search)
  }
}

const surveyOf = async (ticket_id: number) => (await done('/api/admin/csat/list', admin, { ticket_id })).surveys
const rateBy = async (token: string, body: object) => await desk.post('/api/csat/rate', undefined, { token, ...body })

test('Q1: a scanner that gets and heads every link with 20 clients votes nothing; the button of the page does', async () => {
  const { id, client } = await closed()
  await later(60)
  const { paths, token } = await linksFor(client)
  assert.equal(paths.length, 2)

  const scans = Array.from({ length: 20 }, (_, at) => ['GET', 'HEAD'][at % 2]!).flatMap(method =>
    paths.map(path => fetch(desk.url + path, { method, headers: { 'accept-language': 'de' } }))
  )
  const answers = await Promise.all(scans)
  const page = await answers[0]!.text()
  const before = await surveyOf(id)
  const voted = await fetch(desk.url + paths[0]!, {
    method: 'POST',
    body: new URLSearchParams({ rating: 'good', comment: 'Quick & kind' })
  })

  assert.ok(answers.every(({ status }) => status === 200))
  assert.match(page, /value="good" required checked/)
  assert.match(page, /Wie war unsere Hilfe/)
  assert.equal(before[0].rating, null)
  assert.match(await voted.text(), /Thank you/)
  assert.deepEqual([(await surveyOf(id))[0].rating, (await surveyOf(id))[0].comment], ['good', 'Quick & kind'])
  const former = await fetch(`${desk.url}/rate?token=${token}&rating=bad`)
  assert.match(await former.text(), /value="bad" required checked/)
  const dead = await fetch(`${desk.url}/rate/nobody`)
  assert.deepEqual([dead.status, /This question is over/.test(await dead.text())], [404, true])
  const shown = await desk.post('/api/csat/show', undefined, { token })
  assert.deepEqual([shown.data.rating, shown.data.subject], ['good', 'The printer is on fire'])
})

test('Q2: one survey a closing, after the delay, and the reason where there is none', async () => {
  const reopened = await closed()
  const [trashed, unanswered] = [await closed(), await aClient(desk, { is_email_verified: true })]
  const quiet = await opened({}, unanswered)
  await staff('status', { id: quiet, status: 'Closed' })
  const optedOut = await closed({ automatic_emails: false })
  const unproven = await closed({ is_email_verified: false })
  await staff('status', { id: reopened.id, status: 'Open' })
  await staff('delete', { id: trashed.id })
  const again = await closed()
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
  assert.deepEqual(await reasonOf(again.id), [null])
  assert.deepEqual(await reasonOf(second), ['recent'])
  await staff('restore', { id: trashed.id })
  assert.deepEqual(await reasonOf(trashed.id), ['trash'])
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
  const { mail } = await linksFor(client)
  const [, stop] = /(http\S+\/unsubscribe\?token=\S+)/.exec(mail!.text)!
  const page = desk.url + new URL(stop!).pathname + new URL(stop!).search

  const opened = await fetch(page)
  const pressed = await fetch(page, { method: 'POST' })
  await staff('status', { id, status: 'Open' })
  await later(8 * day)
  await staff('status', { id, status: 'Closed' })
  await later(60)

  assert.deepEqual([opened.status, pressed.status], [200, 200])
  assert.match(await opened.text(), /ask how our help was/)
  assert.equal((await surveyOf(id))[0].voided_reason, 'opted_out')
})

test('Q3: a rating may be changed for seven days, the last wins, and a link is dead after thirty', async () => {
  const { id, client } = await closed()
  await later(60)
  const { token } = await linksFor(client)

  const first = await rateBy(token, { rating: 'bad', comment: 'Slow' })
  await later(day)
  const changed = await rateBy(token, { rating: 'good' })
  await later(6 * day + 1)
  const late = await rateBy(token, { rating: 'bad' })
  await later(23 * day)
  const dead = await rateBy(token, { rating: 'bad' })

  assert.deepEqual([first.status, changed.status, changed.data.comment], [200, 200, 'Slow'])
  assert.deepEqual([late.status, late.body.reason], [409, 'rating_closed'])
  assert.deepEqual([dead.status, dead.body.errors], [404, ['token']])
  const events = await desk.db
    .selectFrom('events')
    .where('ticket_id', '=', id)
    .where('kind', '=', 'csat.rated')
    .select(['before', 'after', 'actor_type', 'actor_id'])
    .orderBy('id')
    .execute()
  const [survey] = await surveyOf(id)
  assert.deepEqual(
    events.map(({ before, after, actor_id }) => [before, after, actor_id]),
    [
      [{ rating: null }, { survey_id: survey.id, rating: 'bad', has_comment: true }, client.id],
      [{ rating: 'bad' }, { survey_id: survey.id, rating: 'good', has_comment: true }, client.id]
    ]
  )
})

test('Q4 and Q5: the score is good of all with its number, from five answers on, for the last person who replied', async () => {
  const from = new Date(now).toISOString().slice(0, 10)
  const tokens: string[] = []
  const clients = []
  for (let each = 0; each < 5; each++) clients.push((await closed()).client)
  await later(60)
  for (const client of clients) tokens.push((await linksFor(client)).token)
  for (const token of tokens.slice(0, 4)) await rateBy(token, { rating: 'good' })
  const four = await report('csat', { from, to: from })
  await rateBy(tokens[4]!, { rating: 'bad' })
  const five = await report('csat', { from, to: from, group: 'staff' })
  const { tickets } = await report('tickets', { figure: 'bad', from, to: from })

  assert.deepEqual(four.totals, { good: 4, bad: 0, sent: 5, n: 4, percent_good: null })
  assert.deepEqual(five.totals, { good: 4, bad: 1, sent: 5, n: 5, percent_good: 80 })
  assert.deepEqual([five.groups.length, five.groups[0].key], [1, grace.id])
  assert.equal(tickets.length, 1)
  await rateBy(tokens[4]!, { rating: 'bad', comment: 'It took three weeks.' })
  const listed = async (asked: object) =>
    (await done('/api/admin/csat/list', admin, asked)).surveys.map((each: { comment: string }) => each.comment)
  const on = { from, to: from }
  assert.deepEqual(await listed({ ...on, rating: 'bad' }), ['It took three weeks.'])
  assert.deepEqual(await listed({ ...on, with_comment: 1, staff_id: grace.id, channel: 'portal' }), [
    'It took three weeks.'
  ])
  assert.equal((await listed({ ...on, state: 'rated' })).length, 5)
  for (const other of [
    { staff_id: null },
    { priority: 'Critical' },
    { tag: 'none' },
    { department_id: 5 },
    { channel: 'email' }
  ])
    assert.deepEqual(await listed({ ...on, ...other }), [], JSON.stringify(other))
  const refused = await desk.post('/api/admin/csat/list', admin, { from: '2026-02-30' })
  assert.deepEqual([refused.status, refused.body.errors], [400, ['from']])
})

test('Q5: a bad rating can wake a rule', async () => {
  await done('/api/admin/rules/create', admin, {
    name: 'Unhappy',
    trigger: { events: ['csat.rated'] },
    conditions: { all: [{ any: [{ field: 'event.after.rating', op: 'is', value: 'bad' }] }] },
    actions: [{ set_priority: 'Critical' }],
    is_active: 1
  })
  const [happy, unhappy] = [await closed(), await closed()]
  await later(60)
  await rateBy((await linksFor(happy.client)).token, { rating: 'good' })
  await rateBy((await linksFor(unhappy.client)).token, { rating: 'bad' })
  await later(1)

  const priorityOf = async ({ id }: { id: number }) =>
    (await desk.db.selectFrom('tickets').where('id', '=', id).select('priority').executeTakeFirst())!.priority
  assert.deepEqual([await priorityOf(happy), await priorityOf(unhappy)], ['Medium', 'Critical'])
})

test('Q6: in the portal the question stands in the closed ticket, for its client alone', async () => {
  const { id, client } = await closed()
  const stranger = await aClient(desk, { is_email_verified: true })
  const ask = async (by: typeof client) => await desk.post('/api/tickets/rating', by, { id })

  const asked = await ask(client)
  const rated = await desk.post('/api/tickets/rate', client, { id, rating: 'bad', comment: 'No' })
  const others = await desk.post('/api/tickets/rate', stranger, { id, rating: 'good' })
  await later(60)
  const { mail } = await linksFor(client)

  assert.deepEqual([asked.data.survey.rating, rated.data.rating, others.status], [null, 'bad', 404])
  assert.equal(mail, undefined)
  await staff('status', { id, status: 'Open' })
  assert.equal((await ask(client)).data.survey, null)
})

test('an anonymized client leaves the rating without words, and links that open nothing', async () => {
  const { id, client } = await closed()
  await later(60)
  const { token } = await linksFor(client)
  await rateBy(token, { rating: 'good', comment: 'I am Ada' })
  await done('/api/admin/clients/delete', admin, { id: client.id, mode: 'anonymize', confirm_email: client.email })

  const [survey] = await surveyOf(id)
  assert.deepEqual([survey.rating, survey.comment], ['good', null])
  assert.equal((await rateBy(token, { rating: 'bad' })).status, 404)
})

test('only tries with unknown tokens count, and after 20 a minute they are refused', async () => {
  const { client } = await closed()
  await later(60)
  const { token } = await linksFor(client)
  // What other tests have tried does not count any more.
  desk.clock.turn(61)
  const statuses: number[] = []
  for (let each = 0; each < 21; each++) {
    assert.equal((await desk.post('/api/csat/show', undefined, { token })).status, 200)
    statuses.push((await desk.post('/api/csat/show', undefined, { token: `unknown-${each}` })).status)
    if (statuses.at(-1) === 429) break
  }

  assert.deepEqual([statuses.length, statuses.filter(status => status === 404).length, statuses.at(-1)], [21, 20, 429])
})
