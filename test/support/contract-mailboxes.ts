import { row } from './contract-row.ts'

/** Mailboxes that admins connect. */
export const mailboxRows = [
  row('/api/admin/mail/mailboxes/list', ['/api/admin/mail/mailboxes'], 'admin'),
  row('/api/admin/mail/mailboxes/presets', [], 'admin'),
  row('/api/admin/mail/mailboxes/create', [], 'admin', ['name', 'address', 'deptid']),
  row('/api/admin/mail/mailboxes/test', ['/api/admin/mail/mailboxes/:id/test'], 'admin'),
  row('/api/admin/mail/mailboxes/connect', ['/api/admin/mail/mailboxes/:id/connect'], 'admin', ['id']),
  row(
    '/api/admin/mail/mailboxes/detail',
    ['/api/admin/mail/mailboxes/:id', '/api/admin/mail/mailboxes/:id/detail'],
    'admin',
    ['id']
  ),
  row('/api/admin/mail/mailboxes/update', ['/api/admin/mail/mailboxes/:id/update'], 'admin', ['id']),
  row('/api/admin/mail/mailboxes/delete', ['/api/admin/mail/mailboxes/:id/delete'], 'admin', ['id'])
]
