import { mailboxTemplate } from './mailbox-template.ts'
import { newDeviceTemplate } from './new-device-template.ts'
import type { Placeholder, PlaceholderKind, ValueOf } from './placeholder-kinds.ts'
import { resetLink, takeBackCondition, takeBackLink } from './reset-placeholders.ts'
import { sideConversationTemplate } from './side-conversation-template.ts'
import { surveyTemplate } from './survey-template.ts'
import { ticketConditions } from './ticket-conditions.ts'
import { tokenTemplate } from './token-template.ts'

interface EmailTemplate {
  group: 'account' | 'ticket' | 'staff'
  /** The recipient of the e-mail, and the occasion. */
  description: string
  placeholders: Readonly<Record<string, Placeholder>>
  /** The conditions of conditional parts: `{{#name}}…{{/name}}`. */
  conditions: Readonly<Record<string, string>>
  /** The placeholders that the subject must contain. */
  requiredInSubject?: readonly string[]
}

/** Placeholders that every e-mail may use. */
const deskPlaceholders = {
  'desk.name': { kind: 'text', description: 'What the desk calls itself' },
  'desk.url': { kind: 'link', description: 'The address of the portal' },
  'desk.forgot_url': { kind: 'link', description: 'The page that e-mails a link to choose a password' }
} as const satisfies EmailTemplate['placeholders']

const ticketNumber = { 'ticket.number': { kind: 'text', description: 'The number of the ticket' } } as const
const answered = {
  ...ticketNumber,
  'ticket.subject': { kind: 'text', description: 'The subject of the ticket' },
  messages: { kind: 'answer', description: 'What staff have written, with its files', isRequired: true }
} as const
const clientTicket = {
  ...ticketNumber,
  'ticket.link': { kind: 'link', description: 'The page of the ticket in the portal' }
} as const

