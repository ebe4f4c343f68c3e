/** To the owner of an API token that ends soon. */
export const tokenTemplate = {
  group: 'account',
  description: 'To the owner of an API token that ends within two weeks, clients and staff',
  placeholders: {
    'token.last_four': { kind: 'text', description: 'The last four characters of the token', isRequired: true },
    'token.ends_in': { kind: 'duration', description: 'How long it still works' },
    'token.page': { kind: 'link', description: 'The page on which a new one is made' }
  },
  conditions: {}
} as const
