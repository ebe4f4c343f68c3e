import { Type } from 'typebox'
import { maxCalls } from '../../../core/api-tokens/last-calls.ts'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { lastCallsOf, ServiceCallView } from '../last-calls.ts'
import { ServiceAccountNotFound } from '../service-accounts.ts'

/**
 * Lists the last calls of a service account, newest first: at most 50 that were refused, with the right that was missing, and 50 others. How many
 * there were stands beside them.
 */
export const listServiceCalls = endpoint({
  path: '/api/admin/service-accounts/calls/list',
  aliases: ['/api/admin/service-accounts/:id/calls'],
  summary: 'List the last calls of a service account',
  access: 'admin',
  signedInOnly: true,
  onlyReads: true,
  body: Type.Object({ id: Id() }),
  data: Type.Object({
    calls: Type.Array(ServiceCallView, { maxItems: 2 * maxCalls }),
    // Days are those of UTC.
    calls_today: Type.Integer({ examples: [1204] }),
    refused_this_week: Type.Integer({ examples: [3] })
  }),
  errors: [ServiceAccountNotFound],
  async handle({ body: { id }, services }) {
    return { message: 'Last calls', data: await lastCallsOf(services, id) }
  }
})
