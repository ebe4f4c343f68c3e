import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, anAdmin, type Person } from '../../../test/support/people.ts'
import { aTicket } from '../../../test/support/tickets.ts'
import { type Db, transaction } from '../../core/db.ts'
import { catchUp, indexInBackground, unindexedTexts } from './index-words.ts'
import { keepIndexing } from './keep-indexing.ts'

const desk = await bootDesk({ connections: 8 })
const [admin, ada] = [await anAdmin(desk), await aClient(desk, { first_name: 'Ada' })]
const { ticket_id: ticket } = await aTicket(desk, ada, { subject: 'The first one' })

async function addMessage(db: Db, text: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into ticket_messages (ticket_id, client_id, sender_first_name, sender_last_name, message)
    values (${ticket}, ${ada.id}, 'A', 'B', ${text}) returning id`.execute(db)
  return rows[0]!.id
}

async function count(query: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${query}`.execute(desk.db)
  return rows[0]!.count
}

const withoutWords = sql`ticket_messages where not exists (select from message_words where message_id = id)`

async function found(query: string, person: Person = admin): Promise<[kind: string, id: number][]> {
  const { data } = await desk.post('/api/admin/search', person, { query })
  return data.results.map(({ kind, id }: { kind: string; id: number }) => [kind, id])
}

/** A transaction that stays open until it is told how to end. */
async function opened<T>(work: (db: Db) => Promise<T>) {
  const { promise: done, resolve: isDone } = Promise.withResolvers<T>()
  const { promise: end, resolve: commit, reject } = Promise.withResolvers<void>()
  const over = transaction(desk.db, async db => {
    isDone(await work(db))
    await end
  })
  return {
    result: await done,
    async commit() {
      commit()
      await over
    },
    async abort() {
      reject(new Error('Undone'))
      await assert.rejects(over, /Undone/)
    }
  }
}

/** As if a minute had gone by since the gaps grew old. */
async function aMinuteLater(): Promise<void> {
  await sql`update search_places set turned_at = turned_at - interval '61 seconds'`.execute(desk.db)
  while (await indexInBackground(desk.db));
}

/** The server may run transactions of other databases, of the tests beside this one: until they are over nothing is given up. */
async function untilGivenUp(): Promise<void> {
  for (let minute = 0; minute < 200 && (await gaps()) !== '{}'; minute++) await aMinuteLater()
}

async function gaps(): Promise<string> {
  const { rows } = await sql<{ gaps: string }>`
    select (gaps + old_gaps)::text as gaps from search_places where name = 'ticket_messages'`.execute(desk.db)
  return rows[0]!.gaps
}

test('what was just written is found at once, before its words are made', async () => {
  const written = await aTicket(desk, ada, { subject: 'A sackbut', message: 'It hums like a crumhorn' })
  await desk.post('/api/admin/tickets/note', admin, { id: written.ticket_id, note: 'Ask a shawm player' })
  const made = [
    await count(sql`ticket_words where ticket_id = ${written.ticket_id}`),
    await count(
      sql`message_words where message_id in (select id from ticket_messages where ticket_id = ${written.ticket_id})`
    )
  ]

  const kinds = [await found('sackbut'), await found('crumhorn'), await found('shawm')].map(([each]) => each?.[0])
  const { data } = await desk.post('/api/admin/tickets/list', admin, { search: 'crumhorn' })

  assert.deepEqual(made, [0, 0])
  assert.deepEqual(kinds, ['ticket', 'message', 'note'])
  assert.equal(data.total, 1)
})

test('who commits late is not passed over, however many were written and read meanwhile', async () => {
  const late = await opened(db => addMessage(db, 'A belated psaltery'))
  const early = await addMessage(desk.db, 'A punctual psaltery')
  await catchUp(desk.db)
  const before = await found('psaltery')
  // Nobody else is at work but who holds the id.
  await aMinuteLater()
  await aMinuteLater()
  await aMinuteLater()

  await late.commit()

  assert.deepEqual(before, [['message', early]])
  assert.deepEqual(
    (await found('psaltery')).toSorted(),
    [
      ['message', late.result],
      ['message', early]
    ].toSorted()
  )
})

test('an id that nobody will ever write is awaited for a minute and given up', async () => {
  await catchUp(desk.db)
  const undone = await opened(db => addMessage(db, 'Never said'))
  await undone.abort()
  await addMessage(desk.db, 'Said')
  await catchUp(desk.db)

  const young = await gaps()
  await aMinuteLater()
  const old = await gaps()
  await untilGivenUp()

  assert.match(young, new RegExp(`\\[${undone.result},`))
  assert.match(old, new RegExp(`\\[${undone.result},`))
  assert.equal(await gaps(), '{}')
})

test('gaps that came along from another database, whose transactions say nothing here, are given up as well', async () => {
  const undone = await opened(db => addMessage(db, 'Elsewhere'))
  await undone.abort()
  await addMessage(desk.db, 'Here')
  await catchUp(desk.db)
  await sql`update search_places set turned_xid = '9000000000000'`.execute(desk.db)

  const before = await gaps()
  await untilGivenUp()

  assert.notEqual(before, '{}')
  assert.equal(await gaps(), '{}')
})

