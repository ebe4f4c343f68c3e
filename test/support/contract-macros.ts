import { row } from './contract-row.ts'

const any = ['tickets.view_all', 'tickets.reply', 'tickets.edit_status', 'tickets.delete']
const either = ['tickets.reply', 'tickets.edit_status']

/** Macros, and who is away. */
export const macroRows = [
  row('/api/admin/macros/list', ['/api/admin/macros'], any),
  row('/api/admin/macros/create', [], either, ['name']),
  row('/api/admin/macros/update', ['/api/admin/macros/:id/update'], either, ['id']),
  row('/api/admin/macros/delete', ['/api/admin/macros/:id/delete'], either, ['id']),
  row('/api/admin/macros/preview', [], any, ['id', 'macro_id']),
  row('/api/admin/macros/apply', [], any, ['id', 'macro_id']),
  row('/api/account/away', [], 'staff')
]
