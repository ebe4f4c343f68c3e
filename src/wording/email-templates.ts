/** What may stand for a placeholder. A code, messages and threads stand in paragraphs of their own; so does a link if it is to be one. */

export const placeholderKinds = ['text', 'duration', 'link', 'code', 'messages', 'answer', 'thread'] as const
export type PlaceholderKind = (typeof placeholderKinds)[number]

/** Whether it stands in a paragraph of its own, wherever it is. */
export function standsApart(kind: PlaceholderKind): boolean {
  return kind === 'code' || kind === 'messages' || kind === 'answer' || kind === 'thread'
}

interface Placeholder {
  kind: PlaceholderKind
  description: string
  /** Without it the e-mail is useless. */
  isRequired?: true
  /** Not allowed in subjects, which show on locked screens. */
  isSecret?: true
}

interface EmailTemplate {
  group: 'account' | 'ticket' | 'staff'
  /** Who gets the e-mail, and when. */
  description: string
  placeholders: Readonly<Record<string, Placeholder>>
  /** Parts of the text that are there only in some of these e-mails: `{{#name}}…{{/name}}`. */
  conditions: Readonly<Record<string, string>>
  /** Placeholders without which the subject is useless. */
  requiredInSubject?: readonly string[]
}

/** What every e-mail may name. */
const deskPlaceholders = {
  'desk.name': { kind: 'text', description: 'What the desk calls itself' },
  'desk.url': { kind: 'link', description: 'The address of the portal' }
} as const satisfies EmailTemplate['placeholders']

// Nothing that a person typed who has proven nothing stands in e-mails about accounts, names included: whoever signs up with
// somebody else's address could otherwise write e-mails to them in our name. That is why their lists are as short as they are.

const resetLink = {
  'reset.link': { kind: 'link', description: 'The link to choose a password', isRequired: true, isSecret: true },
  'reset.valid_for': { kind: 'duration', description: 'How long the link works' }
} as const

const ticketNumber = { 'ticket.number': { kind: 'text', description: 'The number of the ticket' } } as const

const clientTicket = {
  ...ticketNumber,
  'ticket.link': { kind: 'link', description: 'The page of the ticket in the portal' }
} as const

const ticketConditions = {
  received: 'The reader has opened the ticket just now',
  opened: 'Staff have opened the ticket for the reader',
  answered: 'Staff have answered',
  closed: 'The ticket has been closed',
  reply: 'Staff have written in a ticket that the reader knows',
  answerable: 'An answer to the e-mail comes to the ticket',
  unproven: 'Nobody has proved that the address is theirs, nor written from it'
}

