import { aClient } from './people.ts'
import { aRule } from './rules.ts'
import type { Scene, Write } from './staff-writes.ts'
import { aTicket } from './tickets.ts'

/** Of `staffWrites`, those of rules. */
export const ruleWrites: Record<string, (scene: Scene) => Promise<Write>> = {
  '/api/admin/rules/create': async () => ({
    body: { name: 'VIP first', trigger: { events: ['ticket.created'] }, actions: [{ set_priority: 'High' }] },
    refused: { name: 'VIP first', trigger: { events: ['ticket.created'] }, actions: [] }
  }),
  '/api/admin/rules/update': async scene => ({ body: { id: await rule(scene), name: 'Renamed' } }),
  '/api/admin/rules/pause': async scene => ({ body: { id: await rule(scene) } }),
  '/api/admin/rules/resume': async scene => {
    const id = await rule(scene)
    await scene.desk.post('/api/admin/rules/pause', scene.admin, { id })
    return { body: { id } }
  },
  '/api/admin/rules/run-again': async scene => {
    const { id } = await aRule(scene.desk, scene.admin, { actions: [{ set_priority: 'Medium' }] })
    const client = await aClient(scene.desk)
    const { ticket_id } = await aTicket(scene.desk, client)
    const run = await scene.desk.db
      .insertInto('rule_runs')
      .values({
        ...{ rule_id: id, version: 1, ticket_id, depth: 0, at: scene.desk.services.clock.now() },
        ...{ outcome: 'stopped', is_change: false },
        detail: JSON.stringify({ reason: 'budget' })
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { body: { run_id: run.id }, refused: { run_id: 999_999 } }
  },
  '/api/admin/tickets/timers/delete': async scene => {
    const { desk, admin } = scene
    const made = { trigger: { timer: { basis: 'created', minutes: 525_600 } }, is_active: 0 }
    const { id: rule_id } = await aRule(desk, admin, made)
    const { ticket_id } = await aTicket(desk, await aClient(desk))
    const due_at = new Date(desk.services.clock.now().getTime() + 3_600_000)
    await desk.db.insertInto('rule_timers').values({ rule_id, ticket_id, basis_event_id: 0, due_at }).execute()
    return { body: { id: ticket_id, rule_id }, refused: { id: ticket_id, rule_id: 999_999 } }
  },
  '/api/admin/rules/delete': async scene => ({ body: { id: await rule(scene) } }),
  '/api/admin/rules/reorder': async scene => {
    await rule(scene)
    return { body: { ids: [await rule(scene)] }, refused: { ids: [999_999] } }
  }
}

async function rule({ desk, admin }: Scene): Promise<number> {
  return (await aRule(desk, admin, { is_active: 0 })).id
}
