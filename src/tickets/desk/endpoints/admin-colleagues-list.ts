import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { paged, pagedFields, pageFields } from '../../../kit/paged.ts'
import { Id, Text } from '../../../kit/schemas.ts'
import { pageOf } from '../../../lib/page.ts'
import { ColleagueView, colleaguesOf } from '../colleagues.ts'

const limits = { fallback: 100, max: 1000 }

/** The staff to whom tickets can be assigned. `departments` is null for those who handle all departments. */
export const listColleagues = endpoint({
  path: '/api/admin/colleagues/list',
  aliases: ['/api/admin/colleagues'],
  summary: 'List the colleagues to whom tickets can be assigned',
  access: { anyOf: ['tickets.edit_status'] },
  onlyReads: true,
  body: Type.Object({
    search: Type.Optional(Text(255, 'grace')),
    department_id: Type.Optional(Id()),
    ...pageFields(limits)
  }),
  synonyms: { deptid: 'department_id' },
  data: Type.Object({
    ...pagedFields,
    colleagues: Type.Array(ColleagueView)
  }),
  async handle({ body, actor, services }) {
    const page = pageOf(body, limits)
    const { colleagues, total } = await colleaguesOf(services.db, actor, body, page)
    return { message: 'Colleagues', data: { ...paged(colleagues, total, page), colleagues } }
  }
})
