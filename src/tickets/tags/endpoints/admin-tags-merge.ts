import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { ExpectedVersion, VersionConflict } from '../../../kit/versions.ts'
import { mergeTags as mergeInto, SameTag } from '../change-tags.ts'
import { CountedTagView, countedTagView, TagNotFound } from '../tags.ts'

/** Replaces the tag `id` by `into_id` on all tickets, and deletes it. */
export const mergeTags = endpoint({
  path: '/api/admin/tags/merge',
  aliases: ['/api/admin/tags/:id/merge'],
  summary: 'Merge a tag into another one',
  access: { anyOf: ['tickets.edit_status'] },
  about: 'caller',
  body: Type.Object({ id: Id(), into_id: Id(2), expected_version: ExpectedVersion }),
  synonyms: { from_id: 'id' },
  data: Type.Object({
    tag: CountedTagView,
    merged_id: Id(),
    // The number of tickets that had the first one, including those that had both.
    tickets_moved: Type.Integer({ minimum: 0, examples: [12] })
  }),
  errors: [SameTag, TagNotFound, VersionConflict],
  async handle({ body: { id: from, into_id: into, expected_version: expectedVersion }, actor, caller, services }) {
    const { tag, moved } = await mergeInto(services, actor, caller, { from, into, expectedVersion })
    return { message: 'Tags merged', data: { tag: countedTagView(tag), merged_id: from, tickets_moved: moved } }
  }
})
