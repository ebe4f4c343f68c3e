import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Forbidden } from '../../../kit/errors.ts'
import { BooleanInput } from '../../../kit/schemas.ts'
import { blockSender, SenderAlreadyBlocked, TooManyBlocked } from '../blocked-senders.ts'
import { BlockedSenderView, blockedSenderView } from '../held-mail-schemas.ts'

const Sender = Type.String({
  minLength: 3,
  maxLength: 255,
  pattern:
    '^[^\\s@<>,;:"]{0,64}@([A-Za-z0-9\\u0080-\\uffff]([A-Za-z0-9\\u0080-\\uffff-]{0,61}[A-Za-z0-9\\u0080-\\uffff])?\\.)+[A-Za-z0-9\\u0080-\\uffff-]{2,63}$',
  examples: ['ada@example.com'],
  'x-trim': true,
  'x-invalid': 'sender must be an e-mail address, or an @ and a domain, such as @example.com'
})

/**
 * Blocks an address with or without a plus part, or with `@example.com` a domain and its subdomains, which needs an admin. Their e-mails are
 * dropped without notice from then on; `discard_held` also discards the held ones. The caller must see all tickets.
 */
export const addBlockedSender = endpoint({
  path: '/api/admin/mail/blocked/add',
  summary: 'Block a sender of e-mails',
  access: { anyOf: ['tickets.edit_status'] },
  about: 'caller',
  body: Type.Object({ sender: Sender, discard_held: Type.Optional(BooleanInput(0)) }),
  synonyms: { email: 'sender', address: 'sender', domain: 'sender' },
  status: 201,
  data: Type.Object({ sender: BlockedSenderView, discarded: Type.Integer({ examples: [0] }) }),
  errors: [SenderAlreadyBlocked, TooManyBlocked, Forbidden],
  async handle({ body: { sender, discard_held }, actor, caller, services }) {
    const wanted = { sender, discardHeld: discard_held === 1 }
    const { blocked, discarded } = await blockSender(services, actor, caller, wanted)
    return { message: 'Sender blocked', data: { sender: blockedSenderView(blocked), discarded } }
  }
})
