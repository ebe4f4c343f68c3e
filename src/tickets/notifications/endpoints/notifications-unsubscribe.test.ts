import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, type Person } from '../../../../test/support/people.ts'
import { sequencedDatabase } from '../../../../test/support/sequenced-database.ts'
import { aTicket } from '../../../../test/support/tickets.ts'

const desk = await bootDesk()
const path = '/api/notifications/unsubscribe'

/** The address that the last e-mail to this client names, and how it is to be called. */
async function unsubscribeHeaders(client: Person): Promise<{ url: URL; how: string | undefined }> {
  await aTicket(desk, client)
  desk.clock.turn(60)
  const { emails } = await desk.deliver()
  const { headers } = emails.findLast(({ to }) => to === client.email)!
  return { url: new URL(headers!['List-Unsubscribe']!.slice(1, -1)), how: headers!['List-Unsubscribe-Post'] }
}

test('one click in a mail program ends the automatic e-mails about tickets, without an account, however often', async () => {
  const ada = await aClient(desk)
  const { url, how } = await unsubscribeHeaders(ada)
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }

  for (let at = 0; at < 2; at++) {
    const { status } = await fetch(desk.url + url.pathname + url.search, { method: 'POST', headers, body: how! })
    assert.equal(status, 200)
  }

  const before = (await desk.deliver()).emails.length
  await aTicket(desk, ada)
  desk.clock.turn(60)
  assert.equal((await desk.deliver()).emails.length, before)
  const { data } = await desk.post('/api/account/notifications', ada)
  assert.deepEqual(data, { ticket_emails: 1, automatic_emails: 0, rating_emails: 1 })
  const recorded = await (await sequencedDatabase(desk))
    .selectFrom('audit_log')
    .select(['actor_id', 'action'])
    .execute()
  assert.deepEqual(recorded, [{ actor_id: ada.id, action: 'notifications.changed' }])
})

test('whoever opens the link finds a page with one button, and only that ends the e-mails', async () => {
  const ada = await aClient(desk)
  const { url } = await unsubscribeHeaders(ada)
  const link = desk.url + url.pathname + url.search
  const before = await desk.rowCounts()

  const opened = await fetch(link)
  const [page, headers] = [await opened.text(), Object.fromEntries(opened.headers)]
  const looked = await fetch(link, { method: 'HEAD' })

  assert.deepEqual([opened.status, looked.status], [200, 200])
  assert.match(headers['content-type']!, /^text\/html/)
  assert.equal(page.match(/<form method="post">/g)?.length, 1)
  assert.doesNotMatch(page, /<script|\son\w+=|<a |https?:/)
  assert.match(
    headers['content-security-policy']!,
    /^default-src 'none'; style-src 'sha256-[\w+/=]{44}'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/
  )
  assert.deepEqual([headers['cache-control'], headers['referrer-policy']], ['no-store', 'no-referrer'])
  assert.deepEqual((await desk.post('/api/account/notifications', ada)).data, {
    ticket_emails: 1,
    automatic_emails: 1,
    rating_emails: 1
  })
  assert.deepEqual(await desk.rowCounts(), before)

  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const clicked = await fetch(link, { method: 'POST', headers: form, body: '' })

  assert.equal(clicked.status, 200)
  for (const page of [await clicked.text(), await (await fetch(link)).text()]) {
    assert.match(page, /You get no more automatic e-mails about your tickets/)
    assert.doesNotMatch(page, /<form/)
  }
  assert.deepEqual((await desk.post('/api/account/notifications', ada)).data, {
    ticket_emails: 1,
    automatic_emails: 0,
    rating_emails: 1
  })
})

test('one click by a mail program works as multipart too; a link that ends nothing says so and changes nothing', async () => {
  const ada = await aClient(desk)
  const { url } = await unsubscribeHeaders(ada)
  const before = await desk.rowCounts()
  const body = new FormData()
  body.append('List-Unsubscribe', 'One-Click')

  const statuses = []
  for (const query of ['', '?token=', '?token=1.x', `?token=${ada.id}.${'A'.repeat(43)}`, `${url.search}&token=2`]) {
    for (const method of ['GET', 'POST']) {
      const response = await fetch(`${desk.url}/unsubscribe${query}`, { method })
      statuses.push(response.status)
      assert.match(await response.text(), /This link does not stop any e-mails/)
    }
  }
  assert.deepEqual([...new Set(statuses)], [400])
  assert.deepEqual(await desk.rowCounts(), before)

  const { status } = await fetch(desk.url + url.pathname + url.search, { method: 'POST', body })
  assert.equal(status, 200)
  assert.deepEqual((await desk.post('/api/account/notifications', ada)).data, {
    ticket_emails: 1,
    automatic_emails: 0,
    rating_emails: 1
  })
})

test('a token ends nobody else’s e-mails, and none once the address has changed', async () => {
  const [ada, eve] = [await aClient(desk), await aClient(desk)]
  const token = (await unsubscribeHeaders(ada)).url.searchParams.get('token')!
  const before = await desk.rowCounts()

  const foreign = await desk.post(path, undefined, { token: token.replace(`${ada.id}.`, `${eve.id}.`) })
  const invented = await desk.post(path, undefined, { token: `${ada.id}.${'A'.repeat(43)}` })
  await desk.db.updateTable('clients').set({ email: 'new@example.com' }).where('id', '=', ada.id).execute()
  const former = await desk.post(path, undefined, { token })

  assert.deepEqual([foreign.status, invented.status, former.status], [400, 400, 400])
  assert.deepEqual(await desk.rowCounts(), before)
  assert.deepEqual((await desk.post('/api/account/notifications', ada)).data, {
    ticket_emails: 1,
    automatic_emails: 1,
    rating_emails: 1
  })
})

test('the page speaks the language of the browser, else that of the desk', async () => {
  const { url } = await unsubscribeHeaders(await aClient(desk))
  const pageIn = async (language: string) =>
    await (await fetch(desk.url + url.pathname + url.search, { headers: { 'accept-language': language } })).text()

  const [german, other] = [await pageIn('de-AT,de;q=0.9,en;q=0.5'), await pageIn('fr')]

  assert.match(german, /<html lang="de">[\s\S]*Keine automatischen E-Mails mehr über Ihre Tickets\?/)
  assert.match(other, /<html lang="en">[\s\S]*Answers of the support team still come/)
})
