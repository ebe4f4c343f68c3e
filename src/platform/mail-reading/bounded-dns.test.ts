import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { boundedDns } from './bounded-dns.ts'

test('a name server that says nothing is waited for as long as allowed, and no more questions are sent than allowed', async () => {
  const silent = createSocket('udp4')
  let asked = 0
  silent.on('message', () => asked++)
  silent.bind(0, '127.0.0.1')
  await once(silent, 'listening')
  after(() => silent.close())
  const servers = [`127.0.0.1:${(silent.address() as AddressInfo).port}`]

  const brief = boundedDns(servers, { lookups: 5, milliseconds: 50 })
  await assert.rejects(brief('a.example', 'TXT'), { code: 'ETIMEOUT' })
  await assert.rejects(brief('b.example', 'TXT'), { code: 'ETIMEOUT' })
  const none = boundedDns(servers, { lookups: 0, milliseconds: 60_000 })
  await assert.rejects(none('c.example', 'TXT'), { code: 'ETIMEOUT' })

  assert.ok(asked <= 1, `${asked} questions`)
})
