import { type ContractRow, row } from './contract-row.ts'

/** Ticket forms, for admins, and as they are filled in. */
export const formRows: readonly ContractRow[] = [
  row('/api/admin/ticket-forms/list', ['/api/admin/ticket-forms'], 'admin'),
  row(
    '/api/admin/ticket-forms/detail',
    ['/api/admin/ticket-forms/:id', '/api/admin/ticket-forms/:id/detail'],
    'admin',
    ['id']
  ),
  row('/api/admin/ticket-forms/create', [], 'admin', ['name', 'items']),
  row('/api/admin/ticket-forms/update', ['/api/admin/ticket-forms/:id/update'], 'admin', ['id']),
  row('/api/admin/ticket-forms/archive', ['/api/admin/ticket-forms/:id/archive'], 'admin', ['id']),
  row('/api/admin/ticket-forms/unarchive', ['/api/admin/ticket-forms/:id/unarchive'], 'admin', ['id']),
  row('/api/admin/ticket-forms/delete', ['/api/admin/ticket-forms/:id/delete'], 'admin', ['id']),
  row('/api/ticket-forms', [], 'optional', ['deptid'])
]
