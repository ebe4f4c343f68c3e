// E-mails about accounts contain nothing that an unverified person has typed, not even names: otherwise somebody who signs up with another
// person's address could send them a text of their own in our name. That is why these templates have so few placeholders.
export const resetLink = {
  'reset.link': { kind: 'link', description: 'The link to choose a password', isRequired: true, isSecret: true },
  'reset.valid_for': { kind: 'duration', description: 'How long the link works' }
} as const
export const takeBackLink = {
  'reset.link': {
    kind: 'link',
    description: 'The link that sets a password and makes this the address of the account again',
    isSecret: true
  },
  'reset.valid_for': { kind: 'duration', description: 'How long the link works' }
} as const
export const takeBackCondition = { returnable: 'The reader had verified the address, and can take the account back' }
