import { aField } from './fields.ts'
import type { Scene } from './staff-writes.ts'

/** Writes of admins that define custom fields, and of clients who set them. */
export const fieldWrites = {
  '/api/admin/fields/create': async () => ({
    body: { key: 'contract', label: 'Contract', kind: 'text' },
    refused: { key: 'contract', label: 'Contract', kind: 'text', options: [{ label: 'Gold' }] }
  }),
  '/api/admin/fields/update': async ({ desk, admin }: Scene) => {
    const { id } = await aField(desk, admin)
    return { body: { id, label: 'Renamed' }, refused: { id, kind: 'date' } }
  },
  '/api/admin/fields/archive': async ({ desk, admin }: Scene) => ({ body: { id: (await aField(desk, admin)).id } }),
  '/api/admin/fields/unarchive': async (scene: Scene) => ({ body: { id: await anArchivedField(scene) } }),
  '/api/admin/fields/delete': async (scene: Scene) => {
    const { id } = await aField(scene.desk, scene.admin)
    return { body: { id: await anArchivedField(scene) }, refused: { id } }
  }
}

async function anArchivedField({ desk, admin }: Scene): Promise<number> {
  const { id } = await aField(desk, admin)
  await desk.post('/api/admin/fields/archive', admin, { id })
  return id
}
