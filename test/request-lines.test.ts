import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import pino from 'pino'
import { HashingBusy, makePasswords } from '../src/platform/secrets/passwords.ts'
import { bootDesk } from './support/desk.ts'
import { aClient, aSupporter } from './support/people.ts'
import { aFile, aTicket } from './support/tickets.ts'

test('the line of a request names the account whose it is, of a link to a file too, and nobody where there is nobody', async () => {
  const { lines, log } = keptLog()
  const desk = await bootDesk({ services: { log } })
  const [ada, grace] = [await aClient(desk), await aSupporter(desk)]
  const { attachments } = await aTicket(desk, ada, {}, [aFile('a.txt')])
  const link = (await desk.post('/api/tickets/attachment-link', ada, { id: attachments[0].id })).data.url
  const { pathname, search } = new URL(link)
  lines.length = 0

  await desk.post('/api/account/profile', ada)
  await desk.post('/api/admin/staff/list', grace)
  await desk.post('/api/auth/logout', { token: 'nonsense' })
  await fetch(desk.url + pathname + search)

  assert.deepEqual(
    lines.map(({ route, account }) => [route, account]),
    [
      ['/api/account/profile', `client:${ada.id}`],
      ['/api/admin/staff/list', `staff:${grace.id}`],
      ['/api/auth/logout', undefined],
      ['/uploads/tickets/:folder/:name', `client:${ada.id}`]
    ]
  )
})

test('a refusal because too much is going on, or the database is gone, is one line without a stack; a bug has its stack', async () => {
  const { lines, log } = keptLog()
  const faults = [
    new HashingBusy('Too many passwords to check at once'),
    Object.assign(new Error('terminating connection'), { code: '57P01' }),
    new Error('a bug')
  ]
  const passwords = { ...makePasswords(), fits: () => Promise.reject(faults.shift()) }
  const desk = await bootDesk({ services: { log, passwords } })
  const statuses = []

  for (const _ of [...faults]) {
    const body = JSON.stringify({ email: 'ada@example.com', password: 'wrong' })
    const headers = { 'content-type': 'application/json' }
    statuses.push((await fetch(`${desk.url}/api/auth/login`, { method: 'POST', headers, body })).status)
  }

  const explained = lines.filter(line => line.level > 30)
  assert.deepEqual(statuses, [503, 503, 500])
  assert.deepEqual(
    explained.map(({ level, reason, err }) => [level, reason, err?.message]),
    [
      [40, 'Too many passwords to check at once', undefined],
      [40, 'terminating connection', undefined],
      [50, undefined, 'a bug']
    ]
  )
  assert.deepEqual(
    explained.map(line => /\.ts:\d/.test(JSON.stringify(line))),
    [false, false, true]
  )
})

interface Line {
  route: string
  account?: string
  level: number
  msg: string
  reason?: string
  err?: { message: string }
}

function keptLog() {
  const lines: Line[] = []
  const kept = new Writable({
    write(line, _encoding, done) {
      lines.push(JSON.parse(String(line)))
      done()
    }
  })
  return { lines, log: pino({}, kept) }
}
