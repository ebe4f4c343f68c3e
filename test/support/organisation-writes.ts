import type { Scene, Write } from './staff-writes.ts'

let serial = 0

/** A new organisation, made by the admin. */
async function anOrganisation({ desk, admin }: Scene): Promise<{ id: number; name: string }> {
  const { data } = await desk.post('/api/admin/organisations/create', admin, { name: `Company ${++serial}` })
  return data.organisation
}

/** By its address what admins do with organisations. */
export const organisationWrites: Record<string, (scene: Scene) => Promise<Write>> = {
  '/api/admin/organisations/create': async () => ({
    body: { name: `Company ${++serial}` },
    refused: { name: 'Company', domains: ['gmail.com'] }
  }),
  '/api/admin/organisations/update': async scene => ({
    body: { id: (await anOrganisation(scene)).id, name: `Company ${++serial}` }
  }),
  '/api/admin/organisations/archive': async scene => ({ body: { id: (await anOrganisation(scene)).id } }),
  '/api/admin/organisations/unarchive': async scene => {
    const { id } = await anOrganisation(scene)
    await scene.desk.post('/api/admin/organisations/archive', scene.admin, { id })
    return { body: { id } }
  },
  '/api/admin/organisations/delete': async scene => ({ body: { id: (await anOrganisation(scene)).id } }),
  '/api/admin/organisations/merge': async scene => {
    const { id, name } = await anOrganisation(scene)
    return { body: { id, into_id: (await anOrganisation(scene)).id, confirm_name: name } }
  }
}
