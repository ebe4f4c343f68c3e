import { type Catalogue, paragraphs } from './wording.ts'

type Warnings =
  | 'password-attempts'
  | 'wrong-factors'
  | 'two-factor-reset'
  | 'passkey-added'
  | 'passkey-blocked'
  | 'new-device'
  | 'token-ends'

/** The English texts that warn people of what happens to their account. */
export const accountWarnings: Pick<Catalogue['emails'], Warnings> = {
  'password-attempts': {
    subject: 'Somebody tries passwords for your account',
    text: paragraphs(
      'Somebody has tried many wrong passwords for your account at the support desk. Nobody got in by that: from where they were tried, no more are taken for some minutes.',
      'If it was you, wait a few minutes, or choose a new password by "forgot password": it logs you in at once.',
      'If it was not you, you need not do anything. Where you have logged in lately you can still log in. A password that you use nowhere else, and two-factor authentication, keep others out.',
      'We tell you this at most once a day.'
    )
  },
  'wrong-factors': {
    subject: 'Somebody knows your password',
    text: paragraphs(
      'Somebody has given the right password of your account at the support desk today, and then several wrong authenticator codes. They were not let in.',
      'If it was you, you need not do anything.',
      'If not, choose a new password at once by "forgot password", and nowhere use the former one again.'
    )
  },
  'two-factor-reset': {
    subject: 'Two-factor authentication is off',
    text: paragraphs(
      'Our support team has turned two-factor authentication off for your support account. Whoever was logged in has been logged out, and your password alone logs you in again.',
      'Please log in and set two-factor authentication up anew.',
      'If you did not ask for this, choose a new password and tell our support team at once.'
    )
  },
  'passkey-added': {
    subject: 'A passkey was added to your account',
    text: paragraphs(
      'A passkey was added to your account at the support desk. Whoever has it signs in without your password.',
      'If it was you, you need not do anything.',
      'If not, sign in, remove the passkey in your account, sign out everywhere else, and choose a new password.'
    )
  },
  'passkey-blocked': {
    subject: 'One of your passkeys is blocked',
    text: paragraphs(
      'Somebody has tried to sign in to your account at the support desk with one of your passkeys, and its counter was lower than before. A copy of the passkey may exist. They were not let in, and this passkey signs nobody in any more.',
      'Sign in another way, remove the passkey in your account, and add a new one.'
    )
  },
  'new-device': {
    subject: 'Your account was signed in to on a new device',
    text: paragraphs(
      'Somebody has just signed in to your account at the support desk on a device on which you had not signed in before.',
      '{{#known_program}}It says it is {{device.browser}} on {{device.system}}.{{/known_program}}',
      'It is in the network {{device.network}}.',
      'If it was you, you need not do anything.',
      'If not, end this session here, and then choose a new password. The link works for {{end.valid_for}}:',
      '{{end.link}}'
    )
  },
  'token-ends': {
    subject: 'An API token ends soon',
    text: paragraphs(
      'The API token at the support desk whose last characters are {{token.last_four}} works for {{token.ends_in}} more. After that the program that uses it is refused.',
      'If it is still needed, make a new one and give it to the program:',
      '{{token.page}}'
    )
  }
}
