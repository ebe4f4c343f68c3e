import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { bootDesk, type Desk } from '../../../test/support/desk.ts'
import { aClient, anAdmin, type Person } from '../../../test/support/people.ts'
import { aScanScript, eicar, startClamd } from '../../../test/support/scanners.ts'
import { aFile, aTicket, form, storedFiles } from '../../../test/support/tickets.ts'
import { clamdScanner } from '../../platform/scanner/clamd.ts'
import { commandScanner } from '../../platform/scanner/command.ts'
import { ScanFailed } from '../../platform/scanner/scanner.ts'

const clamd = await startClamd()
const script = await aScanScript()
after(() => Promise.all([clamd.stop(), script.remove()]))

const byScript = commandScanner({
  command: script.command,
  timeoutSeconds: 60,
  environment: { PATH: process.env.PATH }
})
const desk = await bootDesk({ services: { scanner: clamdScanner(clamd.address, 60) } })
const scripted = await bootDesk({ services: { scanner: byScript } })

async function aTicketWith(at: Desk, ...files: File[]) {
  const client = await aClient(at)
  const { ticket_id, attachments } = await aTicket(at, client, {}, files)
  return { client, ticket_id, attachments: attachments as { id: number; file_path: string }[] }
}

async function download(at: Desk, { file_path }: { file_path: string }, person?: Person, headers = {}) {
  const bearer: Record<string, string> = person ? { authorization: `Bearer ${person.token}` } : {}
  return await fetch(at.url + file_path, { headers: { ...bearer, ...headers } })
}

async function rowOf(at: Desk, { id }: { id: number }) {
  return await at.db
    .selectFrom('ticket_attachments')
    .where('id', '=', id)
    .select(['scan_state', 'scan_answer', 'scanned_at'])
    .executeTakeFirstOrThrow()
}

for (const [kind, at] of [
  ['clamd', desk],
  ['a command', scripted]
] as const) {
  test(`with ${kind}, files can be downloaded once they are clean, and infected ones never`, async () => {
    const { client, attachments, ticket_id } = await aTicketWith(
      at,
      aFile('clean.txt', 'harmless'),
      aFile('virus.txt', `${'x'.repeat(200_000)}${eicar}`)
    )
    const reply = await at.post('/api/tickets/reply', client, form({ id: ticket_id, message: 'More' }, aFile('b.txt')))
    const [clean, infected] = attachments as [{ id: number; file_path: string }, { id: number; file_path: string }]

    const early = await download(at, clean, client)
    await at.deliver()
    const [one, other, third] = [
      await download(at, clean, client),
      await download(at, infected, client),
      await download(at, reply.data.attachments[0], client)
    ]

    assert.equal(early.status, 503)
    assert.equal(early.headers.get('retry-after'), '10')
    assert.deepEqual(JSON.parse(await early.text()), {
      status: 'error',
      code: 503,
      message: 'This file is still being checked. Please try again shortly',
      reason: 'file_being_checked'
    })
    assert.deepEqual([one.status, await one.text()], [200, 'harmless'])
    assert.equal(third.status, 200)
    assert.equal(other.status, 410)
    assert.deepEqual(JSON.parse(await other.text()), {
      status: 'error',
      code: 410,
      message: 'This file contains malware and was quarantined',
      reason: 'file_quarantined'
    })
    const [cleanRow, infectedRow] = [await rowOf(at, clean), await rowOf(at, infected)]
    assert.deepEqual([cleanRow.scan_state, cleanRow.scan_answer], ['clean', kind === 'clamd' ? 'OK' : 'nothing found'])
    assert.equal(infectedRow.scan_state, 'infected')
    assert.match(infectedRow.scan_answer!, /Eicar-Test-Signature/)
    assert.ok(cleanRow.scanned_at && infectedRow.scanned_at)
  })
}

test('nobody gets at an unchecked or infected file by a signed link, a known version or a high rank', async () => {
  const { client, attachments } = await aTicketWith(desk, aFile('virus.txt', eicar))
  const [file] = attachments as [{ id: number; file_path: string }]
  const admin = await anAdmin(desk)
  const { data } = await desk.post('/api/tickets/attachment-link', client, { id: file.id })
  const statuses = async () => [
    (await fetch(data.url.replace(desk.services.config.BASE_URL, desk.url))).status,
    (await download(desk, file, client, { 'if-none-match': '*' })).status,
    (await download(desk, file, client, { range: 'bytes=0-1' })).status,
    (await download(desk, file, admin)).status,
    (await download(desk, file)).status,
    (await download(desk, file, await aClient(desk))).status
  ]

  const pending = await statuses()
  await desk.deliver()
  const infected = await statuses()

  assert.deepEqual(pending, [503, 503, 503, 503, 404, 404])
  assert.deepEqual(infected, [410, 410, 410, 410, 404, 404])
})

test('an infected file stays where the operator finds it, and the log says which', async t => {
  const warned = t.mock.method(desk.services.log, 'warn', () => {})
  const { attachments } = await aTicketWith(desk, aFile('virus.txt', eicar))

  await desk.deliver()

  const [{ file_path }] = attachments as [{ id: number; file_path: string }]
  assert.ok((await storedFiles(desk)).includes(join(desk.dataDir, file_path)))
  assert.deepEqual(
    // A busy machine warns of other things as well.
    warned.mock.calls.flatMap(call => (call.arguments as [{ path?: string }])[0].path ?? []),
    [file_path]
  )
})

