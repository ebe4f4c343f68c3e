import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { SignatureTextsInput, SignatureView, updateSignature } from '../signature.ts'

/**
 * Changes what stands below the e-mails that the caller writes to clients: the text in the reader's language. It is not part of the thread.
 * `{{staff.first_name}}` and `{{staff.last_name}}` stand for the name. Without texts there is none.
 */
export const changeSignature = endpoint({
  path: '/api/account/signature/update',
  summary: 'Change your signature',
  access: { anyOf: ['tickets.reply'] },
  about: 'caller',
  body: Type.Object({ texts: SignatureTextsInput }),
  data: Type.Object({ signature: SignatureView }),
  errors: [],
  async handle({ body, actor, caller, services }) {
    const texts = await updateSignature(services, actor, body.texts, caller)
    return { message: 'Signature changed', data: { signature: { texts } } }
  }
})
