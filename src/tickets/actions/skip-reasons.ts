/** Why an action was skipped, in the words of the API. Without imports: the console says them in its language. */
export const skipReasons = {
  unchanged: 'It is so already',
  nobodyInTurn: 'Nobody of the department is available',
  fieldGone: 'The field is archived or deleted',
  optionGone: 'The option is archived',
  nobodyToNotify: 'There is nobody to notify',
  neverOpens: 'The calendar does not open in time',
  staffGone: 'There is no active member of staff with this id',
  webhookGone: 'The webhook is turned off or deleted',
  messageGone: 'The message is not in the ticket any more',
  answered: 'Staff have answered it already',
  answersOnly: 'The client has ended automatic e-mails',
  notVerified: 'The address of the client is not verified',
  unsubscribed: 'The client has ended e-mails',
  turnedOff: 'The client has turned e-mails off',
  inactive: 'The client is deactivated',
  bounced: 'E-mails to the client are not delivered',
  noTicket: 'The e-mail became no ticket',
  tooManyEmails: 'The client gets no more e-mails by rules today',
  answersByItself: 'The address of the client has answered by itself within a day'
} as const
type SkipReason = keyof typeof skipReasons

/** The same for what a text names that is not set. */
export function whyUnset(names: readonly string[]): string {
  return `There is no ${names.join(', ')}`
}

/** What a reason says, taken apart; undefined for the words of a refusal. */
export function skipReasonOf(why: string): { reason: SkipReason | 'unset'; names: string } | undefined {
  const known = Object.entries(skipReasons).find(([, text]) => text === why)
  if (known) return { reason: known[0] as SkipReason, names: '' }
  const [, names] = /^There is no ((?:[a-z_]+\.[a-z0-9_]+(?:, )?)+)$/.exec(why) ?? []
  return names === undefined ? undefined : { reason: 'unset', names }
}
