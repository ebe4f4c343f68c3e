import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { downloadLinkSeconds } from '../../../core/limits.ts'
import { Id, OutputText } from '../../../kit/schemas.ts'
import { FileNotFound } from '../attachment-for.ts'
import { downloadLink } from '../download-links.ts'
import { filePathFor } from '../note-files.ts'

/** A link for a browser, which sends no bearer token when it follows one; it ends with the session (decision 29; beyond the contract). */
export const linkAttachment = endpoint({
  path: '/api/tickets/attachment-link',
  summary: 'Create a signed download link for an attachment, valid for some minutes',
  access: 'user',
  answersSecrets: true,
  body: Type.Object({ id: Id() }),
  data: Type.Object({
    url: OutputText(
      'https://desk.example.com/uploads/tickets/5f/5f0c….jpg?session=client.7.1&expires=1795163611&signature=…'
    ),
    expires_in: Type.Integer({ examples: [downloadLinkSeconds] })
  }),
  errors: [FileNotFound],
  async handle({ body, actor, session, services }) {
    const path = await filePathFor(services.db, actor, body.id)
    return { message: 'Link signed', data: downloadLink(services, session, path) }
  }
})
