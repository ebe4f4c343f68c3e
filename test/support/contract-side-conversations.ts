import { type ContractRow, row } from './contract-row.ts'

const readers = ['tickets.view_all', 'tickets.reply', 'tickets.edit_status', 'tickets.delete']

/** The rows of side conversations, and of what undoes a split. */
export const sideConversationRows: readonly ContractRow[] = [
  row('/api/admin/tickets/unsplit', ['/api/admin/tickets/:id/unsplit'], ['tickets.edit_status'], ['id']),
  row(
    '/api/admin/tickets/forward',
    ['/api/admin/tickets/:id/forward'],
    ['tickets.reply'],
    ['id', 'to', 'subject', 'message']
  ),
  row('/api/admin/tickets/conversations/list', ['/api/admin/tickets/:id/conversations'], readers, ['id']),
  row('/api/admin/tickets/conversations/detail', [], readers, ['id']),
  row('/api/admin/tickets/conversations/reply', [], ['tickets.reply'], ['id', 'message']),
  row('/api/admin/tickets/conversations/update', [], ['tickets.reply'], ['id']),
  row('/api/admin/tickets/conversations/undo', [], ['tickets.reply'], ['id', 'side_message_id']),
  row('/api/admin/tickets/conversations/send', [], ['tickets.reply'], ['id', 'side_message_id']),
  row(
    '/api/admin/tickets/forward/preview',
    ['/api/admin/tickets/:id/forward/preview'],
    ['tickets.reply'],
    ['id', 'to', 'subject', 'message']
  )
]