/** Every e-mail that Deskline sends, with all placeholders and conditions that its text may use. */
const plain = { placeholders: {}, conditions: {} } as const
const ofAccount = { ...plain, group: 'account' } as const
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
  'password-attempts': {
    ...ofAccount,
    description: 'To the owner of an account for which somebody tries passwords, clients and staff'
  },
  'wrong-factors': {
    ...ofAccount,
    description: 'To the owner of an account of which somebody knows the password, clients and staff'
  },
  'two-factor-reset': {
    ...ofAccount,
    description: 'To a client whose two-factor authentication staff have turned off'
  },
  'passkey-added': {
    ...ofAccount,
    description: 'To the owner of an account to which a passkey was added, clients and staff'
  },
  'passkey-blocked': {
    ...ofAccount,
    description: 'To the owner of a passkey that was blocked because a copy of it may exist, clients and staff'
  },
  'new-device': newDeviceTemplate,
  'token-ends': tokenTemplate,
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
    placeholders: takeBackLink,
    conditions: takeBackCondition
  },
  'email-change-confirmation': {
    group: 'account',
    description: 'To the former address of a client to whom staff have given a new one',
    placeholders: {
      'confirmation.link': { kind: 'link', description: 'The link to confirm it', isRequired: true, isSecret: true },
      'confirmation.valid_for': { kind: 'duration', description: 'How long the link works' },
      ...takeBackLink
    },
    conditions: takeBackCondition
  },
  'email-change-confirmed': {
    group: 'account',
    description: 'To both addresses of a client once an administrator has confirmed the new one',
    // Only staff set the names of administrators.
    placeholders: {
      'admin.name': { kind: 'text', description: 'The administrator who has confirmed it' }
    },
    conditions: { new_address: 'The e-mail goes to the new address' }
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
  // An unverified address may belong to a stranger, so this e-mail quotes nothing.
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
    placeholders: { ...answered, 'stop.link': { kind: 'link', description: 'Ends these e-mails', isSecret: true } },
    conditions: { answerable: 'What the reader answers comes into the ticket' },
    requiredInSubject: ['ticket.number']
  },
  'ticket-copy': {
    group: 'ticket',
    description: 'To somebody who gets a copy of one answer and does not follow the ticket',
    placeholders: answered,
    conditions: {},
    requiredInSubject: ['ticket.number']
  },
  'side-conversation': sideConversationTemplate,
  'client-notice': {
    group: 'ticket',
    description: 'To a client: what a macro or a rule tells about a ticket',
    placeholders: {
      ...clientTicket,
      'notice.subject': { kind: 'text', description: 'The subject that the macro or rule gives it' },
      messages: { kind: 'answer', description: 'What the macro or rule tells', isRequired: true }
    },
    conditions: { answerable: 'An answer to the e-mail comes to the ticket' },
    requiredInSubject: ['ticket.number']
  },
  'client-survey': surveyTemplate,
  'mail-refused': {
    group: 'ticket',
    description: 'To somebody without an account whose e-mail was not taken',
    ...plain
  },
  'staff-ticket': {
    group: 'staff',
    description:
      'To a member of staff about a ticket: assigned, mentioned, due soon, late, back from a snooze, replies of the customer',
    placeholders: {
      ...ticketNumber,
      'ticket.subject': { kind: 'text', description: 'The subject of the ticket' },
      'snooze.reason': { kind: 'text', description: 'Why the ticket was snoozed' },
      'sla.due': { kind: 'text', description: 'When the ticket is or was due, in the time of the desk' },
      'assigned.by': { kind: 'text', description: 'Who has assigned the ticket to the reader' },
      'mentioned.by': { kind: 'text', description: 'Who has mentioned the reader in a note' },
      'partner.name': { kind: 'text', description: 'Who has answered in a side conversation' },
      messages: { kind: 'messages', description: 'What the customer or the third party has written', isRequired: true }
    },
    conditions: {
      back: 'The ticket is back from its snooze',
      back_with_reason: 'The ticket is back from a snooze with a reason',
      due_soon: 'The ticket is due soon',
      late: 'The ticket was not dealt with when it was due',
      assigned: 'The ticket was assigned to the reader',
      mentioned: 'The reader was mentioned in a note',
      replied: 'The customer has written',
      partner_replied: 'A third party has answered in a side conversation'
    },
    requiredInSubject: ['ticket.number']
  },
  'staff-rule-paused': {
    group: 'staff',
    description: 'To admins, when a rule was paused because it would have exceeded a budget',
    placeholders: { 'rule.name': { kind: 'text', description: 'The name of the rule' } },
    conditions: {}
  },
  'staff-notice': {
    group: 'staff',
    description: 'To a member of staff: what a macro or a rule tells about a ticket',
    placeholders: {
      ...ticketNumber,
      'ticket.subject': { kind: 'text', description: 'The subject of the ticket' },
      messages: { kind: 'messages', description: 'What the macro or rule tells', isRequired: true }
    },
    conditions: {},
    requiredInSubject: ['ticket.number']
  },
  'staff-mail-limit': {
    group: 'staff',
    description: 'To administrators when more e-mails come in than the settings allow',
    ...plain
  },
  'staff-mail-held': {
    group: 'staff',
    description: 'To administrators, once a day at most, when e-mails wait for somebody to decide about them',
    placeholders: {
      'held.link': { kind: 'link', description: 'The page of the e-mails that are held', isRequired: true }
    },
    conditions: {}
  },
  'staff-mailbox': mailboxTemplate,
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

/** The template as the general type, without the names of its placeholders. */
export function templateNamed(name: TemplateName): EmailTemplate {
  return emailTemplates[name]
}

/** All placeholders that the template may use, by name. */
export function placeholdersOf(name: TemplateName): Readonly<Record<string, Placeholder>> {
  return { ...emailTemplates[name].placeholders, ...deskPlaceholders }
}

type PlaceholdersOf<Name extends TemplateName> = Templates[Name]['placeholders']
type ValuesOf<Name extends TemplateName> = {
  [P in keyof PlaceholdersOf<Name>]: PlaceholdersOf<Name>[P] extends { kind: infer K extends PlaceholderKind }
    ? ValueOf[K]
    : never
} & { [C in keyof Templates[Name]['conditions']]: boolean }

/** An e-mail before it is worded: its template, and a value for each placeholder and condition. */
export type Email = { [Name in TemplateName]: { template: Name; values: ValuesOf<Name> } }[TemplateName]

export type Value = ValueOf[PlaceholderKind] | boolean

/** The same as `Email`, for a template that is known only at run time. */
export interface AnyEmail {
  template: TemplateName
  values: Readonly<Record<string, Value>>
}
