/** Who may call, as the contract's Summary has it; `required` narrowed for staff by decision 27. */
export type Auth =
  | 'none'
  | 'optional'
  | 'required'
  | 'clients'
  | 'admin'
  | readonly string[]
  | { clients: true; or: string }

export interface Documented {
  path: string
  aliases: readonly string[]
  auth: Auth
  /** The names that a body without fields lacks. */
  required: readonly string[]
}

/** The contract's Summary, in its order, with the fields that each endpoint requires. */
export const summary: readonly Documented[] = [
  row('/api/check', [], 'none'),
  row('/api/auth/signup', [], 'none', ['first_name', 'last_name', 'email', 'password']),
  row('/api/auth/login', [], 'none', ['email', 'password']),
  row('/api/auth/2fa/verify-login', [], 'none', ['temp_token', 'code']),
  row('/api/auth/2fa/setup', [], 'required'),
  row('/api/auth/2fa/enable', [], 'required', ['secret', 'code']),
  row('/api/auth/2fa/disable', [], 'required', ['password', 'code']),
  row('/api/auth/refresh', [], 'none', ['refresh_token']),
  row('/api/auth/logout', [], 'optional'),
  row('/api/auth/forgot-password', ['/api/auth/forget-password'], 'none', ['email']),
  row('/api/auth/verify-reset-token', [], 'none', ['token']),
  row('/api/auth/reset-password', [], 'none', ['token', 'new_password']),
  row('/api/auth/send-email-verification', [], 'optional', ['email']),
  row('/api/auth/verify-email', [], 'optional', ['email', 'code']),
  row('/api/auth/send-phone-verification', [], 'optional', ['phone_number']),
  row('/api/auth/verify-phone', [], 'optional', ['phone_number', 'code']),
  row('/api/departments', ['/api/departments/list'], 'none'),
  row('/api/tickets/create', ['/api/tickets'], 'clients', ['department_id', 'subject', 'message']),
  row('/api/tickets/list', ['/api/tickets'], 'required'),
  row('/api/tickets/detail', ['/api/tickets/:id', '/api/tickets/:id/detail'], 'required', ['id']),
  row('/api/tickets/reply', ['/api/tickets/:id/reply'], { clients: true, or: 'tickets.reply' }, ['id', 'message']),
  row('/api/tickets/status', ['/api/tickets/:id/status'], { clients: true, or: 'tickets.edit_status' }, [
    'id',
    'status'
  ]),
  row('/api/user/checkUserByEmail', ['/api/user/check-by-email'], 'none', ['email']),
  row('/api/admin/auth/login', ['/api/admin/login'], 'none', ['email', 'password']),
  row('/api/admin/permissions', [], ['staff.view', 'staff.manage']),
  row('/api/admin/staff/list', ['/api/admin/staff'], ['staff.view', 'staff.manage']),
  row('/api/admin/staff/create', ['/api/admin/staff'], 'admin', ['first_name', 'last_name', 'email', 'password']),
  row('/api/admin/staff/detail', ['/api/admin/staff/:id', '/api/admin/staff/:id/detail'], ['staff.view'], ['id']),
  row('/api/admin/staff/update', ['/api/admin/staff/:id/update'], 'admin', ['id']),
  row('/api/admin/staff/permissions', ['/api/admin/staff/:id/permissions'], 'admin', ['id', 'permissions']),
  row('/api/admin/staff/delete', ['/api/admin/staff/:id/delete'], 'admin', ['id']),
  row('/api/admin/clients/list', ['/api/admin/clients'], ['clients.view']),
  row('/api/admin/clients/detail', ['/api/admin/clients/:id'], ['clients.view'], ['id'])
]

const anyTicketPermission = ['tickets.view_all', 'tickets.reply', 'tickets.edit_status', 'tickets.delete']

/** What Deskline has beyond the contract. */
export const beyond: readonly Documented[] = [
  row('/api/tickets/attachment-link', [], 'required', ['id']),
  row('/api/admin/tickets/list', ['/api/admin/tickets'], anyTicketPermission),
  row('/api/admin/tickets/detail', ['/api/admin/tickets/:id', '/api/admin/tickets/:id/detail'], anyTicketPermission, [
    'id'
  ]),
  row('/api/admin/tickets/counts', [], anyTicketPermission),
  row('/api/admin/audit/list', ['/api/admin/audit'], 'admin')
]

export const documented: readonly Documented[] = [...summary, ...beyond]

function row(path: string, aliases: readonly string[], auth: Auth, required: readonly string[] = []): Documented {
  return { path, aliases, auth, required }
}
