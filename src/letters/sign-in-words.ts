import { type LetterContent, letter } from './words.ts'

/** The letter to the owner of an account whose password somebody knows, who guesses at the second factor. */
export function wrongFactorsLetter(): LetterContent {
  return letter('Somebody knows your password', [
    'Somebody has given the right password of your account at the support desk today, and then several wrong authenticator codes. They were not let in.',
    'If it was you, you need not do anything.',
    'If not, choose a new password at once by "forgot password", and nowhere use the former one again.'
  ])
}
