import { type ContractRow, row } from './contract-row.ts'

/** The rows of held e-mails, of the mail log and of blocked senders. */
export const mailRows: readonly ContractRow[] = [
  row('/api/admin/mail/held/list', ['/api/admin/mail/held'], ['tickets.view_all']),
  row(
    '/api/admin/mail/held/detail',
    ['/api/admin/mail/held/:id', '/api/admin/mail/held/:id/detail'],
    ['tickets.view_all'],
    ['id']
  ),
  row('/api/admin/mail/held/release', ['/api/admin/mail/held/:id/release'], ['tickets.edit_status'], ['id']),
  row('/api/admin/mail/held/delete', [], ['tickets.edit_status'], ['ids']),
  row('/api/admin/mail/held/restore', ['/api/admin/mail/held/:id/restore'], ['tickets.edit_status'], ['id']),
  row('/api/admin/mail/log/list', ['/api/admin/mail/log'], ['tickets.view_all']),
  row(
    '/api/admin/mail/log/detail',
    ['/api/admin/mail/log/:id', '/api/admin/mail/log/:id/detail'],
    ['tickets.view_all'],
    ['id']
  ),
  row('/api/admin/mail/log/raw-link', ['/api/admin/mail/log/:id/raw-link'], ['tickets.view_all'], ['id']),
  row('/api/admin/mail/log/process', ['/api/admin/mail/log/:id/process'], ['tickets.edit_status'], ['id']),
  row('/api/admin/mail/log/send', ['/api/admin/mail/log/:id/send'], ['tickets.edit_status'], ['id']),
  row('/api/admin/mail/log/export', [], ['tickets.view_all']),
  row(
    '/api/admin/tickets/emails',
    ['/api/admin/tickets/:id/emails'],
    ['tickets.view_all', 'tickets.reply', 'tickets.edit_status', 'tickets.delete'],
    ['id']
  ),
  row(
    '/api/admin/mail/original-link',
    [],
    ['tickets.view_all', 'tickets.reply', 'tickets.edit_status', 'tickets.delete'],
    ['id']
  ),
  row(
    '/api/admin/mail/pictures',
    [],
    ['tickets.view_all', 'tickets.reply', 'tickets.edit_status', 'tickets.delete'],
    ['id']
  ),
  row('/api/admin/mail/blocked/list', ['/api/admin/mail/blocked'], ['tickets.view_all']),
  row('/api/admin/mail/blocked/add', [], ['tickets.edit_status'], ['sender']),
  row('/api/admin/mail/blocked/remove', ['/api/admin/mail/blocked/:id/remove'], ['tickets.edit_status'], ['id'])
]
