import { aRule } from './rules.ts'
import type { Scene, Write } from './staff-writes.ts'

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
  '/api/admin/rules/delete': async scene => ({ body: { id: await rule(scene) } }),
  '/api/admin/rules/reorder': async scene => {
    await rule(scene)
    return { body: { ids: [await rule(scene)] }, refused: { ids: [999_999] } }
  }
}

async function rule({ desk, admin }: Scene): Promise<number> {
  return (await aRule(desk, admin, { is_active: 0 })).id
}
