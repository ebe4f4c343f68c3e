import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { endpoints } from '../src/endpoints.ts'
import type { AnyEndpoint } from '../src/kit/endpoint.ts'
import { sendAllClientRequests } from './support/all-client-requests.ts'
import { bootDesk } from './support/desk.ts'
import { exportArchive } from './support/export-archive.ts'
import { aSupporter } from './support/people.ts'
import { exampleBody, routes, withoutAttemptLimits } from './support/routes.ts'
import { form, limitTo } from './support/tickets.ts'
import {
  aNoteFile,
  assertNoNote,
  newSession,
  noteCanary,
  requestWithoutNotes,
  thirdParty,
  ticketsToNote,
  writeNotes
} from './support/tickets-with-notes.ts'

// What may read the notes of staff, or knows the table by its name. A line more here is a decision.
const readers = [
  // What staff read and write.
  'src/tickets/threads/newest-entries.ts',
  'src/tickets/attachments/note-files.ts',
  'src/tickets/threads/ticket-detail.ts',
  'src/tickets/threads/write-note.ts',
  // Whether there is one that somebody has not read.
  'src/tickets/queue/thread-state.ts',
  'src/tickets/threads/read-ticket.ts',
  // What webhooks tell that admins made for notes.
  'src/outward/webhooks/event-text.ts',
  // What staff search.
  'src/tickets/search/candidates.ts',
  'src/tickets/search/result-rows.ts',
  'src/tickets/search/search.ts',
  'src/tickets/search/language.ts',
  'src/tickets/search/rebuild.ts',
  'src/tickets/search/tickets-with-words.ts',
  // Whom a note mentions; never what it says.
  'src/tickets/notifications/pending-events.ts',
  // What moves them into another ticket of staff.
  'src/tickets/links/chosen-entries.ts',
  'src/tickets/links/move-entries.ts',
  'src/tickets/links/unsplit-ticket.ts',
  // What removes or counts them.
  'src/outward/erasure/anonymize-rows.ts',
  'src/tickets/desk/purge-ticket.ts',
  'src/outward/erasure/remove-rows.ts',
  'src/outward/erasure/stores.ts',
  'src/core/tables/threads.ts'
]

const desk = await bootDesk({ config: withoutAttemptLimits })
const scene = await ticketsToNote(desk)
const { owner, other, member, manager, admin, tickets } = scene
const all = Object.values(tickets)
await writeNotes(desk, scene)

/** Endpoints that a client, or somebody without an account, may use. */
const isForClients = ({ access }: AnyEndpoint) =>
  typeof access === 'object' ? access.orClient === true : access !== 'admin' && access !== 'staff'

test('staff read a note on each of the tickets, which the listener of these tests would hear', async () => {
  for (const { id } of all) {
    await assert.rejects(
      requestWithoutNotes(desk, '/api/admin/tickets/detail', { asker: admin, body: { id } }),
      /tells of a note/
    )
  }
  await assert.rejects(
    requestWithoutNotes(desk, '/api/admin/search', { asker: admin, body: { query: noteCanary } }),
    /tells of a note/
  )
})

test('nothing that clients do, and no e-mail or text that goes out meanwhile, brings a note to light', async () => {
  const own = await bootDesk({ config: withoutAttemptLimits })
  const scene = await ticketsToNote(own)
  await writeNotes(own, scene)

  const paths = await sendAllClientRequests(own, scene)

  assert.deepEqual(
    [...paths].toSorted(),
    endpoints
      .filter(isForClients)
      .map(({ path }) => path)
      .toSorted()
  )
  const { emails, messages } = own.outbox
  const mentions = emails.filter(({ text }) => /mentioned\s+you\s+in\s+a\s+note/.test(text))
  // Of what lies in the trash nobody is told.
  assert.deepEqual([mentions.length, messages.length], [all.length - 1, 1])
  const toOthers = emails.filter(({ to }) => to !== thirdParty)
  assert.ok(toOthers.length < emails.length)
  for (const message of [...toOthers, ...messages]) assertNoNote('an e-mail', JSON.stringify(message))
})

