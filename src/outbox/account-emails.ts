/** What an e-mail says; `text` and `html` say the same. */
export interface EmailContent {
  subject: string
  text: string
  html: string
}

/** What a text message says. */
export interface TextContent {
  text: string
}

// Nothing a caller typed goes into these words (those about tickets, in ticket-words.ts, have a rule of their own), names included: whoever signs up with somebody else's address could
// otherwise write e-mails to them in our name. Codes and links stay out of subjects, which show on locked screens.

/** The e-mail with a link to choose a new password. */
export function resetLinkEmail({ link, expiresInSeconds }: { link: string; expiresInSeconds: number }): EmailContent {
  return composeEmail('Choose a new password', [
    'Somebody, probably you, asked to choose a new password for your support account.',
    'Open this link to choose it:',
    { link },
    `The link works once, within ${inWords(expiresInSeconds)}.`,
    'If it was not you, you need not do anything: your password stays as it is.'
  ])
}

/** The e-mail with a link to choose a new password for a member of staff. */
export function staffResetEmail({ link, expiresInSeconds }: { link: string; expiresInSeconds: number }): EmailContent {
  return composeEmail('Choose a new password', [
    'Somebody, probably you, asked to choose a new password for your staff account at the support desk.',
    'Open this link to choose it:',
    { link },
    `The link works once, within ${inWords(expiresInSeconds)}.`,
    'If it was not you, you need not do anything: your password stays as it is.'
  ])
}

/** How a password was changed: by its owner with the former one or a reset link, by an admin, by the operator at a terminal. */
export type PasswordChangedBy = 'password' | 'reset-link' | 'admin' | 'command'

/** The e-mail that tells somebody that the password was changed. */
export function passwordChangedEmail(by: PasswordChangedBy): EmailContent {
  return composeEmail('Your password was changed', [
    `The password of your account at the support desk was changed just now${passwordChanges[by]} was ended.`,
    'If it was you, or you asked for it, you need not do anything.',
    'If not, choose a new password at once by "forgot password", and tell the support desk.'
  ])
}

const passwordChanges: Record<PasswordChangedBy, string> = {
  password: ', and every other session',
  'reset-link': ' with a link that was sent to this address, and every session',
  admin: ' by an administrator, and every session',
  command: ' by whoever runs the support desk, and every session'
}

/** The e-mail to the owner of an account for which somebody tries passwords. */
export function failedAttemptsEmail(): EmailContent {
  return composeEmail('Somebody tries passwords for your account', [
    'Somebody has tried many wrong passwords for your account at the support desk. Nobody got in by that: from where they were tried, no more are taken for some minutes.',
    'If it was you, wait a few minutes, or choose a new password by "forgot password": it logs you in at once.',
    'If it was not you, you need not do anything. Where you have logged in lately you can still log in. A password that you use nowhere else, and two-factor authentication, keep others out.',
    'We tell you this at most once a day.'
  ])
}

/** The e-mail to the former e-mail address of an account. It does not name the new one, which is not the reader's business. */
export function addressChangedEmail(): EmailContent {
  return composeEmail('Your e-mail address was changed', [
    'The e-mail address of your account at the support desk was changed just now. E-mails about the account no longer come here.',
    'If it was you, you need not do anything.',
    'If it was not, tell the support desk at once.'
  ])
}

/** The e-mail with which somebody for whom staff opened an account chooses the first password. */
export function invitationEmail({ link, expiresInSeconds }: { link: string; expiresInSeconds: number }): EmailContent {
  return composeEmail('Your support account', [
    'Our support team has opened an account for you.',
    'Open this link to choose a password:',
    { link },
    `The link works once, within ${inWords(expiresInSeconds)}. Later you can ask for a new one where you log in.`,
    'If you know nothing of this, you can ignore this e-mail.'
  ])
}

/** Tells a client that the second factor of the account is gone. */
export function twoFactorResetEmail(): EmailContent {
  return composeEmail('Two-factor authentication is off', [
    'Our support team has turned two-factor authentication off for your support account. Whoever was logged in has been logged out, and your password alone logs you in again.',
    'Please log in and set two-factor authentication up anew.',
    'If you did not ask for this, choose a new password and tell our support team at once.'
  ])
}

/** The e-mail with the code that proves an e-mail address. */
export function verificationCodeEmail({
  code,
  expiresInSeconds
}: {
  code: string
  expiresInSeconds: number
}): EmailContent {
  return composeEmail('Your verification code', [
    'Enter this code to verify your e-mail address:',
    { code },
    `The code works once, within ${inWords(expiresInSeconds)}.`,
    'If you did not ask for it, you can ignore this e-mail. Never give the code to anybody else.'
  ])
}

/** The text with the code that proves a phone number. Short enough for a single SMS. */
export function phoneCodeText({ code, expiresInSeconds }: { code: string; expiresInSeconds: number }): TextContent {
  return {
    text: `Your support verification code is ${code}. It works once, within ${inWords(expiresInSeconds)}. Never give it to anybody else.`
  }
}

/** What is quoted is not ours: every line of it is marked as such. */
type Paragraph = string | { link: string } | { code: string } | { quote: string }

/** An e-mail of these paragraphs, as plain text and as HTML. */
export function composeEmail(subject: string, paragraphs: Paragraph[]): EmailContent {
  const text = paragraphs.map(paragraph => (typeof paragraph === 'string' ? wrapped(paragraph) : plain(paragraph)))
  const body = paragraphs.map(paragraph =>
    typeof paragraph === 'string' ? `<p>${escaped(paragraph)}</p>` : rich(paragraph)
  )
  return {
    subject,
    text: `${text.join('\n\n')}\n`,
    html: [
      '<!doctype html>',
      '<html lang="en">',
      `<head><meta charset="utf-8"><title>${escaped(subject)}</title></head>`,
      '<body style="font-family: sans-serif; line-height: 1.5; max-width: 40em">',
      ...body,
      '</body>',
      '</html>',
      ''
    ].join('\n')
  }
}

function plain(paragraph: Exclude<Paragraph, string>): string {
  if ('quote' in paragraph) return paragraph.quote.replace(/^/gm, '> ')
  return 'link' in paragraph ? paragraph.link : `    ${paragraph.code}`
}

function rich(paragraph: Exclude<Paragraph, string>): string {
  if ('quote' in paragraph) return `<blockquote style="white-space: pre-wrap">${escaped(paragraph.quote)}</blockquote>`
  if ('link' in paragraph) return `<p><a href="${escaped(paragraph.link)}">${escaped(paragraph.link)}</a></p>`
  return `<p><strong style="font-size: 1.6em; letter-spacing: 0.1em">${escaped(paragraph.code)}</strong></p>`
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, sign => `&#${sign.charCodeAt(0)};`)
}

/** In lines of 72 characters, as plain e-mails are written. */
function wrapped(text: string): string {
  return text.replace(/(?=.{73})(.{1,72}) /g, '$1\n')
}

/** A round number of days or hours, else of minutes. */
export function inWords(seconds: number): string {
  const [count, unit] = countOf(seconds)
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

function countOf(seconds: number): [number, string] {
  if (seconds % 86_400 === 0) return [seconds / 86_400, 'day']
  return seconds % 3600 === 0 ? [seconds / 3600, 'hour'] : [Math.ceil(seconds / 60), 'minute']
}
