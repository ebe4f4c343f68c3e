import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyAudit } from '../src/core/audit/verify-audit.ts'
import { bootDesk } from './support/desk.ts'
import { displayedCountsAgree } from './support/displayed-counts.ts'
import { exportArchive } from './support/export-archive.ts'
import { storedText } from './support/stored-text.ts'
import { content, emailThreads, type Participant, supportDay } from './support/support-day.ts'
import {
  departments,
  type OpenedTicket,
  supportDayPeople,
  unverifiedSubject,
  verifiedSubject,
  zeldaDetails
} from './support/support-day-people.ts'
import { aFile, form, storedFiles } from './support/tickets.ts'

const desk = await bootDesk()
const { done, refused, delivers } = supportDay(desk)
const { admin, mary, alan, joan, zelda, bob, eve, smoke, again, invoice, refund, spam, noise } =
  await supportDayPeople(desk)

const canary = 'gruffle'
const clients = [zelda, bob, eve]
const agrees = () => displayedCountsAgree(desk, admin, [mary, alan, joan], clients)
const onTicket = (action: string) => `/api/admin/tickets/${action}`
const detail = (who: Participant, { ticket_id: id }: OpenedTicket) => done(onTicket('detail'), who, { id })
const wordsOf = (messages: { message: string }[]) => messages.map(({ message }) => message)
const namesOf = (list: { name: string }[]) => list.map(({ name }) => name)

