import { composeEmail, type EmailContent } from './account-emails.ts'

/** The one answer to somebody without an account, where the desk takes no e-mails of such. It repeats nothing of what they wrote. */
export function mailRefusedEmail(page: string): EmailContent {
  return composeEmail('Your e-mail was not taken', [
    'Thank you for writing to us. We take e-mails only from people who have an account at our support desk, and have none for this address.',
    'Please open one here, and write to us there:',
    { link: page },
    'If you did not write to us, you need not do anything.'
  ])
}

/** Tells admins that e-mails wait for them, because more come in than is usual. */
export function mailLimitEmail(): EmailContent {
  return composeEmail('Too many e-mails come in', [
    'More e-mails have come in to the support desk within an hour than its settings allow, from one sender, for one ticket or altogether. Those beyond the limit are held until somebody of the staff looks at them; none is lost.',
    'Look at the e-mails that are held. If there is a good reason for so many, raise MAX_MAILS_PER_SENDER, MAX_MAILS_PER_TICKET or MAX_MAILS_AN_HOUR.',
    'We tell you this at most once an hour.'
  ])
}
