import { Type } from 'typebox'
import { endpoint } from '../../endpoint.ts'
import { Id, PageLimit, PageNumber, Text } from '../../kit/schemas.ts'
import { pageOf } from '../../lib/page.ts'
import { ColleagueView, colleaguesOf } from '../colleagues.ts'

const limits = { fallback: 100, max: 1000 }

/** To whom tickets can be assigned. `departments` is null for whoever handles those of all departments. */
export const listColleagues = endpoint({
  path: '/api/admin/colleagues/list',
  aliases: ['/api/admin/colleagues'],
  summary: 'List the colleagues to whom tickets can be assigned',
  access: { anyOf: ['tickets.edit_status'] },
  onlyReads: true,
  body: Type.Object({
    search: Type.Optional(Text(255, 'grace')),
    department_id: Type.Optional(Id()),
    page: Type.Optional(PageNumber(1)),
    limit: Type.Optional(PageLimit(limits))
  }),
  synonyms: { deptid: 'department_id' },
  data: Type.Object({
    count: Type.Integer(),
    total: Type.Integer(),
    page: Type.Integer(),
    limit: Type.Integer(),
    colleagues: Type.Array(ColleagueView)
  }),
  async handle({ body, actor, services }) {
    const { page, limit, offset } = pageOf(body, limits)
    const { colleagues, total } = await colleaguesOf(services.db, actor, body, { page, limit, offset })
    return { message: 'Colleagues', data: { count: colleagues.length, total, page, limit, colleagues } }
  }
})
