import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { BooleanInput, Id } from '../../../kit/schemas.ts'
import { Count } from '../../ticket/schemas.ts'
import { openTicketsOf } from '../open-tickets.ts'
import { slaPolicies } from '../policies.ts'
import { policiesData, policiesView } from '../policy-schemas.ts'

/** Lists all policies in the order in which they are tried, archived ones last. */
export const listSlaPolicies = endpoint({
  path: '/api/admin/sla-policies/list',
  aliases: ['/api/admin/sla-policies'],
  summary: 'List the SLA policies',
  access: 'admin',
  onlyReads: true,
  body: Type.Object({
    open_tickets: Type.Optional({ ...BooleanInput(1), description: '1: counts the open tickets of each, too.' })
  }),
  data: Type.Object({
    ...policiesData.properties,
    open_tickets: Type.Optional(
      Type.Array(Type.Object({ policy_id: Id(3), count: Count }), {
        description: 'How many open tickets follow each policy; those that none follows are missing.'
      })
    )
  }),
  async handle({ body, services: { db } }) {
    const data = await policiesView(db, await slaPolicies(db))
    const open = body.open_tickets === 1 && { open_tickets: await openTicketsOf(db, {}) }
    return { message: 'SLA policies', data: { ...data, ...open } }
  }
})
