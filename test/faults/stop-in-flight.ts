import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { InstallationFactory } from './installations.ts'
import { startService } from './service.ts'
import { verifyAcknowledged, verifyConsistent } from './verify.ts'
import { withInstallation } from './with-installation.ts'
import { type Acknowledged, form, newWriters, nothingAcknowledged, randomFile, sha256 } from './write-load.ts'

const inFlight = 50
const endsWithinMilliseconds = 10_000
const bodiesComeWithinMilliseconds = 2_000

/**
 * SIGTERM while 50 requests are in flight: uploads, logins and lists whose headers the service has seen and whose bodies are
 * still on their way. All are answered, and the process ends with 0 within 10 s.
 */
export async function stopInFlight(factory: InstallationFactory, rounds: number): Promise<string> {
  return await withInstallation(factory, async installation => {
    const acknowledged = nothingAcknowledged()
    let slowest = 0
    for (let round = 0; round < rounds; round++) {
      const service = await startService(installation)
      await verifyAcknowledged(service.url, acknowledged)
      const [writer] = await newWriters(service.url, 1)
      const { token, email } = writer!
      const flights = Array.from({ length: inFlight }, (_, at): Flight => {
        if (at % 5 < 3) return upload(token, acknowledged)
        if (at % 5 === 3) return { path: '/api/auth/login', body: { email, password: 'correct horse' }, status: 200 }
        return { path: '/api/tickets/list', token, body: { limit: 10 }, status: 200 }
      })
      const departed = await Promise.all(flights.map(flight => depart(service.url, flight)))

      const stoppedAt = Date.now()
      service.process.kill('SIGTERM')
      const answers = await Promise.all(
        departed.map(async land => {
          await pause(Math.random() * bodiesComeWithinMilliseconds)
          return await land()
        })
      )
      const how = await service.ended
      const took = Date.now() - stoppedAt

      for (const [at, answer] of answers.entries()) {
        assert.equal(answer.code, flights[at]!.status, `${flights[at]!.path} answered ${JSON.stringify(answer)}`)
        flights[at]!.landed?.(answer.data)
      }
      assert.equal(how, 0, 'how the service ended')
      assert.ok(took < endsWithinMilliseconds, `it took ${took} ms to end`)
      slowest = Math.max(slowest, took)
      await installation.assertNothingLeft()
    }

    const service = await startService(installation)
    await verifyConsistent(installation, acknowledged)
    await verifyAcknowledged(service.url, acknowledged)
    assert.equal(await service.stop(), 0)
    return `${rounds} times ${inFlight} requests, all answered; it ended with 0 within ${slowest} ms`
  })
}

interface Flight {
  path: string
  token?: string
  body: FormData | object
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  landed?(data: any): void
}

function upload(token: string, { tickets }: Acknowledged): Flight {
  const file = randomFile(300_000)
  const message = 'Sent while the service was told to stop'
  return {
    path: '/api/tickets/create',
    token,
    body: form({ deptid: '1', subject: 'In flight', message }, [file]),
    status: 201,
    landed({ ticket_id: id, attachments, status }) {
      tickets.push({
        token,
        id,
        messages: [message],
        status,
        files: new Map([[attachments[0].file_path, sha256(file)]])
      })
    }
  }
}

/** Sends the headers and waits until the service has asked for the body; `land` sends it and answers what comes back. */
async function depart(url: string, { path, token, body }: Flight) {
  const { headers, bytes } = await encoded(body)
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname).setEncoding('utf8')
  const { promise: asked, resolve } = Promise.withResolvers<void>()
  const { promise: ended, resolve: end, reject } = Promise.withResolvers<string>()
  let text = ''
  socket.on('data', chunk => {
    text += chunk
    if (text.startsWith('HTTP/1.1 100 Continue\r\n\r\n')) resolve()
  })
  socket.on('error', reject)
  socket.on('close', () => end(text))
  ended.catch(() => {})
  const lines = [
    `POST ${path} HTTP/1.1`,
    `Host: ${hostname}`,
    'Expect: 100-continue',
    `Content-Length: ${bytes.length}`,
    ...(token ? [`Authorization: Bearer ${token}`] : []),
    ...headers
  ]
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  await Promise.race([asked, ended])

  return async function land() {
    socket.write(bytes)
    const answer = (await ended).split('\r\n\r\n').at(-1)!
    assert.ok(answer, `${path} was not answered: ${text.slice(0, 200)}`)
    return JSON.parse(answer)
  }
}

async function encoded(body: FormData | object): Promise<{ headers: string[]; bytes: Buffer }> {
  const response = body instanceof FormData ? new Response(body) : Response.json(body)
  return {
    headers: [`Content-Type: ${response.headers.get('content-type')}`],
    bytes: Buffer.from(await response.arrayBuffer())
  }
}
