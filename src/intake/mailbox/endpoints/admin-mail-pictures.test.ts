import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aMail, receiverOf } from '../../../../test/support/mails.ts'
import { anAdmin, aSupporter } from '../../../../test/support/people.ts'
import type { StaffActor } from '../../../core/actor.ts'
import { mailReader } from '../../../platform/mail-reading/mail-reader.ts'
import { outgoingHttp } from '../../../platform/outgoing/outgoing.ts'
import { loadRemotePictures } from '../remote-pictures.ts'

const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
const asked: string[] = []
const server = createServer((request, response) => {
  asked.push(`${request.url} ${Object.keys(request.headers).toSorted().join(' ')}`)
  if (request.url === '/moved.gif') response.writeHead(302, { location: `${there}/a.gif` }).end()
  else if (request.url === '/endless.gif') sendOn(response, Buffer.concat([gif, Buffer.alloc(65_536)]))
  else if (request.url === '/slow.gif') response.writeHead(200).write(gif.subarray(0, 1))
  else if (request.url === '/drawing.svg')
    response.writeHead(200, { 'content-type': 'image/svg+xml' }).end('<svg xmlns="http://www.w3.org/2000/svg"/>')
  else if (request.url === '/page.gif') response.end('<script>alert(1)</script>')
  else if (request.url === '/large.gif') response.end(Buffer.concat([gif, Buffer.alloc(2_000_001)]))
  else response.writeHead(200, { 'content-type': 'text/html' }).end(gif)
})
await once(server.listen(0, '127.0.0.1'), 'listening')
after(() => {
  server.close()
  server.closeAllConnections()
})
const there = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const desk = await bootDesk({
  connections: 4,
  config: { WEBHOOK_ALLOW_PRIVATE: ['10.0.0.0/8'] },
  services: { pictureServers: outgoingHttp({ allowed: ['127.0.0.1'] }) }
})
const receive = receiverOf(desk)
const admin = await anAdmin(desk)

/** As many bytes as are taken, without an end. */
let sent = 0
function sendOn(response: ServerResponse, chunk: Buffer): void {
  if (response.destroyed) return
  sent += chunk.length
  if (response.write(chunk)) setImmediate(sendOn, response, chunk)
  else response.once('drain', () => sendOn(response, chunk))
}

async function mailWith(html: string) {
  const { ticket_id: id } = await receive(aMail({ 'Content-Type': 'text/html; charset=utf-8' }, html))
  const { messages } = (await desk.post('/api/admin/tickets/detail', admin, { id: id! })).data
  return { id: id!, message: messages[0], mail: messages[0].email.mail_id as number }
}

const load = (id: number, person = admin) => desk.post('/api/admin/mail/pictures', person, { id })

test('pictures elsewhere are named by number, loaded once by the desk if somebody asks, and only what is a picture', async () => {
  const html = [
    `<p>Hello <img src="${there}/a.gif" alt="the meter"> <img src="${there}/pixel.gif" width="1" height="1"></p>`,
    `<p><img src="${there}/page.gif"><img src="${there}/moved.gif"><img src="${there}/large.gif"><img src="${there}/b.gif"></p>`,
    `<p><img src="${there}/hidden.gif" style="width:1px"><img src="ftp://x.example/c.gif" data-remote="0" alt="none"></p>`
  ].join('')

  const { message, mail } = await mailWith(html)
  const before = [...asked]
  const { status, data } = await load(mail)

  assert.deepEqual(before, [])
  assert.doesNotMatch(message.html, /127\.0\.0\.1|src=|ftp/)
  assert.deepEqual(
    [...message.html.matchAll(/data-remote="(\d+)"/g)].map(([, number]) => Number(number)),
    [0, 1, 2, 3, 4]
  )
  assert.equal(status, 200)
  assert.deepEqual(data.pictures, [
    { number: 0, type: 'image/gif', content: gif.toString('base64') },
    { number: 4, type: 'image/gif', content: gif.toString('base64') }
  ])
  assert.deepEqual(asked.toSorted(), [
    '/a.gif accept connection host',
    '/b.gif accept connection host',
    '/large.gif accept connection host',
    '/moved.gif accept connection host',
    '/page.gif accept connection host'
  ])
})

test('nothing is asked of the internal network, and nobody loads the pictures of a mail that they do not see', async () => {
  asked.length = 0
  const { id, mail } = await mailWith(
    '<p>Hi<img src="http://10.1.2.3/a.gif"><img src="https://169.254.169.254/a.gif"></p>'
  )
  const other = await mailWith(`<p>Hi<img src="${there}/a.gif"></p>`)
  const supporter = await aSupporter(desk, 'tickets.reply')
  await desk.post('/api/admin/tickets/assign', admin, { id, staff_id: supporter.id })

  const seen = await load(mail, supporter)
  const unseen = await load(other.mail, supporter)
  const none = await load(999_999)

  assert.deepEqual([seen.status, seen.data.pictures], [200, []])
  assert.deepEqual([unseen.status, none.status, asked], [404, 404, []])
})

test('pictures come from public addresses alone, also where webhooks may go to private ones', async () => {
  asked.length = 0
  const strict = await bootDesk({ config: { WEBHOOK_ALLOW_PRIVATE: ['127.0.0.1'] } })
  const reader = await anAdmin(strict)
  const html = `<p>Hi<img src="${there}/a.gif"></p>`
  const { ticket_id: id } = await receiverOf(strict)(aMail({ 'Content-Type': 'text/html; charset=utf-8' }, html))
  const { messages } = (await strict.post('/api/admin/tickets/detail', reader, { id: id! })).data

  const { status, data } = await strict.post('/api/admin/mail/pictures', reader, { id: messages[0].email.mail_id })

  assert.deepEqual([status, data.pictures, asked], [200, [], []])
})

test('a server that never ends, answers by the byte or sends a document costs bounded time and memory, and the other pictures come', async () => {
  const { mail } = await mailWith(
    ['endless.gif', 'slow.gif', 'drawing.svg', 'a.gif'].map(name => `<p>Hi <img src="${there}/${name}"></p>`).join('')
  )
  const reader = mailReader()
  after(() => reader.close())
  const actor: StaffActor = {
    population: 'staff',
    id: admin.id,
    firstName: 'Grace',
    lastName: 'Hopper',
    email: admin.email,
    role: 'admin',
    permissions: [],
    departments: undefined,
    owesSecondFactor: false
  }

  // The server that answers by the byte takes all of this time; the picture needs a part of it, also on a busy machine.
  const pictures = await loadRemotePictures({ ...desk.services, mailReader: reader }, actor, mail, 5_000)

  assert.deepEqual(
    pictures.map(({ number, type }) => ({ number, type })),
    [{ number: 3, type: 'image/gif' }]
  )
  assert.ok(sent < 20_000_000, `${sent} bytes were taken`)
})

test('of a hundred pictures the first thirty are loaded', async () => {
  asked.length = 0
  const { mail } = await mailWith(`<p>Hi${`<img src="${there}/a.gif">`.repeat(100)}</p>`)

  const { data } = await load(mail)

  assert.deepEqual([data.pictures.length, asked.length], [30, 30])
})
