import { composeEmail, type EmailContent, inWords } from './account-emails.ts'

// What somebody typed who has proven nothing is not repeated here: it could be written to anybody in our name.

/** The e-mail to somebody with an account, for whose address a ticket was written by a person who had not logged in. */
export function confirmTicketEmail({
  link,
  expiresInSeconds
}: {
  link: string
  expiresInSeconds: number
}): EmailContent {
  return composeEmail('Confirm your ticket', [
    'Somebody, probably you, wrote to our support team without logging in, and gave your e-mail address.',
    'You have an account there. Open this link to see the ticket, and to send it in your name:',
    { link },
    `The link works once, within ${inWords(expiresInSeconds)}.`,
    'If it was not you, you need not do anything: nothing is sent.'
  ])
}
