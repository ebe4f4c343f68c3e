import type { BodyOf } from '@deskline/client'

export type EventKind = NonNullable<BodyOf<'/api/admin/webhooks/create'>['kinds']>[number]

/** All kinds of events, by what they are about. */
const groups = {
  tickets: {
    'ticket.created': true,
    'ticket.replied': true,
    'ticket.status_changed': true,
    'ticket.assigned': true,
    'ticket.noted': true,
    'ticket.tagged': true,
    'ticket.field_changed': true,
    'ticket.updated': true,
    'ticket.merged': true,
    'ticket.unmerged': true,
    'ticket.merge_moved': true,
    'ticket.absorbed': true,
    'ticket.released': true,
    'ticket.linked': true,
    'ticket.unlinked': true,
    'ticket.split': true,
    'ticket.unsplit': true,
    'ticket.follower_added': true,
    'ticket.follower_removed': true,
    'ticket.delivery_changed': true,
    'ticket.snoozed': true,
    'ticket.woken': true,
    'ticket.watched': true,
    'ticket.unwatched': true,
    'ticket.client_emailed': true,
    'ticket.staff_notified': true,
    'ticket.webhook_called': true,
    'conversation.started': true,
    'conversation.replied': true,
    'conversation.received': true,
    'conversation.updated': true,
    'ticket.deleted': true,
    'ticket.restored': true,
    'ticket.purged': true,
    'sla.started': true,
    'sla.paused': true,
    'sla.resumed': true,
    'sla.due_changed': true,
    'sla.warned': true,
    'sla.breached': true,
    'sla.breach_lifted': true,
    'sla.met': true,
    'sla.dropped': true,
    'sla.withdrawn': true,
    'csat.sent': true,
    'csat.voided': true,
    'csat.rated': true
  },
  clients: {
    'client.created': true,
    'client.updated': true,
    'client.deleted': true,
    'client.anonymized': true,
    'client.exported': true,
    'client.reset_sent': true,
    'client.two_factor_reset': true,
    'client.email_confirmed': true,
    'client.address_cleared': true,
    'client.organisation_changed': true,
    'organisation.created': true,
    'organisation.updated': true,
    'organisation.archived': true,
    'organisation.unarchived': true,
    'organisation.deleted': true,
    'organisation.merge_begun': true,
    'organisation.merged': true
  },
  staff: {
    'staff.created': true,
    'staff.updated': true,
    'staff.deleted': true,
    'staff.permissions_set': true,
    'staff.signed_in': true,
    'staff.sign_in_failed': true,
    'staff.locked_out': true
  },
  accounts: {
    'profile.changed': true,
    'password.changed': true,
    'session.revoked': true,
    'sessions.revoked': true,
    'api_token.created': true,
    'api_token.revoked': true,
    'two_factor.enabled': true,
    'two_factor.disabled': true,
    'recovery_codes.made': true,
    'recovery_code.used': true,
    'notifications.changed': true
  },
  mail: {
    'mail.held': true,
    'mail.released': true,
    'mail.discarded': true,
    'mail.restored': true,
    'mail.processed_again': true,
    'mail.sent_again': true,
    'mail.log_exported': true,
    'mail.sender_blocked': true,
    'mail.sender_unblocked': true
  },
  desk: {
    'department.created': true,
    'department.updated': true,
    'department.deletion_begun': true,
    'department.deleted': true,
    'department.members_changed': true,
    'tag.created': true,
    'tag.updated': true,
    'tag.merged': true,
    'tag.deleted': true,
    'canned_reply.created': true,
    'canned_reply.updated': true,
    'canned_reply.deleted': true,
    'macro.created': true,
    'macro.updated': true,
    'macro.deleted': true,
    'view.created': true,
    'view.updated': true,
    'view.deleted': true,
    'sla_policy.created': true,
    'sla_policy.updated': true,
    'sla_policy.archived': true,
    'sla_policy.unarchived': true,
    'sla_policy.deleted': true,
    'sla_policy.reordered': true,
    'field.created': true,
    'field.updated': true,
    'field.archived': true,
    'field.unarchived': true,
    'field.deleted': true,
    'ticket_form.created': true,
    'ticket_form.updated': true,
    'ticket_form.archived': true,
    'ticket_form.unarchived': true,
    'ticket_form.deleted': true,
    'article.created': true,
    'article.updated': true,
    'article.moved': true,
    'article.published': true,
    'article.archived': true,
    'article.unarchived': true,
    'article.deleted': true,
    'article_category.created': true,
    'article_category.updated': true,
    'article_category.deleted': true,
    'rule.created': true,
    'rule.updated': true,
    'rule.deleted': true,
    'rule.reordered': true,
    'rule.paused': true,
    'rule.resumed': true,
    'rule.run_again': true,
    'setting.changed': true,
    'calendar.changed': true,
    'email_template.changed': true,
    'email_template.reset': true,
    'email_template.tested': true,
    'audit.exported': true,
    'mailbox.created': true,
    'mailbox.updated': true,
    'mailbox.deleted': true,
    'mailbox.signed_in': true,
    'webhook.created': true,
    'webhook.updated': true,
    'webhook.deleted': true,
    'webhook.secret_rotated': true,
    'webhook.tested': true,
    'webhook.replayed': true,
    'webhook.disabled': true
  }
} as const

export type KindGroup = keyof typeof groups
type Grouped = { [G in KindGroup]: keyof (typeof groups)[G] }[KindGroup]

// Fails to compile if a kind of the service is in no group, or a group has a kind that the service does not have.
groups satisfies [EventKind, Grouped] extends [Grouped, EventKind] ? object : never

export const kindGroups = Object.entries(groups).map(
  ([group, kinds]) => [group as KindGroup, Object.keys(kinds) as EventKind[]] as const
)

/** The actions by which the audit log can be filtered. A prefix such as `ticket.` matches all of them. */
export const auditActions: string[] = kindGroups.flatMap(([, kinds]) => [
  ...new Set(kinds.map(kind => `${kind.split('.')[0]}.`)),
  ...kinds
])

export const auditTargets = [
  'ticket',
  'client',
  'staff',
  'department',
  'tag',
  'canned_reply',
  'macro',
  'view',
  'sla_policy',
  'rule',
  'setting',
  'audit_log',
  'webhook',
  'mail',
  'mailbox',
  'mail_log',
  'blocked_sender',
  'calendar'
]

export function isEventKind(action: string): action is EventKind {
  return kindGroups.some(([, kinds]) => kinds.some(kind => kind === action))
}
