import type { MailNotRead } from '../../platform/mail-reading/mail-reader.ts'

/** Why a mail is held, as the API's slug and as a text. The verbs, the API and the pages use only these reasons. */
const holdReasons = {
  unknown_sender: 'Nobody here has an account with this address, and the settings hold e-mails of such',
  sender_not_authentic: 'The checks of its sender failed: somebody else may have written it',
  client_inactive: 'The account of the sender is deactivated',
  email_unconfirmed:
    'Staff have given this address to a client, and neither the former address nor an admin has confirmed it yet',
  spam_folder: 'The server of its mailbox took it for spam',
  from_staff: 'It answers a ticket from the address of a member of staff, which by itself proves nothing',
  by_rule: 'A rule holds it',
  side_stranger: 'It answers a side conversation, but its sender is not in it',
  no_sender: 'It names no sender',
  unknown_report:
    'It reports on the delivery of an e-mail, but did not come to the return address of one that the desk knows: nothing was marked',
  too_many: 'More e-mails came in within an hour than the settings allow',
  too_many_from_sender: 'More e-mails came from this sender within an hour than the settings allow',
  too_many_in_ticket: 'More e-mails came for this ticket within an hour than the settings allow',
  too_many_automatic: 'More automatic e-mails came within an hour than any person would miss',
  too_large: 'It is too large to be read',
  no_message: 'It is no e-mail',
  not_fetched: 'It could not be fetched whole from its mailbox',
  not_readable: 'It cannot be read',
  nested_too_deeply: 'Its parts are nested too deeply to be read',
  too_many_parts: 'It has too many parts to be read',
  takes_too_long: 'Reading it takes too long',
  takes_too_much_memory: 'Reading it takes too much memory',
  failed_repeatedly: 'It was begun several times and never finished'
} as const

export type HoldReason = keyof typeof holdReasons

export const holdReasonNames = Object.keys(holdReasons) as HoldReason[]

const unread: readonly HoldReason[] = [
  'too_large',
  'no_message',
  'not_fetched',
  'not_readable',
  'nested_too_deeply',
  'too_many_parts',
  'takes_too_long',
  'takes_too_much_memory',
  'failed_repeatedly'
]

/** Whether mails held for this reason were never parsed, so that only the raw text exists. */
export function isUnread(reason: HoldReason): boolean {
  return unread.includes(reason)
}

/** The text for people. */
export function textOfReason(reason: HoldReason): string {
  return holdReasons[reason]
}

/** The reason in the row of a mail that is or was held; reasons of other versions count as `not_readable`. */
export function heldFor({ held_reason, reason }: { held_reason: string | null; reason: string | null }): HoldReason {
  return holdReasonNames.find(name => name === (held_reason ?? reason)) ?? 'not_readable'
}

/** Why a mail was not parsed. */
export function reasonOf({ message }: MailNotRead): HoldReason {
  return unread.find(reason => reason === message) ?? 'not_readable'
}
