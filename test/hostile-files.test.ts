import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { bootDesk } from './support/desk.ts'
import { hostileSender } from './support/hostile-requests.ts'
import { aClient } from './support/people.ts'
import { routes, withoutAttemptLimits, writesNothing } from './support/routes.ts'

const desk = await bootDesk({ config: withoutAttemptLimits })
const sendTo = await hostileSender(desk)
const taking = routes.filter(({ endpoint, pattern }) => endpoint.files || pattern === '/api/tickets')
const fields = { department_id: '1', subject: 'Files', message: 'See the files', id: '1' }

test('100 files are a 413 where files are taken, are read past elsewhere, and none of them stays', async () => {
  await leavesNothing(async () => {
    const others = routes.filter(({ pattern }) =>
      ['/api/auth/login', '/api/tickets/list', '/api/check'].includes(pattern)
    )
    for (const route of [...taking, ...others]) {
      const form = filled()
      for (let at = 0; at < 100; at++) form.append('attachments', new File(['x'.repeat(1000)], `file-${at}.txt`))
      const reply = await sendTo(route, { body: form })

      if (taking.includes(route)) assert.equal(reply.status, 413, `${route.path}: ${reply.body.message}`)
    }
  })
})

test('a multipart that breaks off in the middle of a file leaves nothing behind', async () => {
  const begun =
    '--x\r\nContent-Disposition: form-data; name="subject"\r\n\r\nFiles\r\n' +
    '--x\r\nContent-Disposition: form-data; name="a"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nhalf of it'

  await leavesNothing(async () => {
    for (const route of taking) {
      const reply = await sendTo(route, { type: 'multipart/form-data; boundary=x', body: begun })

      assert.equal(reply.status, 400, route.path)
    }
  })
})

test('files whose fields are refused leave nothing behind', async () => {
  await leavesNothing(async () => {
    for (const route of taking) {
      const form = new FormData()
      form.append('priority', 'Urgent')
      form.append('attachments', new File(['content'], 'a.txt'))
      const reply = await sendTo(route, { body: form })

      assert.ok([400, 404].includes(reply.status), `${route.path} ${reply.status}`)
    }
  })
})

test('a file name that climbs out of its folder is kept as its last part, and the file stays within', async () => {
  const client = await aClient(desk)
  for (const name of [
    '../../../etc/passwd.txt',
    '..\\..\\passwd.txt',
    '/etc/passwd.txt',
    'C:\\passwd.txt',
    './../passwd.txt'
  ]) {
    const form = filled()
    form.append('attachments', new File(['root'], name))

    const reply = await desk.post('/api/tickets/create', client, form)

    assert.equal(reply.status, 201, name)
    assert.equal(reply.data.attachments[0].file_name, 'passwd.txt')
    assert.match(reply.data.attachments[0].file_path, /^\/uploads\/tickets\/[\w/-]+\.txt$/)
  }
  assert.deepEqual(await readdir(desk.dataDir), ['uploads'])
})

test('file names that are no names, or endless, are a refusal or a name, never a fault', async () => {
  for (const name of [
    '..',
    '.',
    '/',
    '...',
    'x'.repeat(5000),
    `${'x'.repeat(5000)}.txt`,
    '\u202Etxt.exe',
    '💣'.repeat(200)
  ]) {
    for (const route of taking) {
      const form = filled()
      form.append('attachments', new File(['content'], name))

      const reply = await sendTo(route, { body: form })

      assert.ok([201, 400, 404, 413].includes(reply.status), `${name.slice(0, 20)} ${route.path} ${reply.status}`)
    }
  }
})

function filled(): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  return form
}

/** Shows that neither a row nor a file is left of requests that are refused. */
async function leavesNothing(work: () => Promise<void>): Promise<void> {
  const before = await storedFiles()
  await writesNothing(desk, work)
  assert.deepEqual(await storedFiles(), before)
}

async function storedFiles(): Promise<string[]> {
  const entries = await readdir(join(desk.dataDir, 'uploads'), { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .sort()
}
