import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../../test/support/people.ts'
import { system } from '../../actor.ts'
import type { NewEventFacts } from '../../events/catalogue.ts'
import { insertEvents } from '../../events/insert-events.ts'
import { permissionSlugs } from '../../permissions.ts'
import { type AuditActor, auditActorOf } from '../audit-actor.ts'

// More than two batches of the export.
const rows = 1100
const address = '/api/admin/audit/export'
const heading =
  'id,created_at,action,actor_type,actor_id,actor_name,target_type,target_id,before,after,ip_address,request_id'
const desk = await bootDesk({ connections: 2 })
let admin: Person

before(async () => {
  admin = await anAdmin(desk)
})

async function linkFor(filter: object, by = admin): Promise<string> {
  const { data } = await desk.post(address, by, filter)
  assert.equal(data.expires_in, 300)
  const { pathname, search } = new URL(data.url)
  return pathname + search
}

async function linesOf(filter: object): Promise<string[]> {
  const response = await fetch(desk.url + (await linkFor(filter)))
  assert.equal(response.status, 200)
  const text = await response.text()
  assert.ok(text.endsWith('\r\n'))
  return text.split('\r\n').slice(0, -1)
}

async function log(by: AuditActor, event: NewEventFacts): Promise<void> {
  const subject = { type: 'tag', id: 1 } as const
  await insertEvents(desk.db, [{ ...event, subject, by }], desk.clock.now())
}

test('of no rows it is the heading alone', async () => {
  assert.deepEqual(await linesOf({ action: 'tag.' }), [heading])
})

test('more rows than a batch are there once each, newest first, as a file that nobody keeps or renders', async () => {
  const ids = Array.from({ length: rows }, (_, at) => at + 1)
  const created = ids.map(
    id =>
      ({
        kind: 'tag.created',
        subject: { type: 'tag', id },
        after: { name: `Tag ${id}`, color: '#ff0000' },
        by: auditActorOf(system)
      }) as const
  )
  await insertEvents(desk.db, created, desk.clock.now())

  const lines = await linesOf({ action: 'tag.created' })
  const { headers } = await fetch(desk.url + (await linkFor({ to: '2020-01-01' })))

  const targets = lines.slice(1).map(line => Number(line.split(',')[7]))
  assert.deepEqual(
    targets,
    Array.from({ length: rows }, (_, at) => rows - at)
  )
  assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8')
  assert.match(headers.get('content-disposition')!, /^attachment; filename="audit-log\.csv"/)
  assert.equal(headers.get('cache-control'), 'private, no-store')
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
})

test('what is newer than the beginning of the file is not in it, and the filters are those of the list', async () => {
  const after = { name: 'x', into_id: 2, tickets: 0 }
  await log(auditActorOf(system), { kind: 'tag.merged', before: { name: 'y' }, after })
  const filters = [
    { action: 'tag.merged' },
    { actor_type: 'client' },
    { actor_type: 'staff', actor_id: admin.id },
    { target_type: 'tag', target_id: 7 },
    { from: '2020-01-01 10:00:00', action: 'tag.merged' },
    { to: '2020-01-01' }
  ]

  for (const filter of filters) {
    const listed = await desk.post('/api/admin/audit/list', admin, { ...filter, format: 'csv', limit: 1000 })
    // The export of before tells of itself to the next list, but not this one.
    const exported = (await linesOf(filter)).filter(line => !line.includes('audit.exported'))
    const expected = listed.data.csv.split('\r\n').filter((line: string) => line && !line.includes('audit.exported'))
    assert.deepEqual(exported, expected, JSON.stringify(filter))
  }
})

test('no cell is a formula, whoever was named how', async () => {
  for (const sign of ['=', '+', '-', '@', '\t', '\r']) {
    const tag = { name: `${sign}1`, color: '#ff0000' }
    await log({ ...auditActorOf(system), name: `${sign}1+1` }, { kind: 'tag.updated', before: tag, after: tag })
  }

  const lines = (await linesOf({ action: 'tag.updated' })).join('\n')

  for (const sign of ['=', '+', '-', '@', '\t']) assert.ok(lines.includes(`,'${sign}1+1,`), sign)
  assert.ok(lines.includes(`,"'\r1+1",`))
  assert.doesNotMatch(lines, /(^|,)"?[=+@\t\r-]/m)
})

test('nobody but admins gets a link, and a filter that is none is refused', async () => {
  const supporter = await aSupporter(desk, ...permissionSlugs)
  const client = await aClient(desk)

  const statuses = [undefined, client, supporter].map(async asker => (await desk.post(address, asker)).status)

  assert.deepEqual(await Promise.all(statuses), [401, 403, 403])
  assert.deepEqual((await desk.post(address, admin, { from: 'yesterday' })).body.errors, ['from'])
})

test('who exported what is in the log', async () => {
  const filter = { action: 'staff.', from: '2026-11-01' }
  await linkFor(filter)

  const { data } = await desk.post('/api/admin/audit/list', admin, { action: 'audit.exported', limit: 1 })

  const [{ actor_id, target_type, target_id, after }] = data.entries
  assert.deepEqual([actor_id, target_type, target_id, after], [admin.id, 'audit_log', null, filter])
})

test('a link shows what was asked for and signed, for five minutes; all else is the same 404', async t => {
  const link = await linkFor({ action: 'tag.' })
  t.after(() => desk.clock.turn(-301))

  const paths = [
    '/exports/audit',
    link.replace('tag.', ''),
    link.replace(/filter=[^&]*/, 'filter=%7B%7D'),
    link.replace(/expires=(\d+)/, (_, expires) => `expires=${Number(expires) + 1}`),
    link.replace(/staff=\d+/, 'staff=999'),
    `${link}&signature=x`,
    `${link}&filter=%7B%7D`
  ]
  const refused = await Promise.all(paths.map(path => fetch(desk.url + path)))
  const head = await fetch(desk.url + link, { method: 'HEAD' })
  desk.clock.turn(301)
  refused.push(await fetch(desk.url + link))

  for (const response of refused) {
    assert.equal(response.status, 404)
    assert.equal(((await response.json()) as { reason: string }).reason, 'export_not_found')
  }
  assert.equal(head.status, 405)
})

test('a link ends with the session and with the role of whoever made it', async () => {
  const [leaving, demoted] = [await anAdmin(desk), await anAdmin(desk)]
  const links = [await linkFor({}, leaving), await linkFor({}, demoted)]
  const statuses = () => Promise.all(links.map(async link => (await fetch(desk.url + link)).status))
  const earlier = await statuses()

  await desk.post('/api/auth/logout', leaving)
  await desk.db.updateTable('staff').set({ role: 'supporter' }).where('id', '=', demoted.id).execute()

  assert.deepEqual(
    [earlier, await statuses()],
    [
      [200, 200],
      [404, 404]
    ]
  )
})

test('whoever hangs up does no harm', async () => {
  const link = await linkFor({})
  const hangUp = new AbortController()

  const response = await fetch(desk.url + link, { signal: hangUp.signal })
  await response.body!.getReader().read()
  hangUp.abort()

  assert.ok((await linesOf({})).length > rows)
})
