import { Type } from 'typebox'
import { Id, IsoTime, Nullable, OneOf, OutputText } from '../../../kit/schemas.ts'
import { administrative, facts, type KindOfEvent, Names, Yes } from './kind-of-event.ts'

const ofMails = { readers: 'desk', audited: 'always' } as const

/** Why a mail is held: the reasons of `admin/mail/held/list`. */
const reason = Nullable(OutputText('unknown_sender'))

/** A whole domain by its name; of a single address only that it is one. */
const sender = {
  domain: Type.Optional(OutputText('example.com')),
  address: Type.Optional(OneOf(['one'] as const))
}

/** Of a webhook's address only the origin: some receivers put a secret into the path. */
const origin = OutputText('https://example.com')
const webhook = {
  origin,
  kinds: Names(['ticket.created']),
  include_text: Yes(false),
  include_notes: Yes(false),
  include_staff_fields: Yes(false),
  is_active: Yes()
}

/** Of a connected mailbox never a secret. */
const mailbox = {
  address: OutputText('support@example.com'),
  name: OutputText('Example Support'),
  deptid: Id(),
  imap_host: Nullable(OutputText('imap.example.com')),
  smtp_host: Nullable(OutputText('smtp.example.com')),
  auth: OneOf(['password', 'oauth2'] as const),
  is_default: Yes(),
  is_active: Yes()
}

/** Of incoming e-mail and of webhooks. */
export const outsideEvents = {
  // The sender is the world, and may write a thousand times.
  'mail.held': { readers: 'desk', audited: 'never', after: facts({ reason }) },
  'mail.released': {
    ...ofMails,
    before: facts({ reason }),
    after: facts({ outcome: OutputText('ticket'), ticket_id: Type.Optional(Nullable(Id(7))) })
  },
  'mail.discarded': { ...ofMails, before: facts({ reason }) },
  'mail.restored': { ...ofMails, after: facts({ reason }) },
  'mail.processed_again': {
    ...ofMails,
    before: facts({ outcome: OutputText('dropped'), reason }),
    after: facts({ outcome: OutputText('ticket'), reason, ticket_id: Type.Optional(Nullable(Id(7))) })
  },
  // `log_id`: the row of the e-mail that was sent again, in the mail log.
  'mail.sent_again': { ...ofMails, after: facts({ log_id: Id(88_121) }) },
  'mail.log_exported': {
    ...ofMails,
    after: facts({
      direction: Type.Optional(OneOf(['in', 'out'] as const)),
      outcome: Type.Optional(OutputText('held')),
      ticket_id: Type.Optional(Id(7)),
      verdict: Type.Optional(OutputText('fail')),
      days: Type.Optional(Type.Integer({ examples: [7] }))
    })
  },
  'mail.sender_blocked': { ...ofMails, after: facts(sender) },
  'mail.sender_unblocked': { ...ofMails, before: facts(sender) },
  'mailbox.created': { ...administrative, after: facts(mailbox) },
  'mailbox.updated': { ...administrative, before: facts(mailbox), after: facts(mailbox) },
  'mailbox.deleted': {
    ...administrative,
    before: facts(mailbox),
    after: Nullable(facts({ answers_from: OutputText('sales@example.com') }))
  },
  // Who signed in at the provider, as it says.
  'mailbox.signed_in': {
    ...administrative,
    after: facts({
      address: OutputText('support@example.com'),
      signed_in_as: Nullable(OutputText('support@example.com'))
    })
  },
  'webhook.created': { ...administrative, after: facts(webhook) },
  'webhook.updated': {
    ...administrative,
    before: facts(webhook),
    after: facts({ ...webhook, url_changed: Type.Optional(Yes()) })
  },
  'webhook.deleted': { ...administrative, before: facts(webhook) },
  'webhook.secret_rotated': administrative,
  // The secret by which sites sign who the visitors of their contact widgets are.
  'widget.secret_rotated': { ...administrative, after: facts({ ended_former: Yes() }) },
  'webhook.tested': { ...administrative, after: facts({ delivery_id: Id(88) }) },
  // A single delivery, or all since then.
  'webhook.replayed': {
    ...administrative,
    after: facts({ delivery_id: Type.Optional(Id(88)), since: Type.Optional(IsoTime()) })
  },
  'webhook.disabled': {
    ...administrative,
    after: facts({ origin, reason: OneOf(['gone', 'failing'] as const, 'failing') })
  }
} as const satisfies Record<string, KindOfEvent>
