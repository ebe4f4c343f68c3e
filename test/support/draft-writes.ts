import assert from 'node:assert/strict'
import { aClient, aSupporter } from './people.ts'
import type { Scene, Write } from './staff-writes.ts'
import { aTicket } from './tickets.ts'

/** By its address a write of each kind that staff can do with the drafts of others. */
export const draftWrites: Record<string, (scene: Scene) => Promise<Write>> = {
  '/api/admin/tickets/draft/take': async ({ desk, admin }) => {
    const { ticket_id: id } = await aTicket(desk, await aClient(desk))
    const writer = await aSupporter(desk, 'tickets.view_all', 'tickets.reply')
    const saved = await desk.post('/api/admin/tickets/draft/save', writer, { id, message: 'canary' })
    const shared = await desk.post('/api/admin/settings/update', admin, { share_drafts: 1 })
    assert.deepEqual([saved.status, shared.status], [200, 200])
    return { body: { id, staff_id: writer.id }, refused: { id, staff_id: 999_999 } }
  }
}
