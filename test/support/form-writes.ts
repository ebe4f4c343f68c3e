import { aForm } from './forms.ts'
import type { Scene } from './staff-writes.ts'

/** Of `staffWrites`, those of ticket forms. */
export const formWrites = {
  '/api/admin/ticket-forms/create': async () => ({
    body: { name: 'Hardware', items: [] },
    refused: { name: 'Hardware', items: [{ field_id: 999_999 }] }
  }),
  '/api/admin/ticket-forms/update': async (scene: Scene) => ({ body: { id: await form(scene), name: 'Renamed' } }),
  '/api/admin/ticket-forms/archive': async (scene: Scene) => ({ body: { id: await form(scene) } }),
  '/api/admin/ticket-forms/unarchive': async (scene: Scene) => {
    const id = await form(scene)
    await scene.desk.post('/api/admin/ticket-forms/archive', scene.admin, { id })
    return { body: { id } }
  },
  '/api/admin/ticket-forms/delete': async (scene: Scene) => ({ body: { id: await form(scene) } })
}

async function form({ desk, admin }: Scene): Promise<number> {
  return (await aForm(desk, admin)).id
}
