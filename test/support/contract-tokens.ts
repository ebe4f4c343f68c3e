import { type ContractRow, row } from './contract-row.ts'

/** The rows of API tokens. */
export const tokenRows: readonly ContractRow[] = [
  row('/api/account/tokens/list', [], 'required'),
  row('/api/account/tokens/create', [], 'required', ['name']),
  row('/api/account/tokens/rename', [], 'required', ['id', 'name']),
  row('/api/account/tokens/replace', [], 'required', ['id']),
  row('/api/account/tokens/revoke', [], 'required', ['id']),
  row('/api/admin/service-accounts/list', ['/api/admin/service-accounts'], 'admin'),
  row(
    '/api/admin/service-accounts/detail',
    ['/api/admin/service-accounts/:id', '/api/admin/service-accounts/:id/detail'],
    'admin',
    ['id']
  ),
  row('/api/admin/service-accounts/calls/list', ['/api/admin/service-accounts/:id/calls'], 'admin', ['id']),
  row('/api/admin/service-accounts/create', [], 'admin', ['name']),
  row('/api/admin/service-accounts/update', ['/api/admin/service-accounts/:id/update'], 'admin', ['id']),
  row('/api/admin/service-accounts/delete', ['/api/admin/service-accounts/:id/delete'], 'admin', ['id']),
  row('/api/admin/service-accounts/tokens/create', [], 'admin', ['id', 'name']),
  row('/api/admin/service-accounts/tokens/replace', [], 'admin', ['id']),
  row('/api/admin/tokens/list', ['/api/admin/tokens'], 'admin'),
  row('/api/admin/tokens/revoke', ['/api/admin/tokens/:id/revoke'], 'admin', ['id'])
]
