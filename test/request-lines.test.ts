import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import pino from 'pino'
import { bootDesk } from './support/desk.ts'
import { aClient, aSupporter } from './support/people.ts'
import { aFile, aTicket } from './support/tickets.ts'

test('the line of a request names the account whose it is, of a link to a file too, and nobody where there is nobody', async () => {
  const lines: { route: string; account?: string }[] = []
  const kept = new Writable({
    write(line, _encoding, done) {
      lines.push(JSON.parse(String(line)))
      done()
    }
  })
  const desk = await bootDesk({ services: { log: pino({}, kept) } })
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
