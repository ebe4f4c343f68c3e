import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { slaMetrics } from '../../../core/tables/sla-policies.ts'
import { Id, Instant, Nullable, OneOf, OutputText, PageLimit, Text } from '../../../kit/schemas.ts'
import { ListedClock, listedClocks } from '../listed-clocks.ts'
import { clockStates } from '../shown-clock.ts'

const limits = { fallback: 50, max: 200 }

/** Lists the clocks of the tickets that the caller sees, what is due first at the beginning; without `state` those that have not ended. */
export const listSlaClocks = endpoint({
  path: '/api/admin/sla-clocks/list',
  aliases: ['/api/admin/sla-clocks'],
  summary: 'List what is due, over all tickets',
  access: { anyOf: ['tickets.view_all', 'tickets.reply', 'tickets.edit_status', 'tickets.delete'] },
  onlyReads: true,
  body: Type.Object({
    state: Type.Optional(
      Type.Array(OneOf(clockStates), {
        maxItems: clockStates.length,
        'x-one': true,
        description: '`breached`: late, whether it still runs or has ended. A list or a single value.'
      })
    ),
    metric: Type.Optional(
      Type.Array(OneOf(slaMetrics), {
        maxItems: slaMetrics.length,
        'x-one': true,
        description: 'A list or a single value.'
      })
    ),
    due_before: Type.Optional(Instant('2026-11-24T08:00:00Z')),
    department_id: Type.Optional(Id(4)),
    cursor: Type.Optional(Text(255, 'WyIyMDI2LTExLTI0VDA4OjAwOjAwLjAwMFoiLDdd')),
    limit: Type.Optional(PageLimit(limits))
  }),
  synonyms: { deptid: 'department_id' },
  data: Type.Object({
    clocks: Type.Array(ListedClock),
    next_cursor: Nullable(OutputText('WyIyMDI2LTExLTI0VDA4OjAwOjAwLjAwMFoiLDdd'))
  }),
  async handle({ body, actor, services }) {
    const { cursor, limit = limits.fallback, ...filter } = body
    const page = { limit: Math.min(limit, limits.max), cursor }
    return { message: 'Clocks', data: await listedClocks(services.db, actor, filter, page, services.clock.now()) }
  }
})
