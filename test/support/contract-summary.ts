import { formRows } from './contract-forms.ts'
import { knowledgeBaseRows } from './contract-knowledge-base.ts'
import { macroRows } from './contract-macros.ts'
import { mailRows } from './contract-mail.ts'
import { mailboxRows } from './contract-mailboxes.ts'
import { reportRows } from './contract-reports.ts'
import { type ContractRow, row } from './contract-row.ts'
import { ruleRows } from './contract-rules.ts'
import { sideConversationRows } from './contract-side-conversations.ts'
import { signOnRows } from './contract-sign-on.ts'
import { tokenRows } from './contract-tokens.ts'

/** The rows of the contract's Summary, in its order, with the required fields of each endpoint. */
export const contractSummary: readonly ContractRow[] = [
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
export const furtherEndpoints: readonly ContractRow[] = [
  row('/api/tickets/attachment-link', [], 'required', ['id']),
  row('/api/admin/tickets/list', ['/api/admin/tickets'], anyTicketPermission),
  row('/api/admin/tickets/detail', ['/api/admin/tickets/:id', '/api/admin/tickets/:id/detail'], anyTicketPermission, [
    'id'
  ]),
  row('/api/admin/tickets/sla', ['/api/admin/tickets/:id/sla'], anyTicketPermission, ['id']),
  row('/api/admin/tickets/counts', [], anyTicketPermission),
  row('/api/admin/tickets/create', [], ['tickets.reply'], ['client_id', 'department_id', 'subject', 'message']),
  row('/api/admin/tickets/reply', ['/api/admin/tickets/:id/reply'], ['tickets.reply'], ['id', 'message']),
  ...['undo', 'send'].map(name => {
    const [path, alias] = [`/api/admin/tickets/reply/${name}`, `/api/admin/tickets/:id/reply/${name}`]
    return row(path, [alias], ['tickets.reply'], ['id', 'message_id'])
  }),
  row('/api/admin/tickets/reply/waiting', [], ['tickets.reply']),
  ...['draft', 'draft/save', 'draft/delete', 'recipients'].map(name =>
    row(`/api/admin/tickets/${name}`, [`/api/admin/tickets/:id/${name}`], ['tickets.reply'], ['id'])
  ),
  row('/api/admin/tickets/draft/take', ['/api/admin/tickets/:id/draft/take'], ['tickets.reply'], ['id', 'staff_id']),
  row('/api/account/signature', [], ['tickets.reply']),
  row('/api/account/signature/update', [], ['tickets.reply'], ['texts']),
  row('/api/admin/tickets/note', ['/api/admin/tickets/:id/note'], ['tickets.reply'], ['id', 'note']),
  row('/api/admin/tickets/status', ['/api/admin/tickets/:id/status'], ['tickets.edit_status'], ['id', 'status']),
  row('/api/admin/tickets/update', ['/api/admin/tickets/:id/update'], ['tickets.edit_status'], ['id']),
  row('/api/admin/tickets/assign', ['/api/admin/tickets/:id/assign'], ['tickets.reply', 'tickets.edit_status'], ['id']),
  row('/api/admin/tickets/tags', ['/api/admin/tickets/:id/tags'], ['tickets.reply'], ['id']),
  row('/api/admin/tickets/merge', ['/api/admin/tickets/:id/merge'], ['tickets.edit_status'], ['id', 'into_id']),
  row('/api/admin/tickets/unmerge', ['/api/admin/tickets/:id/unmerge'], ['tickets.edit_status'], ['id']),
  ...['link', 'unlink'].map(name => {
    const [path, alias] = [`/api/admin/tickets/${name}`, `/api/admin/tickets/:id/${name}`]
    return row(path, [alias], ['tickets.edit_status'], ['id', 'other_id', 'kind'])
  }),
  row(
    '/api/admin/tickets/split',
    ['/api/admin/tickets/:id/split'],
    ['tickets.edit_status'],
    ['id', 'message_ids', 'subject']
  ),
  ...sideConversationRows,
  ...knowledgeBaseRows,
  row('/api/admin/tickets/bulk', [], ['tickets.reply', 'tickets.edit_status', 'tickets.delete'], ['ids', 'action']),
  ...['snooze', 'unsnooze'].map(name => {
    const [path, alias] = [`/api/admin/tickets/${name}`, `/api/admin/tickets/:id/${name}`]
    return row(path, [alias], ['tickets.reply', 'tickets.edit_status'], ['id'])
  }),
  row('/api/admin/tickets/next', [], ['tickets.reply']),
  row('/api/admin/tickets/undelivered/dismiss', [], ['tickets.reply'], ['id']),
  row('/api/admin/tickets/emails/turn-on', [], ['clients.edit'], ['id']),
  row('/api/admin/colleagues/list', ['/api/admin/colleagues'], ['tickets.edit_status']),
  row('/api/admin/clients/picker', [], ['tickets.reply'], ['search']),
  row('/api/admin/tickets/undo', ['/api/admin/tickets/:id/undo'], ['tickets.reply', 'tickets.edit_status'], ['id']),
  row('/api/admin/tickets/watch', ['/api/admin/tickets/:id/watch'], anyTicketPermission, ['id']),
  row(
    '/api/admin/tickets/followers/list',
    ['/api/admin/tickets/followers', '/api/admin/tickets/:id/followers'],
    anyTicketPermission,
    ['id']
  ),
  row('/api/admin/tickets/followers/add', ['/api/admin/tickets/:id/followers/add'], ['tickets.reply'], ['id', 'email']),
  row(
    '/api/admin/tickets/followers/remove',
    ['/api/admin/tickets/:id/followers/remove'],
    ['tickets.reply'],
    ['id', 'follower_id']
  ),
  row('/api/tickets/followers/list', ['/api/tickets/followers', '/api/tickets/:id/followers'], 'required', ['id']),
  row('/api/tickets/followers/remove', ['/api/tickets/:id/followers/remove'], 'required', ['id', 'follower_id']),
  row('/api/admin/clients/deliverability', ['/api/admin/clients/:id/deliverability'], ['clients.view'], ['id']),
  row('/api/admin/clients/deliver-again', ['/api/admin/clients/:id/deliver-again'], ['clients.edit'], ['id']),
  row('/api/admin/tickets/read', ['/api/admin/tickets/:id/read'], anyTicketPermission, ['id', 'last_message_id']),
  row('/api/admin/tickets/delete', ['/api/admin/tickets/:id/delete'], ['tickets.delete'], ['id']),
  row('/api/admin/tickets/restore', ['/api/admin/tickets/:id/restore'], ['tickets.delete'], ['id']),
  row('/api/admin/tickets/purge', ['/api/admin/tickets/:id/purge'], 'admin', ['id', 'ticket_number']),
  row('/api/admin/views/list', ['/api/admin/views'], anyTicketPermission),
  row('/api/admin/views/create', [], anyTicketPermission, ['name', 'query']),
  row('/api/admin/views/update', ['/api/admin/views/:id/update'], anyTicketPermission, ['id']),
  row('/api/admin/views/delete', ['/api/admin/views/:id/delete'], anyTicketPermission, ['id']),
  row('/api/account/profile', [], 'required'),
  row('/api/account/profile/update', [], 'required'),
  row('/api/account/password', [], 'required', ['current_password', 'new_password']),
  row('/api/account/sessions', [], 'required'),
  row('/api/account/sessions/revoke', [], 'required', ['id', 'others']),
  row('/api/account/2fa/recovery-codes', [], 'required', ['password', 'code']),
  row('/api/admin/auth/forgot-password', [], 'none', ['email']),
  row('/api/admin/auth/reset-password', [], 'none', ['token', 'new_password']),
  row('/api/admin/settings/detail', ['/api/admin/settings'], 'admin'),
  row('/api/admin/settings/update', [], 'admin'),
  row('/api/admin/settings/logo', [], 'admin', ['logo']),
  row('/api/admin/settings/logo/delete', [], 'admin'),
  row('/api/admin/email-templates/list', ['/api/admin/email-templates'], 'admin'),
  row('/api/admin/email-templates/detail', [], 'admin', ['name', 'language']),
  row('/api/admin/email-templates/update', [], 'admin', ['name', 'language', 'subject', 'text']),
  row('/api/admin/email-templates/reset', [], 'admin', ['name', 'language']),
  row('/api/admin/email-templates/preview', [], 'admin', ['name', 'language']),
  row('/api/admin/email-templates/test', [], 'admin', ['name', 'language']),
  row('/api/desk', [], 'none'),
  row('/api/admin/clients/create', [], ['clients.create'], ['first_name', 'last_name', 'email']),
  row('/api/admin/clients/update', ['/api/admin/clients/:id/update'], ['clients.edit'], ['id']),
  row(
    '/api/admin/clients/send_reset',
    ['/api/admin/clients/send-reset', '/api/admin/clients/:id/send_reset'],
    ['clients.edit'],
    ['id']
  ),
  row('/api/admin/clients/confirm-email', ['/api/admin/clients/:id/confirm-email'], 'admin', ['id', 'email']),
  row('/api/auth/confirm-email-change', [], 'none', ['token']),
  row('/api/admin/clients/reset_2fa', ['/api/admin/clients/reset-2fa', '/api/admin/clients/:id/reset_2fa'], 'admin', [
    'id',
    'reason'
  ]),
  row(
    '/api/admin/clients/delete',
    ['/api/admin/clients/:id/delete'],
    ['clients.delete'],
    ['id', 'mode', 'confirm_email']
  ),
  row('/api/admin/clients/export', ['/api/admin/clients/:id/export'], ['clients.edit'], ['id']),
  row('/api/admin/departments/list', ['/api/admin/departments'], ['departments.view', 'departments.manage']),
  row(
    '/api/admin/departments/detail',
    ['/api/admin/departments/:id', '/api/admin/departments/:id/detail'],
    ['departments.view', 'departments.manage'],
    ['id']
  ),
  row('/api/admin/departments/create', [], ['departments.manage'], ['name']),
  row('/api/admin/departments/update', ['/api/admin/departments/:id/update'], ['departments.manage'], ['id']),
  row('/api/admin/departments/delete', ['/api/admin/departments/:id/delete'], ['departments.manage'], ['id']),
  row('/api/admin/departments/members', ['/api/admin/departments/:id/members'], ['departments.manage'], ['id']),
  row('/api/admin/organisations/list', ['/api/admin/organisations'], 'admin'),
  row(
    '/api/admin/organisations/detail',
    ['/api/admin/organisations/:id', '/api/admin/organisations/:id/detail'],
    'admin',
    ['id']
  ),
  row('/api/admin/organisations/joiners', [], 'admin', ['domains']),
  row('/api/admin/organisations/create', [], 'admin', ['name']),
  ...['update', 'archive', 'unarchive', 'delete'].map(verb =>
    row(`/api/admin/organisations/${verb}`, [`/api/admin/organisations/:id/${verb}`], 'admin', ['id'])
  ),
  row('/api/admin/organisations/merge', ['/api/admin/organisations/:id/merge'], 'admin', [
    'id',
    'into_id',
    'confirm_name'
  ]),
  row('/api/account/organisation', [], 'clients'),
  row('/api/tickets/follow', ['/api/tickets/:id/follow'], 'clients', ['id']),
  row('/api/admin/tags/list', ['/api/admin/tags'], anyTicketPermission),
  row('/api/admin/tags/create', [], ['tickets.reply', 'tickets.edit_status'], ['name']),
  row('/api/admin/tags/update', ['/api/admin/tags/:id/update'], ['tickets.edit_status'], ['id']),
  row('/api/admin/tags/merge', ['/api/admin/tags/:id/merge'], ['tickets.edit_status'], ['id', 'into_id']),
  row('/api/admin/tags/delete', ['/api/admin/tags/:id/delete'], ['tickets.edit_status'], ['id']),
  row('/api/admin/canned-replies/list', ['/api/admin/canned-replies'], ['tickets.reply', 'tickets.edit_status']),
  row('/api/admin/canned-replies/create', [], ['tickets.reply', 'tickets.edit_status'], ['title', 'text']),
  row(
    '/api/admin/canned-replies/update',
    ['/api/admin/canned-replies/:id/update'],
    ['tickets.reply', 'tickets.edit_status'],
    ['id']
  ),
  row(
    '/api/admin/canned-replies/delete',
    ['/api/admin/canned-replies/:id/delete'],
    ['tickets.reply', 'tickets.edit_status'],
    ['id']
  ),
  row(
    '/api/admin/canned-replies/render',
    ['/api/admin/canned-replies/:id/render'],
    ['tickets.reply'],
    ['id', 'ticket_id']
  ),
  row('/api/admin/fields/list', ['/api/admin/fields'], 'staff'),
  row('/api/admin/fields/create', [], 'admin', ['key', 'label', 'kind']),
  row('/api/admin/fields/update', ['/api/admin/fields/:id/update'], 'admin', ['id']),
  row('/api/admin/fields/archive', ['/api/admin/fields/:id/archive'], 'admin', ['id']),
  row('/api/admin/fields/unarchive', ['/api/admin/fields/:id/unarchive'], 'admin', ['id']),
  row('/api/admin/fields/delete', ['/api/admin/fields/:id/delete'], 'admin', ['id']),
  row('/api/admin/fields/uses', ['/api/admin/fields/:id/uses'], 'admin', ['id']),
  row('/api/tickets/fields', ['/api/tickets/:id/fields'], 'clients', ['id', 'fields']),
  row('/api/admin/sla-policies/list', ['/api/admin/sla-policies'], 'admin'),
  row('/api/admin/sla-policies/recomputation', [], 'admin'),
  row(
    '/api/admin/sla-policies/detail',
    ['/api/admin/sla-policies/:id', '/api/admin/sla-policies/:id/detail'],
    'admin',
    ['id']
  ),
  row('/api/admin/sla-policies/create', [], 'admin', ['name', 'targets']),
  row('/api/admin/sla-policies/update', ['/api/admin/sla-policies/:id/update'], 'admin', ['id']),
  row('/api/admin/sla-policies/archive', ['/api/admin/sla-policies/:id/archive'], 'admin', ['id']),
  row('/api/admin/sla-policies/unarchive', ['/api/admin/sla-policies/:id/unarchive'], 'admin', ['id']),
  row('/api/admin/sla-policies/delete', ['/api/admin/sla-policies/:id/delete'], 'admin', ['id']),
  row('/api/admin/sla-policies/reorder', [], 'admin', ['ids']),
  row('/api/admin/sla-policies/impact', ['/api/admin/sla-policies/:id/impact'], 'admin'),
  row('/api/admin/sla-clocks/list', ['/api/admin/sla-clocks'], anyTicketPermission),
  ...formRows,
  ...reportRows,
  ...ruleRows,
  ...tokenRows,
  row('/api/admin/audit/list', ['/api/admin/audit'], 'admin'),
  row('/api/admin/audit/verify', [], 'admin'),
  row('/api/admin/audit/export', [], 'admin'),
  ...mailRows,
  row('/api/admin/webhooks/list', ['/api/admin/webhooks'], 'admin'),
  row('/api/admin/webhooks/create', [], 'admin', ['url']),
  row('/api/admin/webhooks/detail', ['/api/admin/webhooks/:id', '/api/admin/webhooks/:id/detail'], 'admin', ['id']),
  row('/api/admin/webhooks/update', ['/api/admin/webhooks/:id/update'], 'admin', ['id']),
  row('/api/admin/webhooks/delete', ['/api/admin/webhooks/:id/delete'], 'admin', ['id']),
  row('/api/admin/webhooks/test', ['/api/admin/webhooks/:id/test'], 'admin', ['id']),
  row('/api/admin/webhooks/rotate', ['/api/admin/webhooks/:id/rotate'], 'admin', ['id']),
  row('/api/admin/webhooks/deliveries/list', ['/api/admin/webhooks/deliveries'], 'admin', ['webhook_id']),
  row('/api/admin/webhooks/deliveries/detail', ['/api/admin/webhooks/deliveries/:id/detail'], 'admin', ['id']),
  row('/api/admin/webhooks/deliveries/replay', ['/api/admin/webhooks/deliveries/:id/replay'], 'admin', ['id']),
  ...mailboxRows,
  ...signOnRows,
  row('/api/admin/events/list', ['/api/admin/events'], anyTicketPermission),
  row('/api/admin/events/stream', [], [...anyTicketPermission, 'departments.manage']),
  row('/api/events/stream', [], 'clients'),
  row('/api/admin/tickets/presence', ['/api/admin/tickets/:id/presence'], anyTicketPermission, ['id', 'state']),
  ...macroRows,
  row('/api/account/notifications', [], 'required'),
  row('/api/notifications/unsubscribe', [], 'none', ['token']),
  row('/api/tickets/open', [], 'none', ['name', 'email', 'department_id', 'subject', 'message']),
  row('/api/admin/search', [], anyTicketPermission, ['query']),
  row('/api/tickets/search', [], 'clients', ['query']),
  row('/api/admin/config/export', [], 'admin'),
  row('/api/admin/config/import', [], 'admin', ['config']),
  row('/api/admin/calendars/list', ['/api/admin/calendars'], 'staff'),
  row('/api/admin/calendars/detail', ['/api/admin/calendars/:id', '/api/admin/calendars/:id/detail'], 'admin', ['id']),
  row('/api/admin/calendars/create', [], 'admin', ['name', 'time_zone']),
  row('/api/admin/calendars/update', ['/api/admin/calendars/:id/update'], 'admin', ['id']),
  row('/api/admin/calendars/days', ['/api/admin/calendars/:id/days'], 'admin', ['id', 'year', 'days']),
  row('/api/admin/calendars/suggest-days', [], 'admin'),
  row('/api/admin/calendars/archive', ['/api/admin/calendars/:id/archive'], 'admin', ['id']),
  row('/api/admin/calendars/unarchive', ['/api/admin/calendars/:id/unarchive'], 'admin', ['id']),
  row('/api/admin/calendars/delete', ['/api/admin/calendars/:id/delete'], 'admin', ['id']),
  row('/api/admin/calendars/impact', ['/api/admin/calendars/:id/impact'], 'admin', ['id']),
  row('/api/admin/calendars/preview', ['/api/admin/calendars/:id/preview'], 'admin', ['from', 'minutes']),
  row('/api/test/clock', [], 'admin')
]

export const allRows: readonly ContractRow[] = [...contractSummary, ...furtherEndpoints]
