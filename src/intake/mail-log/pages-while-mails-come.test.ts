import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { bootDesk } from '../../../test/support/desk.ts'
import { aMail, receiverOf } from '../../../test/support/mails.ts'
import { anAdmin } from '../../../test/support/people.ts'

const desk = await bootDesk({ connections: 6 })
const receive = receiverOf(desk)
const admin = await anAdmin(desk)
const rows = 1_300

/** More rows than a batch of the export has. */
async function fillLog(): Promise<number[]> {
  await sql`insert into mail_log (direction, at, outcome, via, sender, recipients, subject, size_bytes)
    select 'in', ${desk.clock.now()}::timestamptz, 'ticket', 'smtp', 'ada@example.com', 'support@desk.example', 'Mail ' || n, 100
    from generate_series(1, ${rows}) as n`.execute(desk.db)
  const stored = await desk.db.selectFrom('mail_log').select('id').orderBy('id', 'desc').execute()
  return stored.map(({ id }) => id)
}

const there = await fillLog()

async function comesIn(): Promise<void> {
  await receive(aMail({ From: `new${Math.random()}@example.com`, Subject: 'Came meanwhile' }))
}

/** The ids of all pages; another mail comes in before each next one. */
async function pagesOf(filter: object): Promise<number[]> {
  const seen: number[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = { ...filter, limit: 100, ...(cursor === undefined ? {} : { cursor }) }
    const { status, data } = await desk.post('/api/admin/mail/log/list', admin, page)
    assert.equal(status, 200)
    seen.push(...data.mails.map(({ id }: { id: number }) => id))
    cursor = data.next_cursor
    await comesIn()
  }
  return seen
}

test('2: read page by page while mails come in, the log has each row once and loses none, also where it is filtered and searched', async () => {
  for (const filter of [{}, { direction: 'in', outcome: 'ticket' }, { search: 'Mail' }]) {
    const seen = await pagesOf(filter)

    assert.equal(new Set(seen).size, seen.length)
    assert.deepEqual(
      seen.filter(id => there.includes(id)),
      there
    )
  }
})

test('2: an export that is read while mails come in has each row once and loses none', async () => {
  const { data } = await desk.post('/api/admin/mail/log/export', admin, {})
  const { pathname, search } = new URL(data.url)

  const response = await fetch(desk.url + pathname + search)
  let text = ''
  for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
    text += part
    await comesIn()
  }

  const seen = text
    .trimEnd()
    .split('\r\n')
    .slice(1)
    .map(line => Number(line.split(',', 1)))
  assert.equal(new Set(seen).size, seen.length)
  assert.deepEqual(
    seen.filter(id => there.includes(id)),
    there
  )
})
