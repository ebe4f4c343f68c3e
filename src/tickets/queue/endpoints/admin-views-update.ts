import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Forbidden } from '../../../kit/errors.ts'
import { BooleanInput, Id } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { updateView as changeView, TooManyViews } from '../change-views.ts'
import { SavedView, savedViewFields, savedViewView, ViewNotFound } from '../saved-views.ts'

/**
 * Changes the given fields; `query` is replaced as a whole, by `conditions` alone its conditions. `position` moves the view, and the others shift. A shared view may be changed
 * by its owner or an admin.
 */
export const updateView = endpoint({
  path: '/api/admin/views/update',
  aliases: ['/api/admin/views/:id/update'],
  summary: 'Change, move or share a view of the queue',
  access: { anyOf: ['tickets.view_all', 'tickets.reply', 'tickets.edit_status', 'tickets.delete'] },
  about: 'caller',
  body: Type.Object({
    id: Id(),
    name: Type.Optional(savedViewFields.name),
    query: Type.Optional(savedViewFields.query),
    conditions: savedViewFields.conditions,
    is_shared: Type.Optional(BooleanInput(0)),
    position: savedViewFields.position,
    expected_version: ExpectedVersion
  }),
  data: Type.Object({ view: SavedView }),
  errors: [ViewNotFound, Forbidden, TooManyViews, VersionConflict],
  async handle({ body, actor, caller, services }) {
    const view = await changeView(services, actor, caller, body)
    return { message: 'View updated', data: { view: savedViewView(view) } }
  }
})
