import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../../test/support/people.ts'
import { assign, aTicket, limitTo } from '../../../../test/support/tickets.ts'

const desk = await bootDesk()
const [ada, grace] = [await aClient(desk), await aSupporter(desk, 'tickets.view_all', 'tickets.reply')]

async function search(person: Person, query: string, more: object = {}) {
  const reply = await desk.post('/api/admin/search', person, { query, ...more })
  assert.equal(reply.status, 200, `${JSON.stringify(query)}: ${reply.body.message}`)
  return reply.data
}

async function found(person: Person, query: string): Promise<[kind: string, id: number][]> {
  const { results } = await search(person, query)
  return results.map(({ kind, id }: { kind: string; id: number }) => [kind, id])
}

async function aNote(ticketId: number, note: string): Promise<number> {
  const author = { staff_id: grace.id, author_first_name: 'Grace', author_last_name: 'Hopper' }
  const row = { ticket_id: ticketId, note, ...author }
  const { id } = await desk.db.insertInto('ticket_notes').values(row).returning('id').executeTakeFirstOrThrow()
  return id
}

async function firstMessage(ticketId: number): Promise<number> {
  const messages = desk.db.selectFrom('ticket_messages').where('ticket_id', '=', ticketId)
  return (await messages.select('id').orderBy('id').executeTakeFirstOrThrow()).id
}

