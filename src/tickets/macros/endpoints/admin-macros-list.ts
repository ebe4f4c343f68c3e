import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { paged, pagedFields, pageFields } from '../../../kit/paged.ts'
import { Id, Text } from '../../../kit/schemas.ts'
import { pageOf } from '../../../lib/page.ts'
import { Count } from '../../ticket/schemas.ts'
import { MacroView, macrosOf, macroViews, usesInMonth } from '../macros.ts'

const limits = { fallback: 100, max: 1000 }

export const ListedMacro = Type.Object({
  ...MacroView.properties,
  uses_in_30_days: { ...Count, description: 'On how many tickets it was applied, also in bulk.' }
})

/**
 * Lists the caller's own and the shared macros by name; `search` matches a part of name or text. Those for which the caller lacks permissions are
 * among them, with what is missing.
 */
export const listMacros = endpoint({
  path: '/api/admin/macros/list',
  aliases: ['/api/admin/macros'],
  summary: 'List and search personal and shared macros',
  access: { anyOf: ['tickets.view_all', 'tickets.reply', 'tickets.edit_status', 'tickets.delete'] },
  onlyReads: true,
  body: Type.Object({
    search: Type.Optional(Text(255, 'billing')),
    deptid: Type.Optional({ ...Id(1), description: 'Only those that are offered in this department.' }),
    ...pageFields(limits)
  }),
  data: Type.Object({
    ...pagedFields,
    macros: Type.Array(ListedMacro)
  }),
  async handle({ body, actor, services }) {
    const page = pageOf(body, limits)
    const { macros, total } = await macrosOf(services.db, actor, 'macro', body, page)
    const views = await macroViews(services.db, actor, macros)
    const uses = await usesInMonth(services.db, macros, services.clock.now())
    const listed = views.map(macro => ({ ...macro, uses_in_30_days: uses.get(macro.id) ?? 0 }))
    return { message: 'Macros', data: { ...paged(macros, total, page), macros: listed } }
  }
})
