import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, anAdmin } from '../../../test/support/people.ts'
import { slowReply } from '../../../test/support/slow-reply.ts'
import { aFile, aTicket, form, ticketRow } from '../../../test/support/tickets.ts'

const desk = await bootDesk({ connections: 10 })
const [ada, admin] = [await aClient(desk), await anAdmin(desk)]

async function messagesOf(id: number): Promise<number> {
  const rows = await desk.db.selectFrom('ticket_messages').where('ticket_id', '=', id).select('id').execute()
  return rows.length
}

test('a reply to what is being merged is either part of it or goes to the target, and no counter is lost', async () => {
  for (let round = 0; round < 10; round++) {
    const [{ ticket_id: source }, { ticket_id: target }] = [await aTicket(desk, ada), await aTicket(desk, ada)]
    const body = { id: source, message: 'More' }
    const [merged, ...replies] = await Promise.all([
      desk.post('/api/admin/tickets/merge', admin, { id: source, into_id: target }),
      desk.post('/api/tickets/reply', ada, body),
      desk.post('/api/tickets/reply', ada, form(body, aFile('a.txt'))),
      desk.post('/api/admin/tickets/reply', admin, body),
      desk.post('/api/tickets/reply', ada, { id: target, message: 'More' }),
      desk.post('/api/tickets/status', ada, { id: source, status: 'Closed' })
    ])

    assert.deepEqual([merged.status, ...replies.map(({ status }) => status)], [200, 201, 201, 201, 201, 200])
    const [from, into] = [await ticketRow(desk, source), await ticketRow(desk, target)]
    const counts = [await messagesOf(source), await messagesOf(target)] as const
    assert.deepEqual(
      [from.status, from.message_count, into.message_count],
      ['Closed', counts[0], counts[0] + counts[1]]
    )
    assert.equal(counts[0] + counts[1], 6)
    assert.equal(into.attachment_count, 1)
    const later = await desk.post('/api/tickets/reply', ada, body)
    assert.equal(later.data.ticket_id, target)
  }
})

test('an upload to what is merged meanwhile arrives in the target, and to what is taken out again in the source', async () => {
  for (const [path, person] of [['/api/tickets/reply', ada] as const, ['/api/admin/tickets/reply', admin] as const]) {
    const [{ ticket_id: id }, { ticket_id: into_id }] = [await aTicket(desk, ada), await aTicket(desk, ada)]
    const arrived = []
    for (const action of ['merge', 'unmerge']) {
      const { reply, finish } = await slowReply(desk, path, person, id)
      const { status } = await desk.post(`/api/admin/tickets/${action}`, admin, { id, into_id })
      finish()
      const { data } = (await (await reply).json()) as { data: { ticket_id: number; attachments: object[] } }
      arrived.push([status, data.ticket_id, data.attachments.length])
    }

    const [source, target] = [await ticketRow(desk, id), await ticketRow(desk, into_id)]
    assert.deepEqual(arrived, [
      [200, into_id, 1],
      [200, id, 1]
    ])
    assert.deepEqual([source.message_count, source.attachment_count], [await messagesOf(id), 1])
    assert.deepEqual([target.message_count, target.attachment_count], [await messagesOf(into_id), 1])
  }
})

test('merging, unmerging, merging on, deleting and answering at once never stand in each other’s way', async () => {
  const ids: number[] = []
  for (let at = 0; at < 4; at++) ids.push((await aTicket(desk, ada)).ticket_id)
  const [a, b, c, d] = ids as [number, number, number, number]
  const merge = (id: number, into_id: number) => desk.post('/api/admin/tickets/merge', admin, { id, into_id })
  const act = (action: string, id: number) => desk.post(`/api/admin/tickets/${action}`, admin, { id })

  for (let round = 0; round < 8; round++) {
    const replies = await Promise.all([
      merge(a, b),
      merge(b, a),
      merge(b, c),
      merge(c, d),
      act('unmerge', a),
      act('unmerge', b),
      act('delete', c),
      act('restore', c),
      ...ids.map(id => desk.post('/api/tickets/reply', ada, { id, message: 'More' }))
    ])

    for (const { status, body } of replies) {
      assert.ok([200, 201, 404, 409].includes(status), `${status} ${body.message}`)
    }
    await countersAreRight()
    for (const id of ids) {
      await act('restore', id)
      await act('unmerge', id)
    }
  }
})

test('merging, the trash, and the departments to and from which all of it moves take their locks in one order', async () => {
  const [one, two] = [await aDepartment(), await aDepartment()]
  const ids: number[] = []
  for (let at = 0; at < 6; at++) ids.push((await aTicket(desk, ada, { department_id: one })).ticket_id)
  const [a, b, c, d, e, f] = ids as [number, number, number, number, number, number]
  const merge = (id: number, into_id: number) => desk.post('/api/admin/tickets/merge', admin, { id, into_id })
  const act = (action: string, id: number) => desk.post(`/api/admin/tickets/${action}`, admin, { id })
  const move = (id: number, department_id: number) =>
    desk.post('/api/admin/tickets/update', admin, { id, department_id })

  for (let round = 0, from = one; round < 6; round++) {
    const next = await aDepartment()
    const replies = await Promise.all([
      merge(a, f),
      merge(f, b),
      merge(e, b),
      merge(d, c),
      desk.post('/api/admin/departments/delete', admin, { id: from, move_to_department_id: next }),
      act('delete', b),
      act('delete', f),
      act('unmerge', a),
      move(c, from),
      move(d, two),
      act('restore', f),
      desk.post('/api/admin/tickets/bulk', admin, { ids, action: 'status', status: 'Open' })
    ])

    for (const { status, body } of replies) {
      assert.ok([200, 400, 404, 409].includes(status), `${status} ${body.message}`)
    }
    for (const id of ids) {
      await act('restore', id)
      await act('unmerge', id)
    }
    from = next
  }
})

async function aDepartment(): Promise<number> {
  return (await desk.post('/api/admin/departments/create', admin, { name: 'Passing' })).data.department.deptid
}

async function countersAreRight(): Promise<void> {
  const tickets = await desk.db.selectFrom('tickets').where('client_id', '=', ada.id).selectAll().execute()
  for (const ticket of tickets) {
    const parts = tickets.filter(({ id, merged_into_id }) => id === ticket.id || merged_into_id === ticket.id)
    const counts = await Promise.all(parts.map(({ id }) => messagesOf(id)))
    assert.equal(
      ticket.message_count,
      counts.reduce((sum, count) => sum + count, 0),
      `${ticket.id} of ${JSON.stringify(parts.map(({ id }) => id))}`
    )
    const target = tickets.find(({ id }) => id === ticket.merged_into_id)
    assert.equal(target?.merged_into_id ?? null, null, 'no ticket is merged into a merged one')
    if (target) assert.deepEqual(ticket.trashed_at, target.trashed_at)
  }
}
