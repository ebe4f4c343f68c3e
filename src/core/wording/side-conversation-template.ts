/** The e-mail to a third party of a side conversation. */
export const sideConversationTemplate = {
  group: 'ticket',
  description: 'To a third party whom staff ask about a ticket, without its client',
  placeholders: {
    'conversation.subject': { kind: 'text', description: 'The subject that staff have given it' },
    messages: { kind: 'answer', description: 'What staff have written, with its files', isRequired: true },
    thread: { kind: 'thread', description: 'What goes along, or was written before' }
  },
  conditions: { answer: 'The reader knows the conversation already' }
} as const
