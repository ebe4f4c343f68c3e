import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { paged, pagedFields, pageFields } from '../../../kit/paged.ts'
import { Text } from '../../../kit/schemas.ts'
import { pageOf } from '../../../lib/page.ts'
import { MacroView, macrosOf, macroViews } from '../macros.ts'

const limits = { fallback: 100, max: 1000 }

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
    ...pageFields(limits)
  }),
  data: Type.Object({
    ...pagedFields,
    macros: Type.Array(MacroView)
  }),
  async handle({ body, actor, services }) {
    const page = pageOf(body, limits)
    const { macros, total } = await macrosOf(services.db, actor, 'macro', body.search, page)
    const data = { ...paged(macros, total, page), macros: await macroViews(services.db, actor, macros) }
    return { message: 'Macros', data }
  }
})
