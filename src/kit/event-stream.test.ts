import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import { beginEventStream, manageEventStreams } from './event-stream.ts'

test('a stream that begins while the app is closing ends at once', { timeout: 60_000 }, async t => {
  const app = Fastify({ return503OnClosing: false })
  const [asked, closing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  manageEventStreams(app)
  app.addHook('preClose', async () => closing.resolve())
  app.get('/', async (_request, reply) => {
    asked.resolve()
    await closing.promise
    return beginEventStream(reply, () => () => {})
  })
  t.after(() => app.server.closeAllConnections())

  const answer = fetch(await app.listen({ port: 0, host: '127.0.0.1' }))
  await asked.promise
  const closed = app.close()

  assert.equal(await (await answer).text(), ':\n\n')
  await closed
})
