import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { paged, pagedFields, pageFields } from '../../../kit/paged.ts'
import { pageOf } from '../../../lib/page.ts'
import { listServiceAccounts, ServiceAccountView } from '../service-accounts.ts'

const limits = { fallback: 100, max: 100 }

/** Lists the service accounts by name. */
export const showServiceAccounts = endpoint({
  path: '/api/admin/service-accounts/list',
  aliases: ['/api/admin/service-accounts'],
  summary: 'List the service accounts',
  access: 'admin',
  signedInOnly: true,
  onlyReads: true,
  body: Type.Object(pageFields(limits)),
  data: Type.Object({ ...pagedFields, service_accounts: Type.Array(ServiceAccountView) }),
  async handle({ body, services: { db } }) {
    const page = pageOf(body, limits)
    const { accounts, total } = await listServiceAccounts(db, page)
    return { message: 'Service accounts', data: { ...paged(accounts, total, page), service_accounts: accounts } }
  }
})
