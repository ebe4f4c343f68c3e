import { type ContractRow, row } from './contract-row.ts'

const tickets = ['tickets.view_all', 'tickets.reply', 'tickets.edit_status', 'tickets.delete'] as const
const names = ['volume', 'first-response', 'resolution', 'backlog', 'sla', 'csat', 'agents']

/** The rows of reports. */
export const reportRows: readonly ContractRow[] = [
  ...names.map(name => row(`/api/admin/reports/${name}`, [], tickets, ['from', 'to'])),
  row('/api/admin/reports/tickets', [], tickets, ['figure', 'from', 'to']),
  row('/api/admin/reports/definitions', [], tickets),
  row('/api/admin/reports/wall', [], tickets),
  row('/api/admin/csat/list', ['/api/admin/csat'], tickets),
  row('/api/csat/show', [], 'none', ['token']),
  row('/api/csat/rate', [], 'none', ['token', 'rating']),
  row('/api/tickets/rate', ['/api/tickets/:id/rate'], 'clients', ['id', 'rating']),
  row('/api/tickets/rating', ['/api/tickets/:id/rating'], 'clients', ['id'])
]
