import type { Config } from './config.ts'

/** What is guessed at, or sent out on request, and the setting that says how often an account may (decision 23). */
export const guessLimits = {
  password: 'MAX_WRONG_PASSWORDS',
  factor: 'MAX_WRONG_FACTORS',
  code: 'MAX_WRONG_CODES',
  'code-sent': 'MAX_CODES_SENT',
  text: 'MAX_TEXTS_PER_NUMBER',
  'reset-mail': 'MAX_RESET_MAILS'
} as const satisfies Record<string, keyof Config>

export type GuessKind = keyof typeof guessLimits

export const accessTokenSeconds = 86_400
export const refreshTokenSeconds = 30 * 86_400
export const resetTokenSeconds = 3600
/** The reset token of somebody for whom staff open an account: letters are not always read at once. */
export const invitationSeconds = 7 * 86_400
export const challengeSeconds = 300
export const maxChallengeAttempts = 5
export const codeSeconds = 900
export const maxCodeAttempts = 5
/** A rotated refresh token that comes again within this time is a client's stutter, later it is a thief's (decision 18). */
export const refreshStutterSeconds = 30
/** Files in the outbox are kept this long: what their rows live, the days in which delivery is tried and the days after. */
export const outboxSeconds = 33 * 86_400
/** A signed download link works this long. */
export const downloadLinkSeconds = 300
