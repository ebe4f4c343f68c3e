import { type Static, Type } from 'typebox'
import { Flag, Locale, maxId, Name, Nullable, OneOf } from '../../kit/schemas.ts'
import { defaultLanguage, languages } from '../wording/languages.ts'

const Accent = Type.String({
  pattern: '^#[0-9A-Fa-f]{6}$',
  minLength: 7,
  maxLength: 7,
  examples: ['#1d4ed8'],
  'x-trim': true,
  'x-invalid': 'accent must be written like #1d4ed8'
})

const Link = Type.String({
  pattern: '^https?://[^\\s<>"\\\\]+$',
  maxLength: 2000,
  examples: ['https://example.com/privacy'],
  'x-trim': true,
  'x-invalid': 'privacy_url must be an http or https address of at most 2000 characters'
})

const MailAddresses = Type.Unsafe<Record<string, number>>({
  type: 'object',
  additionalProperties: { type: 'integer', minimum: 1, maximum: maxId },
  maxProperties: 200,
  examples: [{ 'support@example.com': 1, 'billing@example.com': 4 }],
  description: 'The support e-mail addresses, each with the deptid of its department.',
  'x-invalid': 'mail_addresses must be an object of e-mail addresses, each with the deptid of a department'
})

const MailNames = Type.Unsafe<Record<string, string>>({
  type: 'object',
  additionalProperties: {
    type: 'string',
    minLength: 1,
    maxLength: 100,
    pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*\\S[^\\u0000-\\u001f\\u007f-\\u009f]*$'
  },
  maxProperties: 200,
  examples: [{ 'billing@example.com': 'Example Billing' }],
  description:
    'Sender names for addresses of `mail_addresses`; the default is the department and the name of the desk.',
  'x-invalid':
    'mail_names must be an object of e-mail addresses, each with a name of at most 100 characters on one line'
})

const MailSenders = Type.Array(Type.String({ minLength: 3, maxLength: 255, examples: ['support@example.com'] }), {
  maxItems: 200,
  uniqueItems: true,
  description:
    'The addresses of `mail_addresses` that send: of a department with several, this one starts its e-mails. Without one it is the first in ' +
    'alphabetical order.',
  'x-invalid': 'mail_senders must be a list of different e-mail addresses'
})

const TimeZone = Type.String({
  minLength: 1,
  maxLength: 100,
  examples: ['Europe/Berlin'],
  description: 'The time zone of the desk: the name of one, not an offset. Calendars have zones of their own.',
  'x-trim': true
})

const CsatDepartments = Type.Array(Type.Integer({ minimum: 1, maximum: maxId }), {
  maxItems: 200,
  uniqueItems: true,
  examples: [[1, 4]],
  description: 'The deptids of the departments whose clients are asked how satisfied they are; an empty list: of all.',
  'x-invalid': 'csat_departments must be a list of different deptids'
})

const HelpLanguages = Type.Array(Locale, {
  minItems: 1,
  maxItems: 20,
  uniqueItems: true,
  examples: [['en', 'de']],
  description: 'The languages of the help centre: articles are written in these.',
  'x-invalid': 'help_languages must be a list of 1 to 20 different languages, such as en or pt-BR'
})

const WidgetOrigins = Type.Array(
  Type.String({
    // As browsers write them: Content-Security-Policy takes them as they are.
    pattern: '^https?://[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?(:[1-9][0-9]{0,4})?$',
    maxLength: 270,
    examples: ['https://www.example.com']
  }),
  {
    maxItems: 50,
    uniqueItems: true,
    examples: [['https://www.example.com']],
    description: 'The origins whose pages may show the contact widget; none: no page of another site.',
    'x-invalid':
      'widget_origins must be a list of at most 50 different origins, such as https://www.example.com: in small letters, without a path'
  }
)

const unknownSenders = ['create', 'verified', 'hold', 'refuse'] as const

/** The settings that admins change at run time. A new setting takes a line here and one in `initially`; both types follow. */
export const DeskSettings = Type.Object({
  /** Whether clients are asked how satisfied they are when a ticket was closed, how long after, and in which departments (none: all). */
  csat_enabled: Flag(0),
  csat_delay_minutes: Type.Integer({ minimum: 0, maximum: 43_200, examples: [60] }),
  csat_departments: CsatDepartments,
  /** Staff without a second factor may only enable one. `sessionOf` reads this setting with each of their requests. */
  require_staff_2fa: Flag(0),
  /** Staff sign in by single sign-on or a passkey; by password only admins with a second factor. */
  require_sso_staff: Flag(0),
  /** Whether people get an e-mail when somebody signs in to their account on a device that it does not know. */
  new_device_emails: Flag(1),
  /** Whether the API tokens of people on the staff work, and they may make them. Service accounts do not ask. */
  staff_tokens: Flag(1),
  /** So many days the API token of a person may live; null: for ever. Those that are there stay as they are. */
  token_longest_days: Nullable(Type.Integer({ minimum: 1, maximum: 3650, examples: [365] })),
  /** The desk's name, contact data and appearance. Null if not set. */
  name: Nullable(Name(100, 'Example Support')),
  phone: Nullable(Name(50, '+31 20 555 0100')),
  privacy_url: Nullable(Link),
  accent: Nullable(Accent),
  /** The language of e-mails to people who have chosen none. */
  language: OneOf(languages),
  /** Where an article has neither the language that was asked for nor that of the desk, the first of these is shown. */
  help_languages: HelpLanguages,
  widget_origins: WidgetOrigins,
  time_zone: TimeZone,
  mail_addresses: MailAddresses,
  mail_names: MailNames,
  mail_senders: MailSenders,
  /** What happens to an e-mail from somebody without an account: it creates one (`verified`: if the sender is proven, else it waits), waits for staff, or is rejected with a notice. */
  mail_unknown_senders: OneOf(unknownSenders),
  /** For so long a reply that says `undo` waits and can be taken back; 0: it goes at once. */
  undo_send_seconds: Type.Integer({ minimum: 0, maximum: 60, examples: [10] }),
  /** Whether colleagues see the text of drafts, or only that there is one. */
  share_drafts: Flag(0),
  /** Whether people may sign up, and whether they may write without logging in. */
  sign_up: Flag(1),
  tickets_without_account: Flag(0)
})
export type DeskSettings = Static<typeof DeskSettings>

/** The values until an admin changes them. */
export const defaultSettings: DeskSettings = {
  csat_enabled: 0,
  csat_delay_minutes: 60,
  csat_departments: [],
  require_staff_2fa: 0,
  require_sso_staff: 0,
  new_device_emails: 1,
  staff_tokens: 1,
  token_longest_days: null,
  name: null,
  phone: null,
  privacy_url: null,
  accent: null,
  language: defaultLanguage,
  help_languages: [...languages],
  widget_origins: [],
  time_zone: 'UTC',
  mail_addresses: {},
  mail_names: {},
  mail_senders: [],
  mail_unknown_senders: 'create',
  undo_send_seconds: 10,
  share_drafts: 0,
  sign_up: 1,
  tickets_without_account: 0
}
