import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter } from '../../../../test/support/people.ts'
import { aFile, aTicket } from '../../../../test/support/tickets.ts'

const desk = await bootDesk({ config: { BASE_URL: 'https://desk.example.com/help' } })

test('attachment-link signs a link below BASE_URL for whoever may see the ticket, in each encoding', async () => {
  const ada = await aClient(desk)
  const { attachments } = await aTicket(desk, ada, {}, [aFile('a.txt')])
  const [{ id, file_path }] = attachments

  for (const person of [ada, await anAdmin(desk), await aSupporter(desk, 'tickets.view_all')]) {
    for (const encoding of ['json', 'form', 'multipart'] as const) {
      const reply = await desk.post('/api/tickets/attachment-link', person, { id }, encoding)

      assert.equal(reply.status, 200)
      assert.equal(reply.data.expires_in, 300)
      assert.ok(reply.data.url.startsWith(`https://desk.example.com/help${file_path}?session=`))
    }
  }
})

test("a file of somebody else's ticket and no file at all are the same 404", async () => {
  const [ada, eve] = [await aClient(desk), await aClient(desk)]
  const { attachments } = await aTicket(desk, ada, {}, [aFile('a.txt')])

  const replies = [
    await desk.post('/api/tickets/attachment-link', eve, { id: attachments[0].id }),
    await desk.post('/api/tickets/attachment-link', await aSupporter(desk), { id: attachments[0].id }),
    await desk.post('/api/tickets/attachment-link', ada, { id: 999_999 })
  ]

  for (const { status, body } of replies) {
    assert.equal(status, 404)
    assert.deepEqual(body, replies[0]!.body)
  }
})
