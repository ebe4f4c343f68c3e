import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Count } from '../../ticket/schemas.ts'
import { SavedView, savedViews, savedViewView } from '../saved-views.ts'

/** The caller's saved views and the shared ones, by position. `query` is an input of `tickets/list`. */
export const listViews = endpoint({
  path: '/api/admin/views/list',
  aliases: ['/api/admin/views'],
  summary: 'List personal and shared views of the queue',
  access: { anyOf: ['tickets.view_all', 'tickets.reply', 'tickets.edit_status', 'tickets.delete'] },
  onlyReads: true,
  data: Type.Object({ count: Count, views: Type.Array(SavedView) }),
  async handle({ actor, services }) {
    const views = await savedViews(services.db, actor)
    return { message: 'Views', data: { count: views.length, views: views.map(savedViewView) } }
  }
})
