import { bound, integer, list, Unfit } from './lib/setting.ts'

/** How often who may try or ask for what. */
export const limitSettings = {
  GUESS_WINDOW_SECONDS: integer(300, 1, 86400, 'The time over which attempts are counted.'),
  MAX_WRONG_PASSWORDS: integer(
    20,
    1,
    1_000_000,
    'Wrong passwords for an account from one network in that time at most.'
  ),
  MAX_WRONG_FACTORS: integer(8, 1, 1_000_000, 'Wrong second factors for an account in that time at most.'),
  MAX_WRONG_FACTORS_PER_DAY: integer(
    50,
    1,
    1_000_000,
    'Wrong second factors for an account in a day at most. A new password makes them start anew.'
  ),
  MAX_WRONG_CODES: integer(20, 1, 1_000_000, 'Wrong one-time codes for an account in that time at most.'),
  MAX_CODES_SENT: integer(
    20,
    1,
    1_000_000,
    'One-time codes sent to an account at the request of one network in that time at most.'
  ),
  MAX_TEXTS_PER_NUMBER: integer(
    100,
    1,
    1_000_000,
    'Texts to one phone number in that time at most, however many accounts name it.'
  ),
  MAX_RESET_MAILS: integer(
    30,
    1,
    1_000_000,
    'Reset e-mails to an account at the request of one network in that time at most.'
  ),
  ALL_NETWORKS_FACTOR: integer(
    10,
    1,
    1000,
    'How many times as often as one network all of them together may try wrong passwords for an account, or ask for its codes and ' +
      'reset e-mails. Devices and networks from which the account was logged in lately are not held up by what others do.'
  ),
  MAX_FAILURES_PER_ADDRESS: integer(
    500,
    1,
    10_000_000,
    'Failed attempts from one network address in that time at most. Of IPv6 a /64 is one address; a /56 may fail twice as often, a /48 ' +
      'four times.'
  ),
  MAX_SIGNUPS_PER_NETWORK: bound(1200, 'Sign-ups from one network in an hour at most.'),
  MAX_OPEN_TICKETS_PER_NETWORK: integer(
    20,
    1,
    1_000_000,
    'Tickets that people who have not logged in open from one network in an hour at most.'
  ),
  MAX_OPEN_TICKETS_PER_ADDRESS: integer(
    5,
    1,
    1_000_000,
    'Tickets that people who have not logged in open for one e-mail address in a day at most.'
  ),
  MAX_TICKETS_PER_CLIENT: bound(2000, 'Tickets that one client opens in an hour at most.'),
  MAX_TICKETS_PER_NETWORK: bound(20_000, 'Tickets that clients on one network open in an hour at most.'),
  MAX_UPLOADS_PER_CLIENT: bound(2000, 'Files that one client uploads in an hour at most.'),
  MAX_UPLOADS_PER_NETWORK: bound(20_000, 'Files that clients on one network upload in an hour at most.'),
  TEXT_COUNTRIES: list(
    'The countries (NL, DE) to whose phone numbers texts are sent, separated by commas. Without any, to all.',
    country
  ),
  MAX_TEXTS_PER_NETWORK: bound(60, 'Texts at the request of one network in an hour at most.'),
  MAX_TEXTS_PER_NUMBER_A_DAY: bound(30, 'Texts to one phone number in a day at most, however it is written.'),
  MAX_TEXTS_A_DAY: bound(1000, 'Texts in a day at most, whoever asks for them.'),
  MAX_MAILS_PER_SENDER: bound(
    60,
    'E-mails of one sender in an hour at most that become tickets and replies; more are held for staff.'
  ),
  MAX_MAILS_PER_TICKET: bound(120, 'E-mails for one ticket in an hour at most; more are held for staff.'),
  MAX_MAILS_AN_HOUR: bound(
    3000,
    'E-mails in an hour at most that become tickets and replies; more are held for staff.'
  ),
  MAX_FOLLOWERS: integer(
    20,
    0,
    200,
    'People beside its client who get the answers of a ticket by e-mail at most; 0: nobody is added.'
  ),
  MAX_EMAILS_PER_ADDRESS_A_DAY: bound(
    100,
    'E-mails with codes and reset links to one address in a day at most. Networks from which its owner logged in lately are exempt.'
  )
}

/** The code of a country; throws `Unfit`. */
export function country(given: string): string {
  const code = given.toUpperCase()
  const isKnown = /^[A-Z]{2}$/.test(code) && new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }).of(code)
  if (isKnown) return code
  throw new Unfit('must be a country code of two letters, such as NL')
}

/** What is attempted, or sent out on request, and the setting that says how often (decision 23). */
export const attemptLimits = {
  password: 'MAX_WRONG_PASSWORDS',
  factor: 'MAX_WRONG_FACTORS',
  code: 'MAX_WRONG_CODES',
  'code-sent': 'MAX_CODES_SENT',
  text: 'MAX_TEXTS_PER_NUMBER',
  'reset-mail': 'MAX_RESET_MAILS'
} as const satisfies Record<string, keyof typeof limitSettings>

export type AttemptKind = keyof typeof attemptLimits

/** What is told of what happens, and to how many. */
export const eventSettings = {
  EVENT_RETENTION_DAYS: integer(
    90,
    1,
    3650,
    'What happened is told by the feed and the streams of events for so many days. The audit log and the timelines of tickets keep it.'
  ),
  MAX_EVENT_STREAMS: integer(4000, 1, 1_000_000, 'Streams of events that one process serves at the same time at most.')
}

export const accessTokenSeconds = 86_400
export const refreshTokenSeconds = 30 * 86_400
export const resetTokenSeconds = 3600
/** The reset token of somebody for whom staff open an account: e-mails are not always read at once. */
export const invitationSeconds = 7 * 86_400
/** The link by which a former e-mail address confirms the one that staff have put in its place. */
export const emailConfirmationSeconds = 7 * 86_400
/** A ticket that somebody without a login wrote waits this long for the owner of the address. */
export const unconfirmedTicketSeconds = 7 * 86_400
export const challengeSeconds = 300
export const maxChallengeAttempts = 5
export const codeSeconds = 900
export const maxCodeAttempts = 5
/** A rotated refresh token that comes again within this time is a client's stutter, later it is a thief's (decision 18). */
export const refreshStutterSeconds = 30
/** Files in the outbox are kept this long: what their rows live, the days in which delivery is tried and the days after. */
export const outboxSeconds = 33 * 86_400
/** Streams of events that one account listens to at the same time at most, in all processes together. */
export const maxStreamsPerAccount = 20
/** A signed download link works this long. */
export const downloadLinkSeconds = 300