test('the contract’s answers are the same with a scanner', async () => {
  const { client, ticket_id, attachments } = await aTicketWith(desk, aFile('a.txt', 'x'))

  const detail = await desk.post('/api/tickets/detail', client, { id: ticket_id })

  assert.deepEqual(Object.keys(attachments[0]!).sort(), ['file_name', 'file_path', 'file_size', 'file_type', 'id'])
  assert.deepEqual(detail.data.messages[0].attachments, attachments)
})

test('a file waits for a scanner that is away, with its words in the row, and is given out when it is back', async () => {
  const { client, attachments } = await aTicketWith(desk, aFile('a.txt', 'x'))
  const [file] = attachments as [{ id: number; file_path: string }]
  clamd.behaves('hanging up')

  await desk.deliver()
  const waiting = await rowOf(desk, file)
  const meanwhile = await download(desk, file, client)
  clamd.behaves('well')
  await desk.deliver({ early: true })

  assert.equal(waiting.scan_state, 'pending')
  assert.match(waiting.scan_answer!, /^clamd: /)
  assert.equal(meanwhile.status, 503)
  assert.equal((await download(desk, file, client)).status, 200)
})

test('a file whose tries are used up waits on, and is looked into again a day later', async t => {
  const { client, attachments } = await aTicketWith(desk, aFile('a.txt', 'x'))
  const [file] = attachments as [{ id: number; file_path: string }]
  const logged = t.mock.method(desk.services.log, 'error', () => {})
  clamd.behaves('hanging up')
  for (let tries = 0; tries < 13; tries++) await desk.deliver({ early: true })
  clamd.behaves('well')

  await desk.deliver({ early: true })
  const locked = await download(desk, file, client)
  await desk.services.jobs.send(desk.db, 'sweep-uploads', {})
  await desk.deliver()
  const sameDay = await download(desk, file, client)
  desk.clock.turn(12 * 3600)
  t.after(() => desk.clock.turn(-12 * 3600))
  await desk.services.jobs.send(desk.db, 'sweep-uploads', {})
  await desk.deliver()

  assert.deepEqual([locked.status, sameDay.status], [503, 503])
  assert.equal(logged.mock.callCount(), 1)
  assert.equal((await rowOf(desk, file)).scan_state, 'clean')
})

test('a file that is missing, or whose ticket is gone, is no verdict and no trouble', async t => {
  t.mock.method(desk.services.log, 'error', () => {})
  const [missing, deleted] = [await aTicketWith(desk, aFile('a.txt')), await aTicketWith(desk, aFile('b.txt'))]
  const [file] = missing.attachments as [{ id: number; file_path: string }]
  await rm(join(desk.dataDir, file.file_path))
  await desk.db.deleteFrom('tickets').where('id', '=', deleted.ticket_id).execute()

  await desk.deliver()

  assert.deepEqual(await rowOf(desk, file), {
    scan_state: 'pending',
    scan_answer: 'There is no such file',
    scanned_at: null
  })
})

test('a refused ticket leaves nothing to look into', async () => {
  const client = await aClient(desk)
  const jobs = () => desk.db.selectFrom('pgboss.job' as never).select(({ fn }) => fn.countAll().as('count'))
  const before = await jobs().executeTakeFirst()

  const reply = await desk.post(
    '/api/tickets/create',
    client,
    form({ department_id: 2, subject: 'a', message: 'b' }, aFile('a.txt'))
  )

  assert.equal(reply.status, 400)
  assert.deepEqual(await jobs().executeTakeFirst(), before)
})

test('files that wait when the scanner is taken away stay locked, and others come in unchecked', async () => {
  const { client, attachments } = await aTicketWith(scripted, aFile('a.txt', 'x'))
  const [waiting] = attachments as [{ id: number; file_path: string }]
  const scanner = scripted.services.scanner
  scripted.services.scanner = undefined

  await scripted.deliver()
  const { data } = await scripted.post(
    '/api/tickets/create',
    client,
    form({ department_id: 1, subject: 'a', message: 'b' }, aFile('b.txt', 'y'))
  )
  const [one, other] = [
    await download(scripted, waiting, client),
    await download(scripted, data.attachments[0], client)
  ]
  scripted.services.scanner = scanner
  await scripted.deliver({ early: true })

  assert.deepEqual([one.status, other.status], [503, 200])
  assert.equal((await download(scripted, waiting, client)).status, 200)
})

test('a verdict is kept: a later try changes nothing', async () => {
  const { attachments } = await aTicketWith(desk, aFile('virus.txt', eicar))
  const [file] = attachments as [{ id: number; file_path: string }]
  await desk.deliver()
  const verdict = await rowOf(desk, file)

  desk.services.scanner = { scan: () => Promise.reject(new ScanFailed('asked again')) }
  await desk.services.jobs.send(desk.db, 'scan-attachment', { attachmentId: file.id })
  await desk.deliver()
  desk.services.scanner = clamdScanner(clamd.address, 60)

  assert.deepEqual(await rowOf(desk, file), verdict)
})
