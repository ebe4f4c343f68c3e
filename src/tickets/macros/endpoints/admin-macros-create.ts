import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Forbidden } from '../../../kit/errors.ts'
import { BooleanInput } from '../../../kit/schemas.ts'
import { UnknownPlaceholder } from '../../actions/placeholders.ts'
import { createMacro as addMacro } from '../change-macros.ts'
import { MacroView, macroFields, macroViews } from '../macros.ts'

/** Creates a macro: a personal one (`tickets.reply`) or a shared one (`tickets.edit_status`). Only admins let one call a webhook. */
export const createMacro = endpoint({
  path: '/api/admin/macros/create',
  summary: 'Create a macro, personal or shared',
  access: { anyOf: ['tickets.reply', 'tickets.edit_status'] },
  about: 'caller',
  body: Type.Object({
    name: macroFields.name,
    actions: Type.Optional(macroFields.actions),
    reply_text: Type.Optional(macroFields.reply_text),
    deptids: Type.Optional(macroFields.deptids),
    is_shared: Type.Optional(BooleanInput(0))
  }),
  status: 201,
  data: Type.Object({ macro: MacroView }),
  errors: [UnknownPlaceholder, Forbidden],
  async handle({ body: { actions = [], reply_text = '', ...rest }, actor, caller, services }) {
    const macro = await addMacro(services, actor, caller, { ...rest, actions, reply_text })
    const [view] = await macroViews(services.db, actor, [macro])
    return { message: 'Macro created', data: { macro: view! } }
  }
})
