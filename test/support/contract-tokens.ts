import { type ContractRow, row } from './contract-row.ts'

/** The rows of API tokens. */
export const tokenRows: readonly ContractRow[] = [
  row('/api/account/tokens/list', [], 'required'),
  row('/api/account/tokens/create', [], 'required', ['name']),
  row('/api/account/tokens/revoke', [], 'required', ['id']),
  row('/api/admin/tokens/list', ['/api/admin/tokens'], 'admin'),
  row('/api/admin/tokens/revoke', ['/api/admin/tokens/:id/revoke'], 'admin', ['id'])
]