test('whatever is sent to what clients may use, by whomever, no answer tells of a note', async () => {
  const files = await noteFiles()
  const notes = await desk.db.selectFrom('ticket_notes').select('id').execute()
  const ids = [...all.map(({ id }) => id), tickets.source.ticket_number, files[0]!.id, notes.at(-1)!.id]
  const [succeeded, byManager] = [new Set<string>(), new Set<string>()]

  for (const { pattern, methods, endpoint } of routes.filter(route => isForClients(route.endpoint))) {
    const hasId = pattern.includes(':id') || 'id' in exampleBody(endpoint).filled
    for (const person of [owner, other, member, manager, undefined]) {
      const asker = person && (await newSession(desk, person))
      for (const id of hasId ? ids : [0]) {
        const isFirst = person === owner && (id === ids[0] || id === 0)
        for (const body of isFirst ? allBodies(endpoint, id) : [rightBody(endpoint, id), ...(hasId ? [] : ['{'])]) {
          const { status } = await requestWithoutNotes(desk, pattern.replace(':id', String(id)), { asker, body })
          assert.ok(status < 500, pattern)
          if (status < 300 && person === owner) succeeded.add(pattern)
          if (status < 300 && person === manager) byManager.add(pattern)
          if (hasId && person === member && /^\/api\/tickets\/:id/.test(pattern)) assert.ok(status >= 400, pattern)
        }
      }
      if (methods.includes('GET'))
        await requestWithoutNotes(desk, `${pattern}?email=${owner.email}&token=x`, { method: 'GET', asker })
    }
  }

  for (const name of ['detail', 'reply', 'status']) {
    assert.ok(succeeded.has(`/api/tickets/:id/${name}`), name)
    assert.ok(byManager.has(`/api/tickets/:id/${name}`), name)
  }
})

test('what is for staff is refused to clients and strangers without a word of a note', async () => {
  for (const { pattern } of routes.filter(route => !isForClients(route.endpoint))) {
    for (const asker of [await newSession(desk, owner), await newSession(desk, manager), undefined]) {
      const { id } = tickets.plain
      const body = { id, query: noteCanary.slice(0, 5) }
      const { status } = await requestWithoutNotes(desk, pattern.replace(':id', String(id)), { asker, body })

      assert.equal(status, asker ? 403 : 401, pattern)
    }
  }
})

test('neither the pages nor the files tell of a note, nor a fault that does', async t => {
  const paths = ['/', '/docs', '/docs/json', '/docs/yaml', '/openapi.json', '/livez', '/readyz', '/metrics', '/nothing']
  const { file_path } = tickets.plain.attachments[0]
  const asker = await newSession(desk, owner)
  for (const path of [...paths, file_path, `${file_path}?expires=1&signature=x`, `/exports/clients/${owner.id}`]) {
    for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS']) {
      for (const each of [asker, undefined]) await requestWithoutNotes(desk, path, { method, asker: each })
    }
  }
  const link = JSON.parse(
    (
      await requestWithoutNotes(desk, '/api/tickets/attachment-link', {
        asker,
        body: { id: tickets.plain.attachments[0].id }
      })
    ).text
  )
  const { pathname, search } = new URL(link.data.url)
  const followed = await requestWithoutNotes(desk, pathname + search, { method: 'GET' })
  t.mock.method(desk.services.files, 'open', async () => {
    throw new Error(`A note: ${noteCanary}`)
  })
  const failed = await requestWithoutNotes(desk, file_path, { method: 'GET', asker })

  assert.deepEqual([followed.status, followed.text, failed.status], [200, 'smoke', 500])
})

test('the file of a note is there for staff who see its ticket, and for a client or a stranger it is not', async () => {
  const files = await noteFiles()
  const elsewhere = await aSupporter(desk, 'tickets.view_all')
  await limitTo(desk, elsewhere.id, 6)
  assert.equal(files.length, all.length)

  for (const { id, file_path } of files) {
    for (const asker of [
      ...[await newSession(desk, owner), await newSession(desk, other), await newSession(desk, manager)],
      ...[elsewhere, undefined]
    ]) {
      const link = await requestWithoutNotes(desk, '/api/tickets/attachment-link', { asker, body: { id } })
      assert.equal(link.status, asker ? 404 : 401)
      for (const path of [file_path, `${file_path}?expires=9999999999&signature=x`]) {
        for (const method of ['GET', 'HEAD'])
          assert.equal((await requestWithoutNotes(desk, path, { method, asker })).status, 404)
      }
    }
  }
  const seen = files.filter(({ ticket_id }) => ticket_id !== tickets.trashed.id)
  for (const { id, file_path } of seen) {
    const { url } = (await desk.post('/api/tickets/attachment-link', admin, { id })).data
    const { pathname, search } = new URL(url)
    for (const [path, asker] of [[file_path, admin] as const, [pathname + search, undefined] as const]) {
      await assert.rejects(requestWithoutNotes(desk, path, { method: 'GET', asker }), /tells of a note/)
    }
  }
})

