import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aMailbox, localMailServers, serverAt } from '../../../../test/support/mailboxes.ts'
import { aMail, receiverOf } from '../../../../test/support/mails.ts'
import { aClient, anAdmin, aSupporter } from '../../../../test/support/people.ts'

const support = 'support@desk.example'
const desk = await bootDesk({ config: { IMAP_URL: [], MAIL_FROM: `Desk <${support}>`, ...localMailServers } })
const receive = receiverOf(desk)
const admin = await anAdmin(desk)
const grace = await aSupporter(desk, 'tickets.view_all', 'tickets.reply')
const base = '/api/admin/tickets/recipients'
const settings = await desk.post('/api/admin/settings/update', admin, {
  mail_addresses: { [support]: 1, 'sales@desk.example': 1, 'other@desk.example': 5 }
})

assert.equal(settings.status, 200, settings.body.message)

test('people of the ticket’s e-mails, of the organisation and former third parties are offered, without client, staff and desk', async () => {
  const [ada, colleague, stranger] = [await aClient(desk), await aClient(desk), await aClient(desk)]
  const organisation = (await desk.post('/api/admin/organisations/create', admin, { name: 'Example' })).data
    .organisation
  for (const { id } of [ada, colleague])
    await desk.post('/api/admin/clients/update', admin, { id, organisation_id: organisation.id })
  const named = `Anton Brückner <anton@people.example>, ${support}, ${grace.email}`
  const { ticket_id: id } = await receive(aMail({ From: ada.email, To: support, Cc: named, Subject: 'Water' }))
  await desk.post('/api/admin/tickets/forward', admin, { id, to: ['partner@else.example'], subject: 'x', message: 'x' })

  const { status, data } = await desk.post(base, grace, { id })

  assert.equal(status, 200)
  assert.deepEqual(
    data.people.map(({ email, from }: { email: string; from: string }) => [email, from]),
    [
      ['anton@people.example', 'ticket'],
      [colleague.email, 'organisation'],
      ['partner@else.example', 'partner']
    ]
  )
  assert.ok(!JSON.stringify(data).includes(stranger.email))
  assert.equal((await desk.post(base, await aSupporter(desk, 'tickets.reply'), { id })).status, 404)
})

test('a reply may leave from the addresses of its department, the usual one first, and what cannot send is told', async () => {
  const ada = await aClient(desk)
  const { ticket_id: id } = await receive(aMail({ From: ada.email, To: support, Subject: 'Water' }), {
    recipient: support
  })
  const box = await aMailbox(desk, admin, { address: 'shop@desk.example', smtp: serverAt(1), name: 'The shop' })
  const since = new Date('2026-11-20T12:40:00Z')
  await desk.db
    .updateTable('connected_mailboxes')
    .where('id', '=', box.id)
    .set({ smtp_failing_since: since, smtp_error: 'It is off' })
    .execute()

  const { senders } = (await desk.post(base, grace, { id })).data

  assert.deepEqual(
    senders.map((sender: { address: string; is_usual: number; failing_since: string | null }) => [
      sender.address,
      sender.is_usual,
      sender.failing_since
    ]),
    [
      [support, 1, null],
      ['sales@desk.example', 0, null],
      ['shop@desk.example', 0, since.toISOString()]
    ]
  )
  assert.equal(senders[2].name, 'The shop')
})

test('6: what stands below the e-mail is told for each sender, in the language of the client, as it goes out', async () => {
  const ada = await aClient(desk)
  await desk.db.updateTable('clients').set({ language: 'de' }).where('id', '=', ada.id).execute()
  const { ticket_id: id } = await receive(aMail({ From: ada.email, To: support, Subject: 'Water' }), {
    recipient: support
  })
  const signature = { en: 'The shop', de: 'Der Laden' }
  await aMailbox(desk, admin, { address: 'laden@desk.example', smtp: serverAt(1), signature })
  const below = async () => {
    const { senders } = (await desk.post(base, grace, { id })).data
    const of = (address: string) => senders.find((sender: { address: string }) => sender.address === address).signature
    return [of(support), of('laden@desk.example')]
  }
  const [{ first_name, last_name }] = (await desk.db
    .selectFrom('staff')
    .where('id', '=', grace.id)
    .select(['first_name', 'last_name'])
    .execute()) as [{ first_name: string; last_name: string }]
  const name = `${first_name} ${last_name}`

  const without = await below()
  await desk.post('/api/account/signature/update', grace, { texts: { de: 'Gruß, {{staff.first_name}}' } })

  assert.deepEqual(without, [
    { both: name, address: name },
    { both: `${name}\n\nDer Laden`, address: 'Der Laden' }
  ])
  assert.deepEqual(await below(), [
    { both: `Gruß, ${first_name}`, address: name },
    { both: `Gruß, ${first_name}\n\nDer Laden`, address: 'Der Laden' }
  ])
})

test('3: what those who get a reply see of each other is said by the service, in the language that is asked for', async () => {
  const ada = await aClient(desk, { first_name: 'Ada' })
  const { ticket_id: id } = await receive(aMail({ From: ada.email, To: support, Subject: 'Water' }))
  await desk.post('/api/admin/tickets/followers/add', admin, { id, email: 'anton@sees.example', name: 'Anton' })
  const told = async (chosen: object, language = 'en') => {
    const headers = {
      'content-type': 'application/json',
      authorization: `Bearer ${grace.token}`,
      'accept-language': language
    }
    const response = await fetch(desk.url + base, { method: 'POST', headers, body: JSON.stringify({ id, ...chosen }) })
    return ((await response.json()) as { data: { text: string } }).data.text
  }

  assert.equal(await told({}), 'Ada and Anton see each other.')
  assert.equal(await told({ cc: [] }), 'Only Ada gets it.')
  assert.equal(
    await told({ cc: ['new@sees.example'], bcc: ['anton@sees.example'] }),
    'Ada and new@sees.example see each other. new@sees.example gets this answer and later ones, nothing before. Nobody sees that Anton gets a copy.'
  )
  assert.equal(
    await told({ to: ['other@sees.example'], cc_once: ['once@sees.example'] }, 'de'),
    'other@sees.example und once@sees.example sehen einander. Ada bekommt diese Antwort nicht per E-Mail und liest sie im Portal.'
  )
  const refused = await desk.post(base, grace, { id, cc: [support] })
  assert.deepEqual([refused.status, refused.body.errors], [400, ['cc']])
})
