import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { signatureOf } from '../../../mail/signatures/signatures.ts'
import { SignatureView } from '../signature.ts'

/** What stands below the e-mails that the caller writes to clients, in each language. */
export const showSignature = endpoint({
  path: '/api/account/signature',
  summary: 'Show your signature',
  access: { anyOf: ['tickets.reply'] },
  onlyReads: true,
  body: Type.Object({}),
  data: Type.Object({ signature: SignatureView }),
  errors: [],
  async handle({ actor, services }) {
    return { message: 'Your signature', data: { signature: { texts: await signatureOf(services.db, actor.id) } } }
  }
})
