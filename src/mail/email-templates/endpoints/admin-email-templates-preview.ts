import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { OutputText } from '../../../kit/schemas.ts'
import { previewEmailTemplate } from '../preview-email-template.ts'
import { draftFields } from '../schemas.ts'
import { WordingRefused } from '../validated-wording.ts'

/** Shows an e-mail with example values; its wording need not be stored. */
export const previewTemplate = endpoint({
  path: '/api/admin/email-templates/preview',
  summary: 'Preview an e-mail template with example values',
  access: 'admin',
  onlyReads: true,
  body: Type.Object(draftFields),
  data: Type.Object({
    subject: OutputText('[TIC-482910] The printer is on fire'),
    text: OutputText('Grace Hopper wrote:\n\n> Please unplug it.\n'),
    html: OutputText('<!doctype html>…')
  }),
  errors: [WordingRefused],
  async handle({ body, services }) {
    const { subject, text, html } = await previewEmailTemplate(services, body)
    return { message: 'The e-mail as somebody might get it', data: { subject, text, html } }
  }
})
