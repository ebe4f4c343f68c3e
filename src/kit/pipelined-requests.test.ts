import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { serializePipelinedRequests } from './pipelined-requests.ts'

const begun: { path: string; response: ServerResponse }[] = []
const server = createServer(
  serializePipelinedRequests((request, response) => void begun.push({ path: request.url!, response }))
)
server.listen(0, '127.0.0.1')
await once(server, 'listening')
after(() => server.close())

test('requests that are sent in one go are answered one after the other, in order', async () => {
  const socket = opened()
  let answers = ''
  socket.on('data', chunk => {
    answers += chunk
  })
  socket.write(requests('/a', '/b', '/c'))

  for (const path of ['/a', '/b', '/c']) {
    await until(() => begun.length > 0)
    assert.deepEqual(paths(), [path])
    begun.pop()!.response.end(`answer to ${path};`)
  }
  await until(() => answers.includes('/c;'))

  assert.deepEqual(answers.match(/answer to ..;/g), ['answer to /a;', 'answer to /b;', 'answer to /c;'])
  socket.destroy()
})

test('of a connection that breaks nothing begins that was still waiting', async () => {
  const socket = opened()
  socket.write(requests('/first', '/second'))
  await until(() => begun.length > 0)
  const { response } = begun.pop()!
  const closed = once(response, 'close')

  socket.destroy()
  await closed
  const other = opened()
  other.write(requests('/other'))
  await until(() => begun.length > 0)

  assert.deepEqual(paths(), ['/other'])
  begun.pop()!.response.end()
  other.destroy()
})

test('who sends a thousand requests in one go is cut off', async () => {
  const socket = opened()
  socket.write(requests(...Array.from({ length: 1000 }, (_, at) => `/${at}`)))

  await once(socket, 'close')

  assert.ok(begun.length <= 1)
  begun.pop()
})

function opened(): Socket {
  const { port } = server.address() as AddressInfo
  return connect(port, '127.0.0.1').on('error', () => {})
}

function requests(...paths: string[]): string {
  return paths.map(path => `GET ${path} HTTP/1.1\r\nHost: desk\r\n\r\n`).join('')
}

function paths(): string[] {
  return begun.map(({ path }) => path)
}

async function until(isMet: () => boolean): Promise<void> {
  while (!isMet()) await new Promise(setImmediate)
}
