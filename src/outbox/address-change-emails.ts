import { composeEmail, type EmailContent, inWords } from './account-emails.ts'

/** The e-mail to the former address of a client to whom staff have given another, which it does not name. */
export function confirmAddressChangeEmail(confirmation: { link: string; expiresInSeconds: number }): EmailContent {
  return composeEmail('Your e-mail address was changed', [
    'Our support team has changed the e-mail address of your support account just now. Whoever was logged in has been logged out, and e-mails about the account no longer come here.',
    'If you asked for it, open this link and confirm it. Until then nobody can choose a new password by e-mail.',
    { link: confirmation.link },
    `The link works once, within ${inWords(confirmation.expiresInSeconds)}. Later our support team can confirm the address.`,
    'If you did not ask for it, do not confirm it, and tell our support team at once.'
  ])
}

/** The e-mail to both addresses of a client once an admin vouches for the new one. Staff alone choose what admins are called. */
export function addressChangeConfirmedEmail(admin: { firstName: string; lastName: string }): EmailContent {
  const name = `${admin.firstName} ${admin.lastName}`.replaceAll(/[\s\p{Cc}]+/gu, ' ')
  return composeEmail('Your e-mail address was changed', [
    `${name}, an administrator of our support team, has confirmed that your support account has a new e-mail address.`,
    'E-mails about the account, and links to choose a new password, go to the new address alone.',
    'If you did not ask for it, tell our support team at once.'
  ])
}
