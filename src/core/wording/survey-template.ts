/** The e-mail that asks how satisfied a client is; see `email-templates.ts`. */
export const surveyTemplate = {
  group: 'ticket',
  description: 'To a client whose ticket was closed: how satisfied they are',
  placeholders: {
    'ticket.number': { kind: 'text', description: 'The number of the ticket' },
    'ticket.subject': { kind: 'text', description: 'The subject of the ticket' },
    'good.link': {
      kind: 'link',
      words: 'good',
      description: 'The page that asks, with “good” chosen',
      isRequired: true,
      isSecret: true
    },
    'bad.link': {
      kind: 'link',
      words: 'bad',
      description: 'The page that asks, with “bad” chosen',
      isRequired: true,
      isSecret: true
    },
    'stop.link': {
      kind: 'link',
      words: 'stop',
      description: 'The page on which the client says not to be asked again',
      isSecret: true
    }
  },
  conditions: {},
  requiredInSubject: ['ticket.number']
} as const
