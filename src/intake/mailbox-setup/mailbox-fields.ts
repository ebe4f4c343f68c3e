import { Type } from 'typebox'
import { BooleanInput, Email, Id, LongText, Name, Nullable, OneOf, Verbatim } from '../../kit/schemas.ts'

export const securities = ['tls', 'starttls', 'none'] as const
export const unknownSenders = ['create', 'verified', 'hold', 'refuse'] as const
const maxTextCharacters = 2_000

const Port = Type.Integer({ minimum: 1, maximum: 65_535, examples: [993] })

const Host = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: '^[A-Za-z0-9]([A-Za-z0-9._:-]*[A-Za-z0-9])?\\.?$',
  examples: ['imap.example.com'],
  'x-trim': true,
  'x-invalid': 'The host must be the name or the address of a server, such as imap.example.com'
})

const serverFields = {
  host: Host,
  port: Type.Optional(Port),
  security: Type.Optional(OneOf(securities)),
  user: Type.Optional(Name(255, 'support@example.com')),
  password: Type.Optional(Verbatim(1000, 'correct horse')),
  /** The certificate to trust although nobody vouches for it, in PEM, as the test shows it. Null trusts none by itself. */
  certificate: Type.Optional(Nullable(Verbatim(20_000, '-----BEGIN CERTIFICATE-----')))
}

function serverExample(host: string, port: number): object {
  return { host, port, security: 'tls', user: 'support@example.com', password: 'correct horse' }
}

const serverWords =
  'imap and smtp must each name a server: its host, a port from 1 to 65535, the security tls, starttls or none, a user, a password, a folder'

const WebAddress = Type.String({
  pattern: '^https?://[^\\s<>"\\\\]+$',
  maxLength: 1000,
  examples: ['https://login.example.com/authorize'],
  'x-trim': true,
  'x-invalid': 'The addresses of a provider must begin with https://'
})

/** A text in each language of the desk; those left out have none. */
const Texts = Type.Object(
  {
    en: Type.Optional(LongText(maxTextCharacters, 'Kind regards, the support team')),
    de: Type.Optional(LongText(maxTextCharacters, 'Viele Grüße, der Support'))
  },
  { additionalProperties: false, 'x-keyed': true }
)

/** What an admin sets of a mailbox. Secrets that are left out stay. */
export const mailboxFields = {
  name: Name(100, 'Example Support'),
  address: Email(),
  deptid: Id(),
  imap: Type.Optional(
    Nullable(
      Type.Object(
        { ...serverFields, folder: Type.Optional(Name(500, 'INBOX')) },
        {
          additionalProperties: false,
          'x-keyed': true,
          'x-invalid': serverWords,
          examples: [serverExample('imap.example.com', 993)]
        }
      )
    )
  ),
  smtp: Type.Optional(
    Nullable(
      Type.Object(
        // A folder means nothing here; programs send the same object twice.
        { ...serverFields, folder: Type.Optional(Name(500, 'INBOX')) },
        {
          additionalProperties: false,
          'x-keyed': true,
          'x-invalid': serverWords,
          examples: [serverExample('smtp.example.com', 465)]
        }
      )
    )
  ),
  auth: OneOf(['password', 'oauth2']),
  oauth: Type.Optional(
    Nullable(
      Type.Object(
        {
          provider: OneOf(['google', 'microsoft', 'custom']),
          client_id: Name(500, 'desk-client'),
          client_secret: Type.Optional(Verbatim(1000, 'of-the-client')),
          authorize_url: Type.Optional(WebAddress),
          token_url: Type.Optional(WebAddress),
          scope: Type.Optional(Name(1000, 'openid email')),
          /** The day on which the client secret ends, so that admins are told before. */
          secret_ends_on: Type.Optional(
            Nullable(
              Type.String({
                pattern: '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$',
                maxLength: 10,
                examples: ['2027-11-20'],
                'x-invalid': 'A day is written YYYY-MM-DD'
              })
            )
          )
        },
        { additionalProperties: false, 'x-keyed': true }
      )
    )
  ),
  signature: Texts,
  acknowledges: BooleanInput(),
  acknowledgement: Texts,
  is_default: BooleanInput(0),
  is_active: BooleanInput(),
  unknown_senders: Nullable(OneOf(unknownSenders)),
  spam_folder: Nullable(Name(500, 'Junk')),
  taken: OneOf(['seen', 'move', 'delete']),
  moved_to: Nullable(Name(500, 'Archive')),
  /** Which unread e-mails are fetched: those that arrive from now on, all, or also those of the last seven days. */
  begin: OneOf(['now', 'unread', 'week'], 'unread')
}
