import assert from 'node:assert/strict'
import { aClient } from './people.ts'
import type { Scene, Write } from './staff-writes.ts'
import { aTicket } from './tickets.ts'

const text = 'canary'

/** Of `staffWrites`, those of canned replies, and of being away. */
export const macroWrites: Record<string, (scene: Scene) => Promise<Write>> = {
  '/api/admin/canned-replies/create': async () => ({
    body: { title: 'Off and on', text },
    refused: { title: 'Off and on', text: '{{nobody.knows}}' }
  }),
  '/api/admin/canned-replies/update': async scene => ({ body: { id: await canned(scene), text: `${text} anew` } }),
  '/api/admin/canned-replies/delete': async scene => ({ body: { id: await canned(scene) } }),
  '/api/admin/macros/create': async () => ({
    body: { name: 'VIP', actions: [{ note: text }], reply_text: text },
    refused: { name: 'VIP', actions: [{ add_tags: ['none such'] }] }
  }),
  '/api/admin/macros/update': async scene => ({
    body: { id: await macro(scene), actions: [{ email_client: { subject: text, text } }] }
  }),
  '/api/admin/macros/delete': async scene => ({ body: { id: await macro(scene) } }),
  '/api/admin/macros/apply': async scene => {
    const { ticket_id: id } = await aTicket(scene.desk, await aClient(scene.desk))
    const macro_id = await macro(scene)
    return { body: { id, macro_id, send: 1 }, refused: { id, macro_id: 999_999, send: 1 } }
  },
  '/api/account/away': async () => ({
    body: { until: '2100-01-01T00:00:00Z' },
    refused: { until: '2000-01-01T00:00:00Z' }
  })
}

async function canned({ desk, admin }: Scene): Promise<number> {
  const made = await desk.post('/api/admin/canned-replies/create', admin, { title: 'Off and on', text })
  assert.equal(made.status, 201, made.body.message)
  return made.data.canned_reply.id
}

async function macro({ desk, admin }: Scene): Promise<number> {
  const given = { name: 'VIP', actions: [{ set_priority: 'High' }], reply_text: text }
  const made = await desk.post('/api/admin/macros/create', admin, given)
  assert.equal(made.status, 201, made.body.message)
  return made.data.macro.id
}