test('the archive of all that is stored of a client holds no note', async () => {
  for (const { id } of [owner, other]) {
    const { data } = await desk.post('/api/admin/clients/export', admin, { id })
    const { tar, files } = await exportArchive(desk, data.url)

    assert.ok(files.size > 1)
    assertNoNote('the archive', tar)
  }
})

test('a client cannot tell whether there are notes: what is shown is the same without them', async () => {
  const own = await bootDesk({ config: withoutAttemptLimits })
  const { owner, manager, admin, tickets } = await ticketsToNote(own)
  const reads: [string, object][] = [
    ['/api/tickets/list', {}],
    ['/api/tickets/list', { scope: 'organisation' }],
    ...Object.values(tickets).map(({ id }): [string, object] => ['/api/tickets/detail', { id }]),
    ...[noteCanary, 'smoke', 'printer'].map((query): [string, object] => ['/api/tickets/search', { query }]),
    ['/api/account/profile', {}],
    ['/api/account/sessions', {}],
    ['/api/account/tokens/list', {}]
  ]
  const shown = async () => {
    const answers = []
    for (const asker of [owner, manager]) {
      for (const [path, body] of reads) answers.push(await requestWithoutNotes(own, path, { asker, body }))
    }
    return answers
  }

  const before = await shown()
  own.clock.turn(3600)
  for (const { id } of Object.values(tickets)) {
    await own.post('/api/admin/tickets/note', admin, { id, note: `${noteCanary} printer` })
    await own.post('/api/admin/tickets/note', admin, form({ id, note: 'smoke' }, aNoteFile()))
  }

  own.clock.turn(-3600)
  assert.deepEqual(await shown(), before)
})

test('no other module and nothing else in the database knows the table of notes', async () => {
  const root = join(import.meta.dirname, '..')
  const sources = globSync('src/**/*.ts', { cwd: root }).filter(path => !path.endsWith('.test.ts'))
  const knowing = sources.filter(path => /ticket_notes/.test(readFileSync(join(root, path), 'utf8')))
  const { rows } = await sql<{ name: string }>`
    select proname as name from pg_proc where pronamespace = 'public'::regnamespace and prosrc ~ 'note'
    union all select proname from pg_proc where pronamespace = 'public'::regnamespace and proname ~ 'note'
    union select viewname from pg_views where schemaname = 'public' and definition ~ 'note'
    order by name`.execute(desk.db)

  assert.deepEqual(knowing.toSorted(), readers.toSorted())
  assert.deepEqual(rows, [])
})

/** The files of all notes, with the tickets of these. */
function noteFiles() {
  return desk.db
    .selectFrom('ticket_attachments as file')
    .innerJoin('ticket_notes as note', 'note.id', 'file.note_id')
    .select(['file.id', 'file.file_path', 'note.ticket_id'])
    .execute()
}

/** The body that fits, with this as the id. */
function rightBody(endpoint: AnyEndpoint, id: number | string): object {
  const { fields, filled } = exampleBody(endpoint)
  return { ...filled, ...(fields.some(([name]) => name === 'id') ? { id } : {}) }
}

/** The body that fits, none, half of one, and one of wrong values for each kind of wrong. */
function allBodies(endpoint: AnyEndpoint, id: number | string): (object | string | undefined)[] {
  const right = rightBody(endpoint, id)
  const names = exampleBody(endpoint).fields.map(([name]) => name)
  const wrong = [[{}], -1, 'x'.repeat(3000), null].map(value => Object.fromEntries(names.map(name => [name, value])))
  return [right, undefined, '{', ...wrong, ...names.map(name => ({ ...right, [name]: [[]] }))]
}
