/** The e-mail about a mailbox that does not work, or works again; see `email-templates.ts`. */
export const mailboxTemplate = {
  group: 'staff',
  description: 'To administrators when a connected mailbox has not worked for five minutes, and when it works again',
  placeholders: {
    'mailbox.address': { kind: 'text', description: 'The address of the mailbox' },
    'mailbox.error': { kind: 'text', description: 'What is wrong with it' },
    'mailbox.link': { kind: 'link', description: 'The page of the mailbox', isRequired: true }
  },
  conditions: { broken: 'The mailbox does not work', working: 'The mailbox works again' }
} as const