test('a ticket is found by its subject, a message, a note and its client, each with its kind, place and snippet', async () => {
  const eve = await aClient(desk, { first_name: 'Evelyn', last_name: 'Zorn', email: 'evelyn@zorn.test' })
  const { ticket_id, ticket_number } = await aTicket(desk, eve, {
    subject: 'A quagmire, really!',
    message: 'All of it: the "quagmire" <deep>,\nand wet.'
  })
  const note = await aNote(ticket_id, 'Calls it a quagmire again.')

  const { results, ...list } = await search(grace, 'quagmire')
  const [client] = (await search(grace, 'zorn')).results.filter(({ kind }: { kind: string }) => kind === 'client')

  assert.deepEqual(list, { count: 3, total: 3, page: 1, limit: 20 })
  const [ticketFound, ...others] = results
  assert.equal(ticketFound.kind, 'ticket')
  assert.equal(ticketFound.snippet, `${ticket_number} A ⟦quagmire⟧, really! (Evelyn Zorn, evelyn@zorn.test)`)
  assert.match(ticketFound.created_at, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  const ticket = { id: ticket_id, ticket_number, subject: 'A quagmire, really!', status: 'Open' }
  const person = { id: eve.id, first_name: 'Evelyn', last_name: 'Zorn', email: 'evelyn@zorn.test' }
  for (const result of results) assert.deepEqual([result.ticket, result.client], [ticket, person])
  assert.deepEqual(
    others
      .map(({ kind, id, snippet }: { kind: string; id: number; snippet: string }) => [kind, id, snippet])
      .toSorted(),
    [
      ['message', await firstMessage(ticket_id), 'All of it: the "⟦quagmire⟧" <deep>, and wet.'],
      ['note', note, 'Calls it a ⟦quagmire⟧ again.']
    ]
  )
  assert.deepEqual([client.id, client.ticket, client.client], [eve.id, ticket, person])
  assert.equal(client.snippet, 'Evelyn ⟦Zorn⟧ <evelyn@⟦zorn⟧.test>')
})

test('accents, capitals, endings and a word not typed to its end do not matter; phrases, minus and OR do', async () => {
  const message = 'Le café brûlé près des Übungen, wristwatches burning at dawn_patrol/HQ.'
  const { ticket_id } = await aTicket(desk, ada, { subject: 'x', message })
  const place: [string, number][] = [['message', await firstMessage(ticket_id)]]
  const hits = [
    'cafe brule',
    'CAFÉ',
    'cafe\u0301 bru',
    'ubung',
    'wristwatch',
    'wristwatching',
    'burned wristwatch',
    'the wristwatches',
    'patrol hq',
    'dawn_patrol',
    '"burning at dawn"',
    '"burning at',
    'wristwatch -zebra',
    'nowhere OR ubungen',
    "'wristwatch') | !"
  ]
  const misses = ['wristwatch zebra', 'wristwatch -dawn', '"dawn burning"', '-zebra', 'OR']

  for (const query of hits) assert.deepEqual(await found(grace, query), place, query)
  for (const query of misses) assert.deepEqual(await found(grace, query), [], query)
})

test('a ticket number or an e-mail address typed exactly comes first, by its parts and its start it is found as well', async () => {
  const max = await aClient(desk, { first_name: 'Max', last_name: 'Muster', email: 'max.muster@Firm-1.test' })
  const { ticket_id, ticket_number } = await aTicket(desk, max, { subject: 'Lamp' })
  const digits = ticket_number.slice(4)
  const mention = `${`${ticket_number} max.muster@firm-1.test `.repeat(20)}`
  const other = await aTicket(desk, ada, { subject: `${ticket_number} max.muster@firm-1.test`, message: mention })

  for (const query of [ticket_number, ticket_number.toLowerCase(), digits]) {
    assert.deepEqual((await found(grace, query))[0], ['ticket', ticket_id], query)
  }
  assert.deepEqual((await found(grace, 'MAX.muster@firm-1.test'))[0], ['client', max.id])
  for (const query of ['max.mus', 'muster', 'firm-1.te', 'uster']) {
    const kinds = await found(grace, query)

    assert.ok(
      kinds.some(([kind, id]) => kind === 'client' && id === max.id),
      query
    )
  }
  assert.ok((await found(grace, 'max lamp')).some(([, id]) => id === ticket_id))
  assert.ok((await found(grace, digits.slice(1, 5))).some(([kind, id]) => kind === 'ticket' && id === ticket_id))
  assert.ok(other)
})

test('what is nearly a subject or a name is found when nothing else is', async () => {
  const { ticket_id } = await aTicket(desk, ada, { subject: 'Kaleidoscope', message: '-' })

  assert.deepEqual(await found(grace, 'kaleidoskope'), [['ticket', ticket_id]])
})

test('a reply and a changed subject or client are found at once, and what they replace no longer', async () => {
  const eve = await aClient(desk, { first_name: 'Evita', email: 'evita@here.test' })
  const { ticket_id } = await aTicket(desk, eve, { subject: 'Ocarina', message: 'a' })

  const reply = await desk.post('/api/tickets/reply', eve, { id: ticket_id, message: 'It is a xylophone.' })
  const replied = await found(grace, 'xylophone')
  await desk.db.updateTable('tickets').set({ subject: 'Bassoon' }).where('id', '=', ticket_id).execute()
  await desk.db.updateTable('clients').set({ first_name: 'Erased', email: 'e@e.e' }).where('id', '=', eve.id).execute()
  const after = await Promise.all(['ocarina', 'bassoon', 'evita', 'erased'].map(query => found(grace, query)))
  await desk.db.deleteFrom('tickets').where('id', '=', ticket_id).execute()
  const deleted = await found(grace, 'xylophone OR bassoon')

  assert.deepEqual(replied, [['message', reply.data.message_id]])
  assert.deepEqual(after.slice(0, 3), [[], [['ticket', ticket_id]], []])
  assert.deepEqual(
    after[3]!.toSorted(),
    [
      ['client', eve.id],
      ['ticket', ticket_id]
    ].toSorted()
  )
  assert.deepEqual(deleted, [])
})

test('what a staff member does not see is not found: other departments, others’ tickets, the trash', async () => {
  const eve = await aClient(desk, { first_name: 'Hidden', email: 'hidden@away.test' })
  const { ticket_id } = await aTicket(desk, eve, { subject: 'Theremin', message: 'theremin' })
  await aNote(ticket_id, 'theremin')
  const [own, technical, views, admin] = [
    await aSupporter(desk, 'tickets.reply'),
    await aSupporter(desk, 'tickets.view_all'),
    await aSupporter(desk, 'tickets.reply', 'clients.view'),
    await anAdmin(desk)
  ]
  await limitTo(desk, technical.id, 4)
  const words = 'theremin OR hidden'

  assert.equal((await found(admin, words)).length, 4)
  assert.deepEqual(await found(own, words), [])
  assert.deepEqual(await found(own, 'hidden@away.test'), [])
  assert.deepEqual(await found(technical, words), [])
  assert.deepEqual(await found(views, words), [['client', eve.id]])
  await assign(desk, ticket_id, own.id)
  assert.equal((await found(own, words)).length, 4)
  await desk.db.updateTable('tickets').set({ trashed_at: new Date() }).where('id', '=', ticket_id).execute()
  assert.deepEqual(await found(own, words), [])
  assert.deepEqual(await found(admin, words), [['client', eve.id]])
})

test('the pages of a search hold each result once, and say how many there are', async () => {
  for (let at = 0; at < 5; at++) await aTicket(desk, ada, { subject: `Harpsichord ${at}`, message: '-' })

  const pages = await Promise.all([1, 2, 3, 9e15].map(page => search(grace, 'harpsichord', { page, limit: 2 })))

  const ids = pages.flatMap(({ results }) => results.map(({ id }: { id: number }) => id))
  assert.deepEqual([ids.length, new Set(ids).size], [5, 5])
  assert.deepEqual(
    pages.map(({ count, total }) => [count, total]),
    [
      [2, 5],
      [2, 5],
      [1, 5],
      [0, 5]
    ]
  )
})

test('no text is too strange to look for', async () => {
  await aTicket(desk, ada, { subject: '100% \\ "strange" ⟦brackets⟧', message: "it's <b>odd</b> & 'so' 😀" })
  const strange = [
    '"',
    "'",
    '\\',
    '%%%___',
    ':* & | ! <-> ()',
    "a':*b",
    'a & ! b',
    '((((',
    '" " " -"',
    '-"',
    'OR OR OR',
    'null\u0001byte',
    '😀'.repeat(255),
    '𝔘'.repeat(255),
    '\u0301'.repeat(255),
    'a '.repeat(127),
    'a-'.repeat(127),
    '"a" '.repeat(63),
    'ﷺ'.repeat(255),
    'İstanbul',
    'ß',
    'ไทย ภาษา',
    'हिन्दी',
    '東京',
    '\ud800',
    "<b>odd</b>'); drop table tickets; --",
    '100%',
    'strange\\'
  ]

  for (const query of strange) {
    for (const asker of [grace, ada]) {
      const path = asker === grace ? '/api/admin/search' : '/api/tickets/search'
      const { status, body } = await desk.post(path, asker, { query })

      assert.ok([200, 400].includes(status), `${JSON.stringify(query)}: ${status} ${JSON.stringify(body)}`)
    }
  }
  assert.match((await search(grace, 'brackets')).results[0].snippet, /100% \\ "strange" \[⟦brackets⟧\]/)
})

test('a message of half a million characters is kept and found, however its words are made up', async () => {
  const emails = [...Array(120_000).keys()].map(at => String.fromCodePoint(0x20000 + (at % 40_000)))
  const texts = [
    `${'a-'.repeat(240_000)} xenolith`,
    `xenolith ${'a@b.c/'.repeat(80_000)}`,
    `xenolith ${emails.join(' ')}`,
    `xenolith ${[...Array(70_000).keys()].map(at => at.toString(36).padStart(5, 'q')).join(' ')}`,
    `xenolith ${'½'.repeat(490_000)}`,
    `xenolith ${'<'.repeat(490_000)}`
  ]

  for (const [at, message] of texts.entries()) {
    await aTicket(desk, ada, { subject: `Long ${at}`, message })

    assert.equal((await found(grace, 'xenolith')).length, at + 1)
  }
})

test('every word may be the beginning of one, but for what is quoted, excluded, joined to others or of two letters', async () => {
  const message = 'A dulcimer printed firestorms at half-past noontide.'
  const { ticket_id } = await aTicket(desk, ada, { subject: 'x', message })
  const place: [string, number][] = [['message', await firstMessage(ticket_id)]]
  const five = 'dulc dulci dulcim print fires'
  const hits = ['dulc fires', 'FIRES dulcim', 'dulci print noon', 'dulc nowhere OR fires noon', five, 'noon -dulc']
  const misses = ['"dulc" noon', 'du noon', 'noon -dulcimer', 'dulci nowhe', 'half-pas noon', `${five} noon`]

  for (const query of hits) assert.deepEqual(await found(grace, query), place, query)
  for (const query of misses) assert.deepEqual(await found(grace, query), [], query)
})

test('what has the words themselves comes before what only has words that begin so', async () => {
  const begun = 'Clavichord clavichords clavichordist: mandolinist mandolins mandolin-maker'
  const { ticket_id } = await aTicket(desk, ada, {
    subject: 'x',
    message: 'Of a clavich and, far from it, one mandol.'
  })
  const whole = await firstMessage(ticket_id)
  const other = await firstMessage((await aTicket(desk, ada, { subject: 'x', message: begun })).ticket_id)

  const { results } = await search(grace, 'clavich mandol')

  assert.deepEqual(
    results.map(({ id }: { id: number }) => id),
    [whole, other]
  )
  assert.ok(results[0].rank >= 0.5 && results[1].rank < 0.5)
})