test('what somebody is deleting gets no words, and gets them when it stays', async () => {
  const [gone, kept] = [await addMessage(desk.db, 'A doomed rebec'), await addMessage(desk.db, 'A saved rebec')]
  const deleting = await opened(db => sql`delete from ticket_messages where id = ${gone}`.execute(db))
  const hesitating = await opened(db => sql`delete from ticket_messages where id = ${kept}`.execute(db))
  await indexInBackground(desk.db)
  const meanwhile = await count(sql`message_words where message_id in (${gone}, ${kept})`)

  await deleting.commit()
  await hesitating.abort()

  assert.equal(meanwhile, 0)
  assert.deepEqual(await found('rebec'), [['message', kept]])
  assert.equal(await count(sql`message_words where message_id = ${gone}`), 0)
})

test('a name or a subject that changes before its words are made leaves nothing of the former one', async () => {
  const bob = await aClient(desk, { first_name: 'Zebedee' })
  const { ticket_id } = await aTicket(desk, bob, { subject: 'A hautbois' })
  const changing = await opened(async db => {
    await sql`update clients set first_name = 'Nobody' where id = ${bob.id}`.execute(db)
    await sql`update tickets set subject = 'An oboe' where id = ${ticket_id}`.execute(db)
  })
  // Waits for the change, whose words are there already.
  const reading = catchUp(desk.db)
  await changing.commit()
  await reading

  assert.deepEqual([await found('zebedee'), await found('hautbois')], [[], []])
  assert.deepEqual(await found('oboe'), [['ticket', ticket_id]])
  assert.equal(await count(sql`ticket_words where words::text ~ 'zebedee|hautbois'`), 0)
})

test('erasing leaves no words, also of what nobody has read yet', async () => {
  const eve = await aClient(desk, { first_name: 'Evangeline', email: 'eve@erased.test' })
  await aTicket(desk, eve, { subject: 'A lonely viol', message: 'It is mine, says Evangeline' })

  const order = { id: eve.id, mode: 'cascade', confirm_email: 'eve@erased.test' }
  const { status } = await desk.post('/api/admin/clients/delete', admin, order)
  await catchUp(desk.db)

  assert.equal(status, 200)
  assert.deepEqual(await found('evangeline'), [])
  assert.equal(await count(sql`ticket_words where words::text ~ 'viol|evangeline'`), 0)
  assert.equal(await count(sql`message_words where words::text ~ 'evangeline'`), 0)
})

test('of a long tail a search has a part read; without it the rest is found later', async () => {
  await sql`insert into ticket_messages (ticket_id, client_id, sender_first_name, sender_last_name, message)
    select ${ticket}, ${ada.id}, 'A', 'B', 'Import number ' || n from generate_series(1, 900) as n`.execute(desk.db)

  await catchUp(desk.db, 1)
  const left = await count(withoutWords)
  while (await indexInBackground(desk.db));

  assert.equal(left, 700)
  assert.equal(await count(withoutWords), 0)
})

test('several readers and writers at once, some of whom die or undo what they did, leave everything with its words', async () => {
  const writer = async (number: number) => {
    for (let turn = 0; turn < 25; turn++) {
      await transaction(desk.db, async db => {
        for (let each = 0; each <= (turn + number) % 3; each++) await addMessage(db, `Word${number} of turn ${turn}`)
        if ((turn * 7 + number) % 4 === 0) throw new Error('Undone')
      }).catch(error => assert.equal(error.message, 'Undone'))
    }
  }
  let isOver = false
  const isKilled = (error: unknown) => assert.match(String(error), /terminat|connection|ECONNRESET|EPIPE/i)
  const reader = async () => {
    while (!isOver) await indexInBackground(desk.db).catch(isKilled)
  }
  const killer = async () => {
    while (!isOver) {
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and query like '%search_places%' and pid <> pg_backend_pid()
          and state <> 'idle' and random() < 0.2`.execute(desk.db)
      await new Promise(setImmediate)
    }
  }
  const others = [reader(), reader(), killer()]
  await Promise.all([1, 2, 3].map(writer))
  isOver = true
  await Promise.all(others)

  // Connections that were idle when they were killed are met once each.
  const caughtUp = () =>
    catchUp(desk.db).then(
      () => true,
      error => {
        isKilled(error)
        return false
      }
    )
  while (!(await caughtUp()));

  assert.equal(await count(withoutWords), 0)
})

test('what is written has its words soon, as the log tells of it, and until then it is said that texts wait', async () => {
  await catchUp(desk.db)
  const before = await unindexedTexts(desk.db)
  await desk.post('/api/tickets/reply', ada, { id: ticket, message: 'Chrysanthemum' })
  const waiting = await unindexedTexts(desk.db)
  const ending = new AbortController()

  const indexing = keepIndexing(desk.services, ending.signal)
  await desk.post('/api/tickets/reply', ada, { id: ticket, message: 'Rhododendron' })
  while ((await count(withoutWords)) > 0) await new Promise(setImmediate)
  ending.abort()
  await indexing

  assert.equal(before.texts, 0)
  assert.equal(waiting.texts, 1)
  assert.ok(waiting.oldest_seconds >= 0)
  assert.equal((await unindexedTexts(desk.db)).texts, 0)
})
