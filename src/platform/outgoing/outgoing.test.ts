import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { aTcpReceiver, aWebhookReceiver } from '../../../test/support/webhook-receivers.ts'
import { NotSent, outgoingHttp } from './outgoing.ts'

const local = outgoingHttp({ allowed: ['127.0.0.1'] })
const message = { headers: { 'content-type': 'application/json' }, body: '{"type":"webhook.test"}' }
const support = join(import.meta.dirname, '..', '..', '..', 'test', 'support')
const tls = {
  key: readFileSync(join(support, 'localhost.key'), 'utf8'),
  cert: readFileSync(join(support, 'localhost.crt'), 'utf8')
}

const post = (url: string, outgoing = local, signal?: AbortSignal) => outgoing.post(new URL(url), message, signal)

test('a body arrives whole, and the answer comes back with its beginning', async () => {
  const receiver = await aWebhookReceiver()
  receiver.answer = response => response.writeHead(503, { 'retry-after': '7' }).end(`busy\0${'x'.repeat(5000)}`)

  const answer = await post(receiver.url)

  assert.deepEqual([answer.status, answer.retryAfter], [503, '7'])
  assert.match(answer.text, /^busyx+$/)
  assert.equal(answer.text.length, 2047)
  assert.equal(receiver.requests[0]!.body, message.body)
})

test('by HTTPS the certificate has to be good for the name', async () => {
  const receiver = await aWebhookReceiver(tls)
  const trusting = outgoingHttp({ allowed: ['127.0.0.1', '::1'], ca: tls.cert })

  assert.equal((await post(receiver.url, trusting)).status, 200)
  await assert.rejects(post(receiver.url), NotSent)
  await assert.rejects(
    post(receiver.url.replace('localhost', '127.0.0.1'), outgoingHttp({ allowed: ['127.0.0.1'] })),
    NotSent
  )
})

test('no redirect is followed', async () => {
  const [receiver, elsewhere] = [await aWebhookReceiver(), await aWebhookReceiver()]
  receiver.answer = response => response.writeHead(307, { location: elsewhere.url }).end()

  assert.equal((await post(receiver.url)).status, 307)
  assert.equal(elsewhere.requests.length, 0)
})

test('of a flood 64 KB are read, and a packed answer is not unpacked', async () => {
  const flood = await aTcpReceiver(socket => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    const pour = () => {
      while (socket.writable && socket.write('x'.repeat(16_384)));
    }
    socket.on('drain', pour)
    pour()
  })
  const packed = await aWebhookReceiver()
  packed.answer = response =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(10_000_000)))

  const [flooded, small] = await Promise.all([post(flood), post(packed.url)])

  assert.deepEqual([flooded.status, flooded.text], [200, 'x'.repeat(2048)])
  assert.equal(small.status, 200)
  assert.ok(Buffer.byteLength(small.text) < 10_000)
})

test('an answer that is broken off, shorter than it says, no HTTP or none at all is none', async () => {
  const rude = [
    'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort',
    'HTTP/1.1 200 OK\r\nContent-Len',
    'SSH-2.0-OpenSSH_9.2\r\n',
    '',
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
    `HTTP/1.1 200 OK\r\n${'X-Long: header\r\n'.repeat(5000)}\r\n`,
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'
  ]
  for (const words of rude) {
    const url = await aTcpReceiver(socket => socket.once('data', () => socket.end(words)))
    await assert.rejects(post(url), NotSent, words.slice(0, 60))
  }
  await assert.rejects(post('http://127.0.0.1:1/'), /ECONNREFUSED/)
})

test('more than was promised is not read', async () => {
  const url = await aTcpReceiver(socket =>
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 500 No\r\n\r\n'))
  )

  assert.deepEqual([(await post(url)).status, (await post(url)).text], [200, 'ok'])
})

test('who hangs, and who drips, is given up after 15 seconds in all', { timeout: 120_000 }, async () => {
  const hanging = await aTcpReceiver(() => {})
  const dripping = await aTcpReceiver(socket => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    const drip = setInterval(() => socket.writable && socket.write('x'), 200)
    socket.on('close', () => clearInterval(drip))
  })
  const drippingHead = await aTcpReceiver(socket => {
    const drip = setInterval(() => socket.writable && socket.write('HTTP/1.1 102 Processing\r\n\r\n'), 200)
    socket.on('close', () => clearInterval(drip))
  })
  const mute = outgoingHttp({ allowed: [], resolve: () => new Promise(() => {}) })

  const attempts = [post(hanging), post(dripping), post(drippingHead), post('https://mute.example/', mute)]
  for (const attempt of await Promise.allSettled(attempts)) {
    assert.match(String((attempt as PromiseRejectedResult).reason), /No whole answer came within 15 seconds/)
  }
})

test('who is told to stop stops at once', async () => {
  const stopping = new AbortController()
  const hanging = await aTcpReceiver(() => stopping.abort())

  await assert.rejects(post(hanging, local, stopping.signal), NotSent)
})

test('a name is judged by each of its addresses, where it is connected to as well', async () => {
  const receiver = await aWebhookReceiver()
  const answers = [['93.184.216.34'], ['127.0.0.1']]
  const rebinding = outgoingHttp({ allowed: [], resolve: async () => answers.shift() ?? ['127.0.0.1'] })
  const url = new URL(`https://rebinding.example:${receiver.port}/hook`)

  assert.equal(await rebinding.refusal(url), undefined)
  await assert.rejects(rebinding.post(url, message), /leads to an address that is not allowed/)
  const mixed = outgoingHttp({ allowed: [], resolve: async () => ['93.184.216.34', '10.0.0.1'] })
  await assert.rejects(mixed.post(url, message), /leads to an address that is not allowed/)
  assert.equal(receiver.requests.length, 0)
})

test('addresses in the address itself are judged too, in whatever way they are written', async () => {
  const strict = outgoingHttp({ allowed: [] })
  for (const host of ['127.0.0.1', '2130706433', '0x7f.1', '[::1]', '[::ffff:127.0.0.1]', '[64:ff9b::7f00:1]', '0']) {
    const url = new URL(`https://${host}/`)
    assert.match((await strict.refusal(url)) ?? '', /not allowed/, host)
    await assert.rejects(strict.post(url, message), /not allowed/, host)
  }
})

test('unencrypted goes to allowed networks alone', async () => {
  const resolve = async (host: string) => (host === 'inside.example' ? ['10.1.2.3'] : ['93.184.216.34'])
  const outgoing = outgoingHttp({ allowed: ['10.1.0.0/16'], resolve })

  assert.equal(await outgoing.refusal(new URL('http://inside.example/')), undefined)
  assert.equal(await outgoing.refusal(new URL('https://inside.example/')), undefined)
  assert.match((await outgoing.refusal(new URL('http://outside.example/')))!, /^Only https:/)
  assert.equal(await outgoing.refusal(new URL('https://outside.example/')), undefined)
  const nowhere = outgoingHttp({ allowed: [], resolve: async () => [] })
  assert.match((await nowhere.refusal(new URL('https://nowhere.example/')))!, /does not resolve/)
})

test('the names of this machine are known without a name server', async () => {
  const outgoing = outgoingHttp({ allowed: ['127.0.0.1', '::1'] })

  assert.equal(await outgoing.refusal(new URL('http://localhost:1/')), undefined)
  assert.match((await outgoing.refusal(new URL('https://nobody.invalid/')))!, /does not resolve/)
})
