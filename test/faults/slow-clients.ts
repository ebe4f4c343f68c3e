import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { callApi } from './call-api.ts'
import type { InstallationFactory } from './installations.ts'
import { startService } from './service.ts'
import { verifyAcknowledged, verifyConsistent } from './verify.ts'
import { withInstallation } from './with-installation.ts'
import { newWriters, nothingAcknowledged, writeConcurrently } from './write-load.ts'

const hostile = 300
const patienceSeconds = 2
const cutOffWithinMilliseconds = 15_000
const servedWithinMilliseconds = 3_000

/**
 * Hundreds of clients send a byte a second, of their headers, of a body, of a file. Each is cut off, with an envelope of a 408 where
 * it listens; those who write honestly meanwhile are served, and nothing of the others stays.
 */
export async function slowClients(factory: InstallationFactory, rounds: number): Promise<string> {
  return await withInstallation(factory, async installation => {
    const service = await startService(installation, {
      HEADERS_TIMEOUT_SECONDS: String(patienceSeconds),
      STALL_SECONDS: String(patienceSeconds)
    })
    const acknowledged = nothingAcknowledged()
    const people = await newWriters(service.url, 3)
    let slowestAnswer = 0
    let latest = 0
    for (let round = 0; round < rounds; round++) {
      const end = new AbortController()
      const written = writeConcurrently(service.url, people, { acknowledged, until: end.signal })
      const before = acknowledged.tickets.length
      const beginnings = [
        'POST /api/check HTTP/1.1\r\nHost: desk\r\nX-Long: ',
        `${headers('/api/auth/login', 'application/json')}{"email":"`,
        `${headers('/api/tickets/create', 'multipart/form-data; boundary=b', people[0]!.token)}${filePart}`
      ]
      const trickling = Array.from({ length: hostile }, (_, at) => trickle(service.url, beginnings[at % 3]!))
      const over = Promise.all(trickling)
      over.catch(() => {})
      for (let isOver = false; !isOver; isOver = await Promise.race([over.then(() => true), pause(100, false)])) {
        const askedAt = Date.now()
        await callApi(service.url, '/api/departments')
        slowestAnswer = Math.max(slowestAnswer, Date.now() - askedAt)
      }
      latest = Math.max(latest, ...(await over))
      end.abort()
      await written
      assert.ok(acknowledged.tickets.length > before, 'honest clients have been served meanwhile')
    }
    assert.ok(slowestAnswer < servedWithinMilliseconds, `an answer took ${slowestAnswer} ms`)
    await verifyAcknowledged(service.url, acknowledged)
    assert.equal(await service.stop(), 0)
    const again = await startService(installation)
    await verifyConsistent(installation, acknowledged)
    assert.equal(await again.stop(), 0)
    return (
      `${rounds} × ${hostile} cut off within ${latest} ms; ${acknowledged.tickets.length} tickets of others acknowledged, ` +
      `slowest answer ${slowestAnswer} ms`
    )
  })
}

const filePart = '--b\r\nContent-Disposition: form-data; name="attachments"; filename="a.txt"\r\n\r\n'

function headers(path: string, type: string, token?: string): string {
  const lines = [`POST ${path} HTTP/1.1`, 'Host: desk', `Content-Type: ${type}`, 'Content-Length: 100000']
  if (token) lines.push(`Authorization: Bearer ${token}`)
  return `${lines.join('\r\n')}\r\n\r\n`
}

/** Sends a byte a second after this beginning; answers after how many milliseconds it was cut off. */
async function trickle(url: string, beginning: string): Promise<number> {
  const startedAt = Date.now()
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname).setEncoding('latin1')
  let text = ''
  socket.on('data', chunk => {
    text += chunk
  })
  // To be cut off is what it deserves.
  socket.on('error', () => {})
  socket.write(beginning)
  const timer = setInterval(() => socket.write('x'), 1000)
  const late = setTimeout(() => socket.destroy(), cutOffWithinMilliseconds)
  try {
    await once(socket, 'close')
  } finally {
    clearInterval(timer)
    clearTimeout(late)
  }
  const took = Date.now() - startedAt
  assert.ok(took < cutOffWithinMilliseconds, `after ${beginning.slice(0, 40)} it was not cut off: ${text}`)
  assert.match(text, /^(HTTP\/1\.1 408 .*"code":408.*)?$/s)
  return took
}
