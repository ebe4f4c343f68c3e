import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aClient } from '../../../test/support/people.ts'
import { bootRatingsDesk } from '../../../test/support/ratings.ts'

const { desk, admin, grace, opened, staff, report, done, today, later, closed, linksFor, surveyOf, rateBy } =
  await bootRatingsDesk()
const day = 24 * 60

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

test('Q3: a rating may be changed for seven days, the last wins, and a link is dead after thirty', async () => {
  const { id, client } = await closed()
  await later(60)
  const { token } = await linksFor(client)

  const first = await rateBy(token, { rating: 'bad', comment: 'Slow' })
  await later(day)
  const changed = await rateBy(token, { rating: 'good' })
  await later(6 * day + 1)
  const [late, unknown] = [await rateBy(token, { rating: 'bad' }), await rateBy(token, { rating: 'great' })]
  await later(23 * day)
  const dead = await rateBy(token, { rating: 'bad' })

  assert.deepEqual([first.status, changed.status, changed.data.comment], [200, 200, 'Slow'])
  assert.deepEqual([late.status, late.body.reason], [409, 'rating_closed'])
  assert.deepEqual([unknown.status, unknown.body.errors], [400, ['rating']])
  assert.equal(Buffer.from(token, 'base64url').length * 8, 128)
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
  const from = today()
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
  const rated = async (rating: string) => (await staff('list', { rating, created_from: from })).tickets

  assert.deepEqual(four.totals, { good: 4, bad: 0, sent: 5, n: 4, percent_good: null })
  assert.deepEqual(five.totals, { good: 4, bad: 1, sent: 5, n: 5, percent_good: 80 })
  assert.deepEqual([five.groups.length, five.groups[0].key], [1, grace.id])
  assert.equal(tickets.length, 1)
  // The queue finds them, too.
  assert.deepEqual([(await rated('good')).length, (await rated('bad'))[0].id], [4, tickets[0].id])
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

test('Q5: what is rated in the portal is credited at once, and counts no more when the ticket is merged', async () => {
  const from = today()
  const { id, client } = await closed()
  await desk.post('/api/tickets/rating', client, { id })
  const rated = await desk.post('/api/tickets/rate', client, { id, rating: 'bad', comment: 'At once' })
  const of = { from, to: today(), staff_id: grace.id }
  const told = async () => {
    const [{ totals }, { surveys }] = [await report('csat', of), await done('/api/admin/csat/list', admin, of)]
    const { tickets } = await report('tickets', { figure: 'rated', ...of })
    const isIt = (ticket: { id: number }) => ticket.id === id
    return [totals.bad, surveys.some((each: { ticket: { id: number } }) => isIt(each.ticket)), tickets.some(isIt)]
  }
  const before = await told()
  await staff('merge', { id, into_id: await opened({}, client) })
  const merged = await told()

  assert.deepEqual([rated.status, before.slice(1)], [200, [true, true]])
  assert.deepEqual(merged, [(before[0] as number) - 1, false, false])
  assert.equal((await surveyOf(id))[0].rating, 'bad')
})

test('Q6: the portal does not ask what will never be asked: where nobody replied, or another department asks', async () => {
  const client = await aClient(desk, { is_email_verified: true })
  const unanswered = await opened({}, client)
  await staff('status', { id: unanswered, status: 'Closed' })
  const answered = await closed()
  const asks = async (id: number, by: typeof client) => (await desk.post('/api/tickets/rating', by, { id })).data.survey
  const rate = async (id: number, by: typeof client) =>
    (await desk.post('/api/tickets/rate', by, { id, rating: 'good' })).status
  const first = [await asks(unanswered, client), (await asks(answered.id, answered.client)) !== null]
  await done('/api/admin/settings/update', admin, { csat_departments: [5] })
  const second = await asks(answered.id, answered.client)
  const refused = [await rate(unanswered, client), await rate(answered.id, answered.client)]
  await done('/api/admin/settings/update', admin, { csat_departments: [] })

  assert.deepEqual([first, second, refused], [[null, true], null, [404, 404]])
  assert.equal(await rate(answered.id, answered.client), 200)
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

test('Q6: whom e-mails do not reach is asked in the portal alone, and what they say counts', async () => {
  const { id, client } = await closed({ is_email_verified: false })
  const ask = async () => (await desk.post('/api/tickets/rating', client, { id })).data.survey

  await later(60)
  const { mail } = await linksFor(client)
  const asked = await ask()
  const rated = await desk.post('/api/tickets/rate', client, { id, rating: 'good', comment: 'Quick' })
  const [survey] = await surveyOf(id)

  assert.equal(mail, undefined)
  assert.deepEqual([asked?.rating, rated.status], [null, 200], rated.body.message)
  assert.deepEqual([survey.voided_reason, survey.sent_at, survey.rating], ['unreachable', null, 'good'])
  assert.equal((await ask()).rating, 'good')
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
