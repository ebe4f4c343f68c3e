import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, anAdmin } from '../../../test/support/people.ts'
import { aTicket, timeline } from '../../../test/support/tickets.ts'
import { csatReader } from '../../insight/csat/csat-reader.ts'
import { reportReader } from '../../insight/facts/report-reader.ts'
import { secondsAfter } from '../../lib/time.ts'
import { webhookReader } from '../../outward/webhooks/queue-deliveries.ts'
import { ruleReader } from '../../tickets/rules/rule-reader.ts'
import { slaReader } from '../../tickets/sla/clock-reader.ts'
import { verifyAudit } from '../audit/verify-audit.ts'
import { catchUpWithLog } from './follow-log.ts'
import { readEvents, sequence } from './read-events.ts'

test('what is older than it is kept goes by night, but from the timelines and the audit log', async () => {
  const desk = await bootDesk({ connections: 3 })
  const admin = await anAdmin(desk)
  const { ticket_id: id } = await aTicket(desk, await aClient(desk))
  await desk.post('/api/admin/tags/create', admin, { name: 'Old' })
  await sequence(desk.services)
  const audited = await verifyAudit(desk.services)
  const old = await readEvents(desk.db, { after: 0, limit: 100 })
  await desk.db
    .updateTable('events')
    .set({ created_at: secondsAfter(desk.clock.now(), -91 * 86_400) })
    .execute()
  await desk.post('/api/admin/tags/create', admin, { name: 'New' })
  await sequence(desk.services)

  await desk.services.jobs.send(desk.db, 'sweep', {})
  await desk.deliver()
  const unread = await readEvents(desk.db, { after: 0, limit: 100 })
  for (const reader of [webhookReader, slaReader, ruleReader, reportReader, csatReader].map(reader =>
    reader(desk.services)
  ))
    await catchUpWithLog(desk.db, reader)
  await desk.services.jobs.send(desk.db, 'sweep', {})
  await desk.deliver()

  // That the e-mail about the ticket has gone out is told beside it.
  const kept = (await readEvents(desk.db, { after: 0, limit: 100 })).filter(({ kind }) => kind.startsWith('tag.'))
  const tags = await desk.db.selectFrom('events').where('kind', '=', 'tag.created').select('id').execute()
  const later = await verifyAudit(desk.services)
  assert.ok(old.length >= 2)
  assert.deepEqual(
    unread.slice(0, old.length),
    old.map(event => ({ ...event, at: unread[0]!.at }))
  )
  assert.deepEqual(
    kept.map(event => [event.id, event.kind]),
    [[old.at(-1)!.id + 1, 'tag.created']]
  )
  assert.equal(tags.length, 1)
  assert.equal((await timeline(desk, id))[0]![0], 'ticket.created')
  assert.ok(audited.isIntact && later.isIntact && later.rows === audited.rows + 1)
})
