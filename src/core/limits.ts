import { InvalidSetting, integer, list, upperLimit } from '../lib/setting.ts'

/** The settings of the rate limits. */
export const limitSettings = {
  GUESS_WINDOW_SECONDS: integer(300, 1, 86400, 'The time window over which attempts are counted.'),
  MAX_WRONG_PASSWORDS: integer(
    20,
    1,
    1_000_000,
    'Maximum wrong passwords for an account from one network per GUESS_WINDOW_SECONDS.'
  ),
  MAX_WRONG_FACTORS: integer(8, 1, 1_000_000, 'Maximum wrong second factors for an account per GUESS_WINDOW_SECONDS.'),
  MAX_WRONG_FACTORS_PER_DAY: integer(
    50,
    1,
    1_000_000,
    'Maximum wrong second factors for an account in a day. A new password resets the count.'
  ),
  MAX_WRONG_CODES: integer(
    20,
    1,
    1_000_000,
    'Maximum wrong one-time codes for an account from one network per GUESS_WINDOW_SECONDS. Whoever is logged in to the account, or on a ' +
      'network from which it recently logged in, is counted apart from strangers.'
  ),
  MAX_CODES_SENT: integer(
    20,
    1,
    1_000_000,
    'Maximum one-time codes sent to an account at the request of one network per GUESS_WINDOW_SECONDS.'
  ),
  MAX_TEXTS_PER_NUMBER: integer(
    100,
    1,
    1_000_000,
    'Maximum text messages to one phone number per GUESS_WINDOW_SECONDS, across all accounts with that number.'
  ),
  MAX_RESET_MAILS: integer(
    30,
    1,
    1_000_000,
    'Maximum password reset e-mails to an account at the request of one network per GUESS_WINDOW_SECONDS.'
  ),
  ALL_NETWORKS_FACTOR: integer(
    10,
    1,
    1000,
    'The limits for one network (wrong passwords, codes and reset e-mails of an account) times this factor apply to all networks ' +
      'together; for wrong codes in a day. Devices and networks from which the account recently logged in are exempt from what others do.'
  ),
  MAX_FAILURES_PER_ADDRESS: integer(
    500,
    1,
    10_000_000,
    'Maximum failed attempts from one network address per GUESS_WINDOW_SECONDS. An IPv6 /64 counts as one address; a /56 may fail ' +
      'twice as often, a /48 four times.'
  ),
  MAX_SIGNUPS_PER_NETWORK: upperLimit(1200, 'Maximum sign-ups from one network in an hour.'),
  MAX_OPEN_TICKETS_PER_NETWORK: integer(
    20,
    1,
    1_000_000,
    'Maximum tickets opened without a login from one network in an hour.'
  ),
  MAX_OPEN_TICKETS_PER_ADDRESS: integer(
    5,
    1,
    1_000_000,
    'Maximum tickets opened without a login for one e-mail address in a day.'
  ),
  MAX_TICKETS_PER_CLIENT: upperLimit(2000, 'Maximum tickets that one client opens in an hour.'),
  MAX_TICKETS_PER_NETWORK: upperLimit(20_000, 'Maximum tickets that clients on one network open in an hour.'),
  MAX_UPLOADS_PER_CLIENT: upperLimit(2000, 'Maximum files that one client uploads in an hour.'),
  MAX_UPLOADS_PER_NETWORK: upperLimit(20_000, 'Maximum files that clients on one network upload in an hour.'),
  MAX_ARTICLE_SEARCHES_PER_NETWORK: upperLimit(
    20_000,
    'Maximum searches and suggestions of articles for one network in an hour.'
  ),
  MAX_ARTICLE_ANSWERS_PER_NETWORK: upperLimit(
    600,
    'Maximum answers from one network in an hour to whether an article helped.'
  ),
  MAX_REQUESTS_PER_TOKEN: upperLimit(600, 'Maximum requests with one API token in a minute.'),
  TEXT_COUNTRIES: list(
    'The countries (NL, DE) to whose phone numbers text messages are sent, separated by commas. Without any, all countries.',
    country
  ),
  MAX_TEXTS_PER_NETWORK: upperLimit(60, 'Maximum text messages at the request of one network in an hour.'),
  MAX_TEXTS_PER_NUMBER_A_DAY: upperLimit(
    30,
    'Maximum text messages to one phone number in a day, however it is written.'
  ),
  MAX_TEXTS_A_DAY: upperLimit(1000, 'Maximum text messages in a day, for all callers together.'),
  MAX_MAILS_PER_SENDER: upperLimit(
    60,
    'Maximum e-mails of one sender in an hour that become tickets and replies; further ones are held for staff.'
  ),
  MAX_MAILS_PER_TICKET: upperLimit(120, 'Maximum e-mails for one ticket in an hour; further ones are held for staff.'),
  MAX_MAILS_AN_HOUR: upperLimit(
    3000,
    'Maximum e-mails in an hour that become tickets and replies; further ones are held for staff.'
  ),
  MAX_FOLLOWERS: integer(
    20,
    0,
    200,
    'Maximum number of followers (Cc) of a ticket, who get its replies by e-mail besides its client; 0 allows none.'
  ),
  MAX_EMAILS_PER_ADDRESS_A_DAY: upperLimit(
    100,
    'Maximum e-mails with codes and reset links to one address in a day. Networks from which its owner recently logged in are exempt.'
  )
}