test('a support day through HTTP alone is right to the last number, link of the chain and e-mail', async t => {
  await t.test('customers write with files, and each department has its queue', async () => {
    const queues = await Promise.all([mary, alan, joan].map(who => done(onTicket('list'), who, { sort: 'created' })))

    assert.deepEqual(
      queues.map(({ tickets }) => tickets.map(({ subject }: OpenedTicket) => subject)),
      [['Noise', 'More smoke', 'Smoke'], ['Noise', 'Spam', 'Refund', 'Invoice', 'More smoke', 'Smoke'], []]
    )
    await refused(404, onTicket('detail'), mary, { id: invoice.ticket_id })
    await delivers(
      [zelda.email, verifiedSubject(smoke)],
      [zelda.email, verifiedSubject(again)],
      ...[invoice, refund, spam].map((ticket): [string, string] => [bob.email, unverifiedSubject(ticket)]),
      [eve.email, 'Your password was changed'],
      [eve.email, verifiedSubject(noise)]
    )
    await agrees()
  })

  await t.test('two take, note, answer and collide: one is stopped with what the others wrote in hand', async () => {
    const id = smoke.ticket_id
    const taken = await done(onTicket('assign'), mary, { id, assigned_staff_id: mary.id })
    const late = await refused(409, onTicket('assign'), alan, { id, assigned_staff_id: alan.id })
    await done(onTicket('note'), mary, { id, note: `@alan.turing, a ${canary} as last year?` })
    const { last_message_id: read, ticket } = await detail(mary, smoke)
    await done(onTicket('reply'), alan, { id, message: 'Is it plugged in?', last_seen_message_id: read })
    const answer = { id, message: 'Wait for me.', last_seen_message_id: read }
    const stopped = await refused(409, onTicket('reply'), mary, answer)
    await done('/api/tickets/reply', zelda, form({ id, message: 'It is.' }, aFile('plug.txt', 'plug')))
    const overtaken = await refused(409, onTicket('reply'), mary, {
      ...answer,
      last_seen_message_id: stopped.data.last_message_id
    })
    const stale = await refused(409, onTicket('update'), alan, {
      id,
      priority: 'High',
      expected_version: ticket.version
    })
    const current = Number(stale.headers.get('x-current-version'))
    await done(onTicket('update'), alan, { id, priority: 'High', expected_version: current })
    const { canned_reply } = await done('/api/admin/canned-replies/create', mary, {
      title: 'Plug',
      text: 'Dear {{client.first_name}}, {{ticket.number}}: pull the plug. {{staff.first_name}}'
    })
    const { text } = await done('/api/admin/canned-replies/render', mary, { id: canned_reply.id, ticket_id: id })
    const last_seen_message_id = overtaken.data.last_message_id
    await done(onTicket('reply'), mary, form({ id, message: text, last_seen_message_id }, aFile('how.txt', 'pull')))

    assert.deepEqual([taken.ticket.status, late.data.assignee.id], ['In Progress', mary.id])
    const unseen = [stopped, overtaken].map(({ data }) => data.messages)
    assert.deepEqual(unseen.map(wordsOf), [['Is it plugged in?'], ['It is.']])
    assert.equal(await content(desk, unseen[1][0].attachments[0], mary), 'plug')
    const thread = await done('/api/tickets/detail', zelda, { id })
    assert.deepEqual([thread.ticket.status, thread.ticket.priority], ['Answered', 'High'])
    assert.deepEqual(
      thread.messages.map((each: { first_name: string; message: string }) => [each.first_name, each.message]),
      [
        ['Zélda', 'Smoke!'],
        ['Alan', 'Is it plugged in?'],
        ['Zélda', 'It is.'],
        ['Mary', `Dear Zélda, ${smoke.ticket_number}: pull the plug. Mary`]
      ]
    )
    const [how] = thread.messages[3].attachments
    assert.deepEqual([await content(desk, how, zelda), await content(desk, how, bob)], ['pull', 404])
    const seen = await detail(mary, smoke)
    assert.deepEqual(
      seen.events.map(({ kind }: { kind: string }) => kind),
      ['created', 'assigned', 'noted', 'replied', 'replied', 'updated', 'replied'].map(kind => `ticket.${kind}`)
    )
    assert.equal(seen.notes.length, 1)
    const emails = await delivers(
      [zelda.email, verifiedSubject(smoke)],
      [alan.email, verifiedSubject(smoke)],
      [mary.email, verifiedSubject(smoke)]
    )
    assert.match(emails(zelda)[0]!.text, /^Is it plugged in\?.*^Dear Zélda.*^> Smoke!/ms)
    assert.match(emails(alan)[0]!.text, /^Mary Jackson mentioned you in a note/)
    assert.match(emails(mary)[0]!.text, /> It is\./)
    await agrees()
  })

  await t.test('tickets are merged, taken apart, handed on, closed and moved to the other department', async () => {
    const merged = await done(onTicket('merge'), alan, { id: again.ticket_id, into_id: smoke.ticket_id })
    const reply = await done('/api/tickets/reply', zelda, { id: again.ticket_id, message: 'It still smokes.' })
    const union = await detail(mary, smoke)
    await agrees()
    const { ticket, formerly_in } = await done(onTicket('unmerge'), alan, { id: again.ticket_id })
    await done(onTicket('merge'), alan, { id: refund.ticket_id, into_id: invoice.ticket_id })
    await done(onTicket('update'), mary, { id: again.ticket_id, department_id: departments.billing })
    await done(onTicket('assign'), alan, { id: again.ticket_id, assigned_staff_id: alan.id })
    await done(onTicket('assign'), mary, { id: noise.ticket_id, assigned_staff_id: joan.id })
    await refused(403, onTicket('reply'), joan, { id: noise.ticket_id, message: 'Closed.', status: 'Closed' })
    await done(onTicket('reply'), joan, { id: noise.ticket_id, message: 'That is the fan.' })
    await done(onTicket('status'), mary, { id: noise.ticket_id, status: 'Closed' })

    assert.deepEqual([merged.ticket.message_count, reply.ticket_id, union.messages.length], [5, smoke.ticket_id, 6])
    assert.deepEqual([ticket.status, ticket.message_count], ['Open', 1])
    assert.deepEqual([formerly_in.status, formerly_in.message_count], ['Customer-Reply', 5])
    await refused(404, onTicket('detail'), mary, { id: again.ticket_id })
    await refused(404, onTicket('reply'), joan, { id: smoke.ticket_id, message: 'Me too.' })
    const emails = await delivers(
      [mary.email, verifiedSubject(smoke)],
      [joan.email, verifiedSubject(noise)],
      [eve.email, verifiedSubject(noise)]
    )
    assert.match(emails(eve)[0]!.text, /That is the fan.* has been closed/s)
    assert.match(emails(joan)[0]!.text, /^Mary Jackson assigned/)
    await agrees()
  })

  await t.test(
    'a reply is found at once by those who see it, a note by staff alone; tags narrow the queue',
    async () => {
      await done('/api/tickets/reply', zelda, { id: again.ticket_id, message: 'The Flüxwirbel is hot.' })
      const found = async (path: string, who: Participant, query: string) =>
        (await done(path, who, { query })).results.map(({ kind }: { kind: string }) => kind)

      assert.deepEqual(await found('/api/admin/search', alan, 'fluxwirb'), ['message'])
      assert.deepEqual(await found('/api/tickets/search', zelda, 'fluxwirb'), ['message'])
      for (const who of [mary, joan]) assert.deepEqual(await found('/api/admin/search', who, 'fluxwirbel'), [])
      assert.deepEqual(await found('/api/admin/search', mary, canary), ['note'])
      assert.deepEqual(await found('/api/tickets/search', zelda, canary), [])
      assert.deepEqual(await found('/api/admin/search', alan, again.ticket_number), ['ticket'])
      const { tag } = await done('/api/admin/tags/create', mary, { name: 'Hardware', color: '#c0392b' })
      await done(onTicket('tags'), alan, { id: again.ticket_id, add: ['hardware'] })
      await done(onTicket('tags'), mary, { id: smoke.ticket_id, tags: [tag.id] })
      const tagged = await Promise.all([mary, alan].map(who => done(onTicket('list'), who, { tag: 'HARDWARE' })))
      assert.deepEqual(
        tagged.map(({ tickets }) => tickets.map(({ id }: { id: number }) => id)),
        [[smoke.ticket_id], [again.ticket_id, smoke.ticket_id]]
      )
      await delivers([alan.email, verifiedSubject(again)])
    }
  )

  await t.test('an admin reorganises the departments: what was in one goes to another, with its members', async () => {
    const { department } = await done('/api/admin/departments/create', admin, { name: 'Returns' })
    const destination = { id: departments.billing, move_to_department_id: department.deptid }
    const before = (await done(onTicket('counts'), alan)).open
    await refused(409, '/api/admin/departments/delete', admin, { id: departments.billing })
    const removed = await done('/api/admin/departments/delete', admin, destination)

    assert.equal(removed.tickets_moved, 4)
    const open = namesOf((await done('/api/departments')).departments)
    assert.deepEqual(open, ['Technical Support', 'Sales & Pre Sales Department', 'Abuse Department', 'Returns'])
    assert.equal((await done('/api/tickets/detail', bob, { id: invoice.ticket_id })).ticket.department_name, 'Returns')
    assert.equal((await done(onTicket('counts'), alan)).open, before)
    await refused(404, onTicket('detail'), mary, { id: again.ticket_id })
    await done('/api/admin/departments/members', admin, { id: department.deptid, staff_ids: [alan.id, mary.id] })
    assert.equal((await detail(mary, again)).ticket.department.name, 'Returns')
    await delivers()
    await agrees()
  })

  await t.test('tickets go to the trash and come back; one is gone for good, with its file', async () => {
    const id = invoice.ticket_id
    await done(onTicket('delete'), alan, { id })
    for (const gone of [invoice, refund]) await refused(404, '/api/tickets/detail', bob, { id: gone.ticket_id })
    assert.equal((await done('/api/tickets/list', bob)).total, 1)
    await agrees()
    await refused(403, onTicket('restore'), mary, { id })
    await done(onTicket('restore'), admin, { id })
    assert.equal((await done('/api/tickets/detail', bob, { id })).messages.length, 2)

    const files = (await storedFiles(desk)).length
    await refused(400, onTicket('purge'), admin, { id: spam.ticket_id, ticket_number: invoice.ticket_number })
    await refused(409, onTicket('purge'), admin, { id: spam.ticket_id, ticket_number: spam.ticket_number })
    await done(onTicket('delete'), alan, { id: spam.ticket_id })
    await done(onTicket('purge'), admin, { id: spam.ticket_id, ticket_number: spam.ticket_number })
    await done(onTicket('delete'), alan, { id: noise.ticket_id })

    assert.equal((await storedFiles(desk)).length, files - 1)
    await refused(404, onTicket('restore'), admin, { id: spam.ticket_id })
    await delivers()
    await agrees()
  })

  await t.test('a client is given all that is stored of them, and forgotten', async () => {
    const { url } = await done('/api/admin/clients/export', admin, { id: zelda.id })
    const { data, files, tar } = await exportArchive(desk, url)
    const attached = data.attachments.map(({ file_name, file }: { file_name: string; file: string }) => [
      file_name,
      files.get(file)
    ])
    assert.deepEqual(attached, [
      ['smoke.txt', 'grey'],
      ['fire.txt', 'red'],
      ['plug.txt', 'plug'],
      ['how.txt', 'pull']
    ])
    assert.deepEqual([data.tickets.length, data.messages.length, data.client.email], [2, 7, zelda.email])
    assert.ok(!tar.includes(canary))

    // Of this nobody is told any more.
    await done(onTicket('reply'), alan, { id: again.ticket_id, message: 'Farewell.' })
    const before = await storedFiles(desk)
    const order = { id: zelda.id, mode: 'cascade', confirm_email: zelda.email }
    await refused(403, '/api/admin/clients/delete', alan, order)
    const { stores } = await done('/api/admin/clients/delete', admin, order)

    const report = new Map(stores.map((each: { store: string }) => [each.store, each]))
    const removed = (store: string) => (report.get(store) as { removed: number }).removed
    assert.deepEqual(
      ['clients', 'tickets', 'ticket_messages', 'ticket_attachments', 'ticket_notes', 'ticket_tags', 'files'].map(
        removed
      ),
      [1, 2, 8, 4, 1, 2, 4]
    )
    assert.equal(before.length - (await storedFiles(desk)).length, 4)
    const stored = await storedText(desk)
    for (const text of [...Object.values(zeldaDetails), canary, 'flüxwirbel']) {
      const at = stored.indexOf(text.toLowerCase())
      assert.ok(at < 0, `${text}: ${stored.slice(at - 200, at + 200)}`)
    }
    await refused(401, '/api/tickets/list', zelda)
    await refused(404, onTicket('detail'), mary, { id: smoke.ticket_id })
    clients.splice(0, 1)
    await delivers()
  })

  await t.test('at the end the numbers, the chain and the mailbox are right', async () => {
    await agrees()
    const { mine, open, per_department } = await done(onTicket('counts'), admin)
    assert.deepEqual([mine, open, per_department.length], [0, 1, 4])

    const verdict = await verifyAudit(desk.services)
    assert.ok(verdict.isIntact, JSON.stringify(verdict))
    const { total } = await done('/api/admin/audit/list', admin)
    assert.equal(verdict.rows, total)

    const threads = emailThreads(desk)
    assert.deepEqual(
      [smoke, again, invoice, refund, spam, noise].map(({ ticket_number }) => threads.get(ticket_number)),
      [5, 2, 1, 1, 1, 3]
    )
    assert.equal(threads.size, 6)
    assert.ok(!JSON.stringify(desk.outbox).includes(canary))
  })
})
