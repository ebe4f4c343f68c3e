import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Forbidden } from '../../../kit/errors.ts'
import { BooleanInput, Id, Nullable } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { UnknownPlaceholder } from '../../actions/placeholders.ts'
import { updateMacro as changeMacro } from '../change-macros.ts'
import { MacroNotFound, MacroView, macroFields, macroViews } from '../macros.ts'

/** Changes the given fields of a macro: of the caller's own (`tickets.reply`) or of a shared one (`tickets.edit_status`). */
export const updateMacro = endpoint({
  path: '/api/admin/macros/update',
  aliases: ['/api/admin/macros/:id/update'],
  summary: 'Change a macro, or share it',
  access: { anyOf: ['tickets.reply', 'tickets.edit_status'] },
  about: 'caller',
  body: Type.Object({
    id: Id(),
    name: Type.Optional(macroFields.name),
    actions: Type.Optional(macroFields.actions),
    reply_text: Type.Optional(
      Type.Unsafe<string | null>({ ...Nullable(macroFields.reply_text), description: 'null takes it away.' })
    ),
    deptids: Type.Optional(macroFields.deptids),
    is_shared: Type.Optional(BooleanInput(0)),
    expected_version: ExpectedVersion
  }),
  data: Type.Object({ macro: MacroView }),
  errors: [MacroNotFound, Forbidden, UnknownPlaceholder, VersionConflict],
  async handle({ body: { reply_text, ...rest }, actor, caller, services }) {
    const text = reply_text === undefined ? {} : { reply_text: reply_text ?? '' }
    const macro = await changeMacro(services, actor, caller, { ...rest, ...text })
    const [view] = await macroViews(services.db, actor, [macro])
    return { message: 'Macro updated', data: { macro: view! } }
  }
})
