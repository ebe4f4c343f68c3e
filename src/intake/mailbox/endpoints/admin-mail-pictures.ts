import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { TooManyAttempts } from '../../../kit/errors.ts'
import { Id, OneOf, OutputText } from '../../../kit/schemas.ts'
import { OriginalNotFound } from '../original-mail.ts'
import { loadRemotePictures, pictureTypes } from '../remote-pictures.ts'

/**
 * Loads the pictures that an e-mail of a ticket names and that did not come with it, once: their server sees the desk, not who reads it. `number`: that
 * of `data-remote` in its HTML. What is too small to be seen is never loaded, and what cannot be loaded is left out.
 */
export const loadPictures = endpoint({
  path: '/api/admin/mail/pictures',
  summary: 'Load the pictures of an e-mail that lie elsewhere',
  access: { anyOf: ['tickets.view_all', 'tickets.reply', 'tickets.edit_status', 'tickets.delete'] },
  onlyReads: true,
  body: Type.Object({ id: Id() }),
  synonyms: { mail_id: 'id' },
  data: Type.Object({
    pictures: Type.Array(
      Type.Object({
        number: Type.Integer({ minimum: 0, examples: [0] }),
        type: OneOf(pictureTypes),
        // Base64.
        content: OutputText('R0lGODlhAQABAAAAACw=')
      })
    )
  }),
  errors: [OriginalNotFound, TooManyAttempts],
  async handle({ body, actor, services }) {
    const pictures = await loadRemotePictures(services, actor, body.id)
    const shown = pictures.map(({ content, ...picture }) => ({ ...picture, content: content.toString('base64') }))
    return { message: 'Pictures loaded', data: { pictures: shown } }
  }
})
