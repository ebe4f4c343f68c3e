import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Forbidden } from '../../../kit/errors.ts'
import { createView as addView, TooManyViews } from '../change-views.ts'
import { SavedView, savedViewFields, savedViewView } from '../saved-views.ts'

/**
 * Saves a query of `tickets/list` under a name, personal or, with `tickets.view_all`, shared: everybody sees only the tickets that they see
 * anyway. Values that no longer exist match nothing.
 */
export const createView = endpoint({
  path: '/api/admin/views/create',
  summary: 'Save a view of the queue, personal or shared',
  access: { anyOf: ['tickets.view_all', 'tickets.reply', 'tickets.edit_status', 'tickets.delete'] },
  about: 'caller',
  body: Type.Object(savedViewFields),
  status: 201,
  data: Type.Object({ view: SavedView }),
  errors: [Forbidden, TooManyViews],
  async handle({ body, actor, caller, services }) {
    const view = await addView(services, actor, caller, body)
    return { message: 'View created', data: { view: savedViewView(view) } }
  }
})
