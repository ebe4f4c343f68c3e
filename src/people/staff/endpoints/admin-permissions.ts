import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id, OutputText } from '../../../kit/schemas.ts'
import { catalogueView, permissionCatalogue } from '../catalogue.ts'

const [slug, name] = [OutputText('clients.view'), OutputText('View clients')]

/** Lists the permissions that can be granted (contract: POST /api/admin/permissions). */
export const listPermissions = endpoint({
  path: '/api/admin/permissions',
  summary: 'List the permissions',
  access: { anyOf: ['staff.view', 'staff.manage'] },
  onlyReads: true,
  data: Type.Object({
    count: Type.Integer(),
    permissions: Type.Array(
      Type.Object({
        id: Id(),
        slug,
        name,
        description: OutputText('List clients and read their details'),
        category: OutputText('Clients')
      })
    ),
    by_category: Type.Record(Type.String(), Type.Array(Type.Object({ slug, name })))
  }),
  async handle({ services }) {
    return { message: 'Permissions', data: catalogueView(await permissionCatalogue(services.db)) }
  }
})