/** Every e-mail that Deskline sends, with the closed list of what it knows. */
const emailTemplates = {
  'reset-link': {
    group: 'account',
    description: 'To a client who has forgotten the password',
    placeholders: resetLink,
    conditions: {}
  },
  'staff-reset-link': {
    group: 'staff',
    description: 'To a member of staff who has forgotten the password',
    placeholders: resetLink,
    conditions: {}
  },
  invitation: {
    group: 'account',
    description: 'To somebody for whom an account was opened',
    placeholders: resetLink,
    conditions: {}
  },
  'password-changed': {
    group: 'account',
    description: 'To whoever has a new password, clients and staff',
    placeholders: {},
    conditions: {
      by_owner: 'The reader has changed it, with the former password',
      by_link: 'It was changed with a link from an e-mail',
      by_admin: 'An administrator has changed it',
      by_operator: 'Whoever runs the desk has changed it at a terminal'
    }
  },
  'password-guesses': {
    group: 'account',
    description: 'To the owner of an account for which somebody tries passwords, clients and staff',
    placeholders: {},
    conditions: {}
  },
  'wrong-factors': {
    group: 'account',
    description: 'To the owner of an account of which somebody knows the password, clients and staff',
    placeholders: {},
    conditions: {}
  },
  'two-factor-reset': {
    group: 'account',
    description: 'To a client whose two-factor authentication staff have turned off',
    placeholders: {},
    conditions: {}
  },
  'email-code': {
    group: 'account',
    description: 'To a client who verifies the e-mail address',
    placeholders: {
      code: { kind: 'code', description: 'The code', isRequired: true, isSecret: true },
      'code.valid_for': { kind: 'duration', description: 'How long the code works' }
    },
    conditions: {}
  },
  'email-changed': {
    group: 'account',
    description: 'To the former address of an account that has a new one',
    placeholders: {},
    conditions: {}
  },
  'email-change-confirmation': {
    group: 'account',
    description: 'To the former address of a client to whom staff have given a new one',
    placeholders: {
      'confirmation.link': { kind: 'link', description: 'The link to confirm it', isRequired: true, isSecret: true },
      'confirmation.valid_for': { kind: 'duration', description: 'How long the link works' }
    },
    conditions: {}
  },
  'email-change-confirmed': {
    group: 'account',
    description: 'To both addresses of a client once an administrator has confirmed the new one',
    // Staff alone choose what administrators are called.
    placeholders: { 'admin.name': { kind: 'text', description: 'The administrator who has confirmed it' } },
    conditions: {}
  },
  'ticket-confirmation': {
    group: 'ticket',
    description: 'To a client in whose name somebody has written without logging in',
    placeholders: {
      'confirmation.link': { kind: 'link', description: 'The link to confirm it', isRequired: true, isSecret: true },
      'confirmation.valid_for': { kind: 'duration', description: 'How long the link works' }
    },
    conditions: {}
  },
  'client-ticket': {
    group: 'ticket',
    description: 'To a client about a ticket: received, opened, answered, closed',
    placeholders: {
      ...clientTicket,
      'ticket.subject': { kind: 'text', description: 'The subject of the ticket' },
      messages: { kind: 'answer', description: 'What staff have written, with its files', isRequired: true },
      thread: { kind: 'thread', description: 'What was written before, the newest first' }
    },
    conditions: ticketConditions,
    requiredInSubject: ['ticket.number']
  },
  // What goes to an address that nobody has proved to be theirs may reach a stranger, and repeats nothing.
  'client-ticket-unverified': {
    group: 'ticket',
    description: 'The same to an address that has not been verified, without what was written',
    placeholders: clientTicket,
    conditions: ticketConditions,
    requiredInSubject: ['ticket.number']
  },
  'follower-ticket': {
    group: 'ticket',
    description: 'To somebody who follows a ticket: what staff have answered',
    placeholders: {
      ...ticketNumber,
      'ticket.subject': { kind: 'text', description: 'The subject of the ticket' },
      messages: { kind: 'answer', description: 'What staff have written, with its files', isRequired: true },
      'stop.link': { kind: 'link', description: 'Ends these e-mails', isSecret: true }
    },
    conditions: { answerable: 'What the reader answers comes into the ticket' },
    requiredInSubject: ['ticket.number']
  },
  'mail-refused': {
    group: 'ticket',
    description: 'To somebody without an account whose e-mail was not taken',
    placeholders: {},
    conditions: {}
  },
  'staff-ticket': {
    group: 'staff',
    description: 'To a member of staff about a ticket: assigned, mentioned, replies of the customer',
    placeholders: {
      ...ticketNumber,
      'ticket.subject': { kind: 'text', description: 'The subject of the ticket' },
      'assigned.by': { kind: 'text', description: 'Who has assigned the ticket to the reader' },
      'mentioned.by': { kind: 'text', description: 'Who has mentioned the reader in a note' },
      messages: { kind: 'messages', description: 'What the customer has written', isRequired: true }
    },
    conditions: {
      assigned: 'The ticket was assigned to the reader',
      mentioned: 'The reader was mentioned in a note',
      replied: 'The customer has written'
    },
    requiredInSubject: ['ticket.number']
  },
  'staff-mail-limit': {
    group: 'staff',
    description: 'To administrators when more e-mails come in than the settings allow',
    placeholders: {},
    conditions: {}
  },
  'staff-mail-held': {
    group: 'staff',
    description: 'To administrators, once a day at most, when e-mails wait for somebody to decide about them',
    placeholders: {
      'held.link': { kind: 'link', description: 'The page of the e-mails that are held', isRequired: true }
    },
    conditions: {}
  },
  'staff-webhook-disabled': {
    group: 'staff',
    description: 'To administrators when a webhook was turned off',
    placeholders: {
      'webhook.id': { kind: 'text', description: 'The id of the webhook' },
      'webhook.origin': { kind: 'text', description: 'Where the webhook leads to' }
    },
    conditions: {
      gone: 'Its receiver has said that it is gone for good',
      failing: 'For days every delivery has failed'
    }
  }
} as const satisfies Record<string, EmailTemplate>

type Templates = typeof emailTemplates
export type TemplateName = keyof Templates
export const templateNames = Object.keys(emailTemplates) as TemplateName[]

/** A template without the names of its own. */
export function templateNamed(name: TemplateName): EmailTemplate {
  return emailTemplates[name]
}

/** By name, all that the template may name. */
export function placeholdersOf(name: TemplateName): Readonly<Record<string, Placeholder>> {
  return { ...emailTemplates[name].placeholders, ...deskPlaceholders }
}

/** What somebody wrote in a ticket. */
export interface Quoted {
  by: string
  text: string
}

/** What was written before. */
export interface EarlierMessage extends Quoted {
  at: Date
}

/** What staff wrote to a client. */
export interface Answer {
  messages: readonly Quoted[]
  /** Names and sizes of files that do not go with the e-mail but are in the ticket, and names of those that nobody gets. */
  filesElsewhere: readonly (string | { label: string; link: string })[]
  filesRefused: readonly string[]
  /** Whether files go with the e-mail. */
  hasFiles: boolean
  /** Where the ticket is; undefined for somebody who cannot go there, and has a link to each file. */
  link: string | undefined
}

interface ValueOf {
  text: string
  link: string
  code: string
  /** In seconds. */
  duration: number
  messages: readonly Quoted[]
  answer: Answer
  thread: readonly EarlierMessage[]
}

type PlaceholdersOf<Name extends TemplateName> = Templates[Name]['placeholders']
type ValuesOf<Name extends TemplateName> = {
  [P in keyof PlaceholdersOf<Name>]: PlaceholdersOf<Name>[P] extends { kind: infer K extends PlaceholderKind }
    ? ValueOf[K]
    : never
} & { [C in keyof Templates[Name]['conditions']]: boolean }

/** An e-mail that is to be worded: its template, and a value for all that the template may name. */
export type Email = { [Name in TemplateName]: { template: Name; values: ValuesOf<Name> } }[TemplateName]

/** A value of an e-mail whose template is not known. */
export type Value = ValueOf[PlaceholderKind] | boolean

/** The same of any template. */
export interface AnyEmail {
  template: TemplateName
  values: Readonly<Record<string, Value>>
}
