import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { createTag as addTag, TagExists } from '../change-tags.ts'
import { tagFields } from '../schemas.ts'
import { CountedTagView, countedTagView } from '../tags.ts'

/** Creates a tag, grey by default. */
export const createTag = endpoint({
  path: '/api/admin/tags/create',
  summary: 'Create a tag',
  access: { anyOf: ['tickets.reply', 'tickets.edit_status'] },
  about: 'caller',
  body: Type.Object({ name: tagFields.name, color: Type.Optional(tagFields.color) }),
  synonyms: { colour: 'color' },
  status: 201,
  data: Type.Object({ tag: CountedTagView }),
  errors: [TagExists],
  async handle({ body, actor, caller, services }) {
    const tag = await addTag(services, actor, caller, body)
    return { message: 'Tag created', data: { tag: countedTagView(tag) } }
  }
})
