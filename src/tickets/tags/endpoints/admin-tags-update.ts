import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { updateTag as changeTag, TagExists } from '../change-tags.ts'
import { tagFields } from '../schemas.ts'
import { CountedTagView, countedTagView, TagNotFound } from '../tags.ts'

/** Renames or recolors a tag, on all tickets. */
export const updateTag = endpoint({
  path: '/api/admin/tags/update',
  aliases: ['/api/admin/tags/:id/update'],
  summary: 'Rename or recolor a tag',
  access: { anyOf: ['tickets.edit_status'] },
  about: 'caller',
  body: Type.Object({
    id: Id(),
    name: Type.Optional(tagFields.name),
    color: Type.Optional(tagFields.color),
    expected_version: ExpectedVersion
  }),
  synonyms: { colour: 'color' },
  data: Type.Object({ tag: CountedTagView }),
  errors: [TagNotFound, TagExists, VersionConflict],
  async handle({ body, actor, caller, services }) {
    const tag = await changeTag(services, actor, caller, body)
    return { message: 'Tag updated', data: { tag: countedTagView(tag) } }
  }
})
