import type { ActorType } from '../tables/columns.ts'

/** The properties of a kind of event. */
interface KindOfEvent {
  /**
   * Who may read it: only admins (`admin`), staff who see the ticket (`staff`), or also its client (`client`).
   * `desk`: staff who see all tickets.
   */
  readers: 'client' | 'staff' | 'desk' | 'admin'
  /** Whether it is in the audit log too; the frequent writes of clients are only in the event log. */
  audited: 'always' | 'by staff' | 'never'
  /** Whether it can cause an e-mail notification: see `notificationForClient` and `notificationsForStaff`. */
  notifies?: true
}

const shared = { readers: 'client', audited: 'always' } as const
const ofTicket = { readers: 'staff', audited: 'always' } as const
const ofOtherTicket = { readers: 'staff', audited: 'never' } as const
const ofMails = { readers: 'desk', audited: 'always' } as const
const administrative = { readers: 'admin', audited: 'always' } as const

/** Every kind of event, for tickets, people, departments and settings alike. */
export const eventKinds = {
  'ticket.created': { readers: 'client', audited: 'by staff', notifies: true },
  'ticket.replied': { readers: 'client', audited: 'by staff', notifies: true },
  'ticket.status_changed': { readers: 'client', audited: 'by staff', notifies: true },
  'ticket.merged': shared,
  'ticket.unmerged': shared,
  'ticket.follower_added': ofTicket,
  'ticket.follower_removed': ofTicket,
  'ticket.assigned': { ...ofTicket, notifies: true },
  'ticket.noted': { ...ofTicket, notifies: true },
  'ticket.tagged': ofTicket,
  'ticket.updated': ofTicket,
  'ticket.watched': ofTicket,
  'ticket.unwatched': ofTicket,
  'ticket.deleted': ofTicket,
  'ticket.restored': ofTicket,
  'ticket.purged': ofTicket,
  // The delivery state of an e-mail with messages of the ticket; the messages show it too.
  'ticket.delivery_changed': { readers: 'staff', audited: 'never' },
  // What merging means for the other tickets.
  'ticket.absorbed': ofOtherTicket,
  'ticket.released': ofOtherTicket,
  'ticket.merge_moved': ofOtherTicket,
  'client.created': administrative,
  'client.updated': administrative,
  'client.deleted': administrative,
  'client.anonymized': administrative,
  'client.exported': administrative,
  'client.reset_sent': administrative,
  'client.two_factor_reset': administrative,
  'client.email_confirmed': administrative,
  'client.address_cleared': administrative,
  'staff.created': administrative,
  'staff.updated': administrative,
  'staff.deleted': administrative,
  'staff.permissions_set': administrative,
  'staff.signed_in': administrative,
  'staff.sign_in_failed': administrative,
  'staff.locked_out': administrative,
  'profile.changed': administrative,
  'password.changed': administrative,
  'session.revoked': administrative,
  'sessions.revoked': administrative,
  'two_factor.enabled': administrative,
  'two_factor.disabled': administrative,
  'recovery_codes.made': administrative,
  'recovery_code.used': administrative,
  'notifications.changed': administrative,
  'department.created': administrative,
  'department.updated': administrative,
  'department.deletion_begun': administrative,
  'department.deleted': administrative,
  'department.members_changed': administrative,
  'tag.created': administrative,
  'tag.updated': administrative,
  'tag.merged': administrative,
  'tag.deleted': administrative,
  'canned_reply.created': administrative,
  'canned_reply.updated': administrative,
  'canned_reply.deleted': administrative,
  'view.created': administrative,
  'view.updated': administrative,
  'view.deleted': administrative,
  'setting.changed': administrative,
  'email_template.changed': administrative,
  'email_template.reset': administrative,
  'email_template.tested': administrative,
  'audit.exported': administrative,
  // The sender is the world, and may write a thousand times.
  'mail.held': { readers: 'desk', audited: 'never' },
  'mail.released': ofMails,
  'mail.discarded': ofMails,
  'mail.restored': ofMails,
  'mail.sender_blocked': ofMails,
  'mail.sender_unblocked': ofMails,
  'webhook.created': administrative,
  'webhook.updated': administrative,
  'webhook.deleted': administrative,
  'webhook.secret_rotated': administrative,
  'webhook.tested': administrative,
  'webhook.replayed': administrative,
  'webhook.disabled': administrative
} as const satisfies Record<string, KindOfEvent>

export type EventKind = keyof typeof eventKinds

/** Whether events of this kind can cause an e-mail notification. */
export function mayNotify(kind: EventKind): boolean {
  return 'notifies' in eventKinds[kind]
}

/** Whether it is in the audit log, for this type of actor. */
export function isAudited(kind: EventKind, actorType: ActorType): boolean {
  const { audited } = eventKinds[kind]
  return audited === 'by staff' ? actorType !== 'client' : audited === 'always'
}
