import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../../test/support/people.ts'
import { aFile, assign, aTicket } from '../../../../test/support/tickets.ts'

const desk = await bootDesk()
const content = randomBytes(100_000)
const etag = `"${createHash('sha256').update(content).digest('hex')}"`

function get(path: string, person?: Person, headers: Record<string, string> = {}, method = 'GET') {
  const bearer: Record<string, string> = person ? { authorization: `Bearer ${person.token}` } : {}
  return fetch(desk.url + path, { method, headers: { ...bearer, ...headers } })
}

async function aFileOf(client: Person, name = 'photo.jpg') {
  const { ticket_id, attachments } = await aTicket(desk, client, {}, [aFile(name, content)])
  return { ticket_id, id: attachments[0].id as number, path: attachments[0].file_path as string }
}

async function linkTo(id: number, person: Person): Promise<string> {
  const { data } = await desk.post('/api/tickets/attachment-link', person, { id })
  const { pathname, search } = new URL(data.url)
  return pathname + search
}

test('the owner downloads a file byte for byte, as an attachment that no browser renders', async () => {
  const ada = await aClient(desk)
  const { path } = await aFileOf(ada, 'Größe 1.jpg')

  const response = await get(path, ada)

  assert.equal(response.status, 200)
  assert.deepEqual(Buffer.from(await response.arrayBuffer()), content)
  const headers = Object.fromEntries(response.headers)
  assert.equal(headers['content-type'], 'image/jpeg')
  assert.equal(headers['content-length'], '100000')
  assert.equal(
    headers['content-disposition'],
    `attachment; filename="Gr__e 1.jpg"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%201.jpg`
  )
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.match(headers['content-security-policy']!, /default-src 'none'.*sandbox/)
  assert.equal(headers['cache-control'], 'private, no-store')
  assert.equal(headers['accept-ranges'], 'bytes')
  assert.equal(headers.etag, etag)
})

test('staff who may see the ticket download its files: with tickets.view_all, or when it is assigned to them', async () => {
  const { path, ticket_id } = await aFileOf(await aClient(desk))
  const assignee = await aSupporter(desk)
  await assign(desk, ticket_id, assignee.id)

  for (const person of [await anAdmin(desk), await aSupporter(desk, 'tickets.view_all'), assignee]) {
    const response = await get(path, person)

    assert.equal(response.status, 200)
    await response.arrayBuffer()
  }
})

test('without a right to it, and where there is no file, the answer is the same 404', async () => {
  const { path } = await aFileOf(await aClient(desk))
  const strangers = [
    undefined,
    await aClient(desk),
    await aSupporter(desk, 'tickets.reply'),
    { token: 'x.y.z' } as Person
  ]
  const answers = []

  for (const person of strangers) answers.push(await get(path, person))
  for (const unknown of [
    `/uploads/tickets/00/${'0'.repeat(32)}.jpg`,
    '/uploads/tickets/00/%00.jpg',
    '/uploads/tickets/00/..%2f..%2fkey',
    '/uploads/tickets/00/x'
  ]) {
    answers.push(await get(unknown, await anAdmin(desk)))
  }

  const texts = await Promise.all(answers.map(answer => answer.text()))
  for (const [at, answer] of answers.entries()) {
    assert.equal(answer.status, 404)
    assert.equal(answer.headers.get('www-authenticate'), null)
    assert.equal(texts[at], texts[0])
  }
  const message = 'There is no such file'
  assert.deepEqual(JSON.parse(texts[0]!), { status: 'error', code: 404, message, reason: 'file_not_found' })
})

test('a session that has ended downloads nothing more', async () => {
  const ada = await aClient(desk)
  const { path } = await aFileOf(ada)
  await desk.db.updateTable('sessions').set({ ended_at: new Date() }).where('client_id', '=', ada.id).execute()

  const response = await get(path, ada)

  assert.equal(response.status, 404)
})

test('a signed link works without a bearer until it expires, for its own file only, and not when tampered with', async t => {
  const ada = await aClient(desk)
  const [one, other] = [await aFileOf(ada), await aFileOf(ada)]
  const link = await linkTo(one.id, ada)
  const query = link.slice(link.indexOf('?'))
  const expires = Number(new URLSearchParams(query).get('expires'))
  t.after(() => desk.clock.turn(-301))

  const fresh = await get(link)
  const tampered = [
    other.path + query,
    link.replace(`expires=${expires}`, `expires=${expires + 1}`),
    link.replace(`expires=${expires}`, `expires=+${expires}`),
    link.replace(/signature=./, 'signature='),
    link.replace(/&signature=.*/, ''),
    `${link}&signature=x`,
    `${link}&expires=${expires + 1}`
  ]
  const refused = await Promise.all(tampered.map(path => get(path)))
  desk.clock.turn(301)
  const late = await get(link)

  assert.equal(fresh.status, 200)
  assert.deepEqual(Buffer.from(await fresh.arrayBuffer()), content)
  assert.equal(fresh.headers.get('content-disposition')?.startsWith('attachment'), true)
  for (const [at, response] of refused.entries()) assert.equal(response.status, 404, tampered[at])
  assert.equal(late.status, 404)
})

