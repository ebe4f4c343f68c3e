import { type ContractRow, row } from './contract-row.ts'

/** The rows of rules and of what they did. */
export const ruleRows: readonly ContractRow[] = [
  row('/api/admin/rules/list', ['/api/admin/rules'], 'admin'),
  row('/api/admin/rules/detail', ['/api/admin/rules/:id', '/api/admin/rules/:id/detail'], 'admin', ['id']),
  row('/api/admin/rules/create', [], 'admin', ['name', 'trigger', 'actions']),
  row('/api/admin/rules/update', ['/api/admin/rules/:id/update'], 'admin', ['id']),
  row('/api/admin/rules/pause', ['/api/admin/rules/:id/pause'], 'admin', ['id']),
  row('/api/admin/rules/resume', ['/api/admin/rules/:id/resume'], 'admin', ['id']),
  row('/api/admin/rules/delete', ['/api/admin/rules/:id/delete'], 'admin', ['id']),
  row('/api/admin/rules/reorder', [], 'admin', ['ids']),
  row('/api/admin/rules/test', [], 'admin', ['rule_id', 'ticket_id']),
  row('/api/admin/rules/impact', [], 'admin', ['rule_id']),
  row('/api/admin/rules/run-again', [], 'admin', ['run_id']),
  row('/api/admin/rules/runs', [], 'admin'),
  row('/api/admin/rules/versions', ['/api/admin/rules/:id/versions'], 'admin', ['id']),
  row('/api/admin/rules/templates/list', ['/api/admin/rules/templates'], 'admin'),
  row(
    '/api/admin/tickets/automation',
    ['/api/admin/tickets/:id/automation'],
    ['tickets.view_all', 'tickets.reply', 'tickets.edit_status', 'tickets.delete'],
    ['id']
  ),
  row(
    '/api/admin/tickets/timers/delete',
    ['/api/admin/tickets/:id/timers/delete'],
    ['tickets.edit_status'],
    ['id', 'rule_id']
  )
]
