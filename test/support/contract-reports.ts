import { type ContractRow, row } from './contract-row.ts'

const tickets = ['tickets.view_all', 'tickets.reply', 'tickets.edit_status', 'tickets.delete'] as const
const names = ['volume', 'first-response', 'resolution', 'backlog', 'sla', 'csat', 'agents']

/** The rows of reports. */
export const reportRows: readonly ContractRow[] = [
  ...names.map(name => row(`/api/admin/reports/${name}`, [], tickets, ['from', 'to'])),
  row('/api/admin/reports/tickets', [], tickets, ['figure', 'from', 'to']),
  row('/api/admin/reports/definitions', [], tickets),
  row('/api/admin/reports/wall', [], tickets)
]