/** A country code; throws `InvalidSetting`. */
export function country(given: string): string {
  const code = given.toUpperCase()
  const isKnown = /^[A-Z]{2}$/.test(code) && new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }).of(code)
  if (isKnown) return code
  throw new InvalidSetting('must be a country code of two letters, such as NL')
}

/** The kinds of rate-limited attempts and messages, with the settings of their limits (decision 23). */
export const attemptLimits = {
  password: 'MAX_WRONG_PASSWORDS',
  factor: 'MAX_WRONG_FACTORS',
  code: 'MAX_WRONG_CODES',
  'code-sent': 'MAX_CODES_SENT',
  text: 'MAX_TEXTS_PER_NUMBER',
  'reset-mail': 'MAX_RESET_MAILS'
} as const satisfies Record<string, keyof typeof limitSettings>

export type AttemptKind = keyof typeof attemptLimits

/** The settings of the event feed and the event streams. */
export const eventSettings = {
  EVENT_RETENTION_DAYS: integer(
    90,
    1,
    3650,
    'Number of days for which the event feed and streams return events. The audit log and the timelines of tickets keep them longer.'
  ),
  MAX_EVENT_STREAMS: integer(
    4000,
    1,
    1_000_000,
    'Maximum number of event streams that one process serves at the same time.'
  )
}

export const accessTokenSeconds = 86_400
export const refreshTokenSeconds = 30 * 86_400
export const resetTokenSeconds = 3600
/** The reset token of an account that staff opened: e-mails are not always read at once. */
export const invitationSeconds = 7 * 86_400
/** The link by which a former e-mail address confirms the new one that staff have set. */
export const emailConfirmationSeconds = 7 * 86_400
/** How long a ticket written without a login waits for the owner of the address. */
export const unconfirmedTicketSeconds = 7 * 86_400
export const challengeSeconds = 300
export const maxChallengeAttempts = 5
export const codeSeconds = 900
export const maxCodeAttempts = 5
/** Within this time a reused refresh token is a client's retry, later it is a thief's (decision 18). */
export const refreshStutterSeconds = 30
/** How long outbox files are kept: some days of delivery attempts, and thirty days after, as their rows. */
export const outboxSeconds = 33 * 86_400
/** The most concurrent event streams of one account, in all processes together. */
export const maxStreamsPerAccount = 20
/** How long a signed download link works. */
export const downloadLinkSeconds = 300
