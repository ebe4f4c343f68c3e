import { composeEmail, type EmailContent } from './account-emails.ts'

/** The e-mail to the owner of an account of which somebody knows the password and tries second factors. */
export function wrongFactorsEmail(): EmailContent {
  return composeEmail('Somebody knows your password', [
    'Somebody has given the right password of your account at the support desk today, and then several wrong authenticator codes. They were not let in.',
    'If it was you, you need not do anything.',
    'If not, choose a new password at once by "forgot password", and nowhere use the former one again.'
  ])
}
