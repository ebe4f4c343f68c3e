import { aCalendar, aPolicy } from './sla.ts'
import type { Scene, Write } from './staff-writes.ts'

/** Of `staffWrites`, those of SLA policies. */
export const slaWrites: Record<string, (scene: Scene) => Promise<Write>> = {
  '/api/admin/sla-policies/create': async () => ({
    body: { name: 'Standard', targets: [] },
    refused: { name: 'Standard', targets: [], warn_minutes: 0 }
  }),
  '/api/admin/sla-policies/update': async scene => ({ body: { id: await policy(scene), name: 'Renamed' } }),
  '/api/admin/sla-policies/archive': async scene => ({ body: { id: await policy(scene) } }),
  '/api/admin/sla-policies/unarchive': async scene => {
    const id = await policy(scene)
    await scene.desk.post('/api/admin/sla-policies/archive', scene.admin, { id })
    return { body: { id } }
  },
  '/api/admin/sla-policies/delete': async scene => ({ body: { id: await policy(scene) } }),
  '/api/admin/sla-policies/reorder': async scene => {
    await policy(scene)
    return { body: { ids: [await policy(scene)] }, refused: { ids: [999_999] } }
  }
}

async function policy({ desk, admin }: Scene): Promise<number> {
  return (await aPolicy(desk, admin, await aCalendar(desk))).id
}