test('a signed link ends with the session that made it, and with the right of whoever made it', async () => {
  const ada = await aClient(desk)
  const { attachments } = await aTicket(desk, ada, {}, [aFile('a.txt')])
  const { id } = attachments[0]
  const [supporter, other] = [await aSupporter(desk, 'tickets.view_all'), await aSupporter(desk, 'tickets.view_all')]
  const [ofClient, ofStaff, ofOther] = [await linkTo(id, ada), await linkTo(id, supporter), await linkTo(id, other)]
  const links = [ofClient, ofStaff, ofOther]
  const statuses = () => Promise.all(links.map(async link => (await get(link)).status))
  assert.deepEqual(await statuses(), [200, 200, 200])
  const stranger = ofStaff.replace(/session=staff\.\d+/, `session=staff.${other.id}`)
  assert.equal((await get(stranger)).status, 404)

  await desk.post('/api/auth/logout', ada)
  await desk.db.deleteFrom('staff_permissions').where('staff_id', '=', supporter.id).execute()
  await desk.db.updateTable('staff').set({ is_active: false }).where('id', '=', other.id).execute()

  assert.deepEqual(await statuses(), [404, 404, 404])
})

test('a part of a file is a 206 with its place in the whole', async () => {
  const ada = await aClient(desk)
  const { path } = await aFileOf(ada)

  for (const [range, start, end] of [
    ['bytes=0-0', 0, 0],
    ['bytes=500-999', 500, 999],
    ['bytes=99990-', 99_990, 99_999],
    ['bytes=-10', 99_990, 99_999],
    ['bytes=99990-200000', 99_990, 99_999]
  ] as const) {
    const response = await get(path, ada, { range })

    assert.equal(response.status, 206)
    assert.equal(response.headers.get('content-range'), `bytes ${start}-${end}/100000`)
    assert.equal(response.headers.get('content-length'), String(end - start + 1))
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), content.subarray(start, end + 1))
  }
})

test('a part that the file does not have is a 416 that tells its size', async () => {
  const ada = await aClient(desk)
  const { path } = await aFileOf(ada)

  const response = await get(path, ada, { range: 'bytes=100000-' })

  assert.equal(response.status, 416)
  assert.equal(response.headers.get('content-range'), 'bytes */100000')
  assert.equal(response.headers.get('content-disposition'), null)
  assert.equal(JSON.parse(await response.text()).code, 416)
})

test('several parts at once, a malformed range, and a part of another version are answered with the whole', async () => {
  const ada = await aClient(desk)
  const { path } = await aFileOf(ada)

  for (const headers of [
    { range: 'bytes=0-1,5-6' },
    { range: 'bytes=9-1' },
    { range: 'bytes=0-9', 'if-range': '"another"' },
    { range: 'bytes=0-9', 'if-range': 'Fri, 20 Nov 2026 08:28:31 GMT' }
  ]) {
    const response = await get(path, ada, headers as Record<string, string>)

    assert.equal(response.status, 200)
    assert.equal((await response.arrayBuffer()).byteLength, 100_000)
  }
  const same = await get(path, ada, { range: 'bytes=0-9', 'if-range': etag })
  assert.equal(same.status, 206)
})

test('who has this version already gets a 304, but only with a right to it', async () => {
  const [ada, eve] = [await aClient(desk), await aClient(desk)]
  const { path } = await aFileOf(ada)

  const answers = await Promise.all(
    [etag, `W/${etag}`, `"x", ${etag}`, '*'].map(tag => get(path, ada, { 'if-none-match': tag }))
  )
  const changed = await get(path, ada, { 'if-none-match': '"x"' })
  const stranger = await get(path, eve, { 'if-none-match': etag })

  for (const answer of answers) {
    assert.equal(answer.status, 304)
    assert.equal(answer.headers.get('etag'), etag)
    assert.equal(await answer.text(), '')
  }
  assert.equal(changed.status, 200)
  assert.equal(stranger.status, 404)
})

test('HEAD tells the headers without the content', async () => {
  const [ada, eve] = [await aClient(desk), await aClient(desk)]
  const { path } = await aFileOf(ada)

  const own = await get(path, ada, { range: 'bytes=0-9' }, 'HEAD')
  const other = await get(path, eve, {}, 'HEAD')

  assert.equal(own.status, 200)
  assert.equal(own.headers.get('content-length'), '100000')
  assert.equal(own.headers.get('etag'), etag)
  assert.equal(await own.text(), '')
  assert.equal(other.status, 404)
})

test('a file that is missing or damaged on the disk is a 404, and the log says so', async t => {
  const ada = await aClient(desk)
  const [missing, damaged] = [await aFileOf(ada), await aFileOf(ada)]
  await rm(join(desk.dataDir, missing.path))
  await writeFile(join(desk.dataDir, damaged.path), 'short')
  const logged = t.mock.method(desk.services.log, 'error', () => {})

  const answers = [await get(missing.path, ada), await get(damaged.path, ada)]

  assert.deepEqual(
    answers.map(answer => answer.status),
    [404, 404]
  )
  assert.deepEqual(
    logged.mock.calls.map(call => (call.arguments[0] as { path: string }).path),
    [missing.path, damaged.path]
  )
})

test('an empty file is downloaded as one', async () => {
  const ada = await aClient(desk)
  const { attachments } = await aTicket(desk, ada, {}, [aFile('empty.txt', '')])

  const response = await get(attachments[0].file_path, ada)

  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-length'), '0')
  assert.equal(await response.text(), '')
})
