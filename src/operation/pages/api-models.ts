import type { TSchema } from 'typebox'
import { listAudit } from '../../core/audit/endpoints/admin-audit-list.ts'
import { showDesk } from '../../core/settings/endpoints/desk.ts'
import { DeskSettings } from '../../core/settings/registry.ts'
import { listBlockedSenders } from '../../intake/mailbox/endpoints/admin-mail-blocked-list.ts'
import { listHeldMails } from '../../intake/mailbox/endpoints/admin-mail-held-list.ts'
import { listMailboxes } from '../../intake/mailbox/endpoints/admin-mail-mailboxes-list.ts'
import {
  BlockedSenderView,
  HeldMailDetailView,
  HeldMailView,
  MailClient
} from '../../intake/mailbox/held-mail-schemas.ts'
import { MailboxView, MailChannelView } from '../../intake/mailbox/schemas.ts'
import type { AnyEndpoint } from '../../kit/endpoint.ts'
import { EmailTemplateView, TemplateInList } from '../../mail/email-templates/schemas.ts'
import { deleteClient } from '../../outward/erasure/endpoints/admin-clients-delete.ts'
import { HiddenTickets } from '../../outward/erasure/hidden-tickets.ts'
import { listEvents } from '../../outward/live/endpoints/admin-events-list.ts'
import { StreamedEvent } from '../../outward/live/event-view.ts'
import { PresenceView } from '../../outward/live/presence.ts'
import { listWebhookDeliveries } from '../../outward/webhooks/endpoints/admin-webhooks-deliveries-list.ts'
import { listWebhooks } from '../../outward/webhooks/endpoints/admin-webhooks-list.ts'
import { AttemptView, DeliveryView, WebhookView } from '../../outward/webhooks/schemas.ts'
import { showProfile } from '../../people/account/endpoints/account-profile.ts'
import { listSessions } from '../../people/account/endpoints/account-sessions.ts'
import { UndeliverableView } from '../../people/clients/deliverability.ts'
import { listClients } from '../../people/clients/endpoints/admin-clients-list.ts'
import { pickClient } from '../../people/clients/endpoints/admin-clients-picker.ts'
import { ManagedClientView } from '../../people/clients/managed-client.ts'
import { ClientProfile, ClientUser } from '../../people/clients/views.ts'
import { listManagedDepartments } from '../../people/departments/endpoints/admin-departments-list.ts'
import { departmentMembership } from '../../people/departments/endpoints/admin-departments-members.ts'
import { listDepartments } from '../../people/departments/endpoints/departments.ts'
import { ManagedDepartmentView } from '../../people/departments/managed-department.ts'
import { listPermissions } from '../../people/staff/endpoints/admin-permissions.ts'
import { showStaffMember } from '../../people/staff/endpoints/admin-staff-detail.ts'
import { listStaffMembers } from '../../people/staff/endpoints/admin-staff-list.ts'
import { StaffSummary } from '../../people/staff/schemas.ts'
import { StaffUser } from '../../people/staff/views.ts'
import { CannedReplyView } from '../../tickets/canned/canned-replies.ts'
import { listCannedReplies } from '../../tickets/canned/endpoints/admin-canned-replies-list.ts'
import { ColleagueView } from '../../tickets/desk/colleagues.ts'
import { listColleagues } from '../../tickets/desk/endpoints/admin-colleagues-list.ts'
import { FollowerName, FollowerView } from '../../tickets/followers/schemas.ts'
import { showClient } from '../../tickets/queue/endpoints/admin-clients-detail.ts'
import { countDeskTickets } from '../../tickets/queue/endpoints/admin-tickets-counts.ts'
import { listDeskTickets } from '../../tickets/queue/endpoints/admin-tickets-list.ts'
import { listTickets } from '../../tickets/queue/endpoints/tickets-list.ts'
import { ListedTicket } from '../../tickets/queue/listed-ticket.ts'
import { SavedView } from '../../tickets/queue/saved-views.ts'
import { searchDeskFor } from '../../tickets/search/endpoints/admin-search.ts'
import { searchTickets } from '../../tickets/search/endpoints/tickets-search.ts'
import { DeskResult, OwnResult } from '../../tickets/search/schemas.ts'
import { listTags } from '../../tickets/tags/endpoints/admin-tags-list.ts'
import { CountedTagView } from '../../tickets/tags/tags.ts'
import { showDeskTicket } from '../../tickets/threads/endpoints/admin-tickets-detail.ts'
import { showTicket } from '../../tickets/threads/endpoints/tickets-detail.ts'
import { ClientAccess } from '../../tickets/ticket/client-access.ts'
import { EventView, NoteView, QueueTicket, StaffPerson, ThreadMessage } from '../../tickets/ticket/desk-schemas.ts'
import { AttachmentView, MessageView } from '../../tickets/ticket/schemas.ts'

/** Models that several responses use, or programs store: code generators make one type of each, with this name. */
export const apiModels: Record<string, TSchema> = {
  Attachment: AttachmentView,
  AuditEntry: itemOf(listAudit, 'entries'),
  AuditPage: listAudit.data!,
  BlockedSender: BlockedSenderView,
  BlockedSenderPage: listBlockedSenders.data!,
  CannedReply: CannedReplyView,
  CannedReplyPage: listCannedReplies.data!,
  Client: partOf(showClient, 'client'),
  ClientChoice: itemOf(pickClient, 'clients'),
  ClientAccess,
  ClientName: QueueTicket.properties.client,
  ClientOwnProfile: choiceOf(showProfile, 0).properties.profile!,
  ClientPage: listClients.data!,
  ClientProfile,
  ClientSummary: itemOf(listClients, 'clients'),
  ClientTicket: itemOf(showClient, 'tickets'),
  ClientUser,
  Colleague: ColleagueView,
  ColleaguePage: listColleagues.data!,
  CountedTag: CountedTagView,
  Department: itemOf(listDepartments, 'departments'),
  DepartmentCounts: itemOf(countDeskTickets, 'per_department'),
  DepartmentMember: itemOf(departmentMembership, 'members'),
  DepartmentName: QueueTicket.properties.department,
  Desk: showDesk.data!,
  DeskSettings,
  DeskTicket: QueueTicket,
  DeskTicketListed: ListedTicket,
  DeskTicketDetail: showDeskTicket.data!,
  DeskTicketPage: listDeskTickets.data!,
  EmailTemplate: EmailTemplateView,
  EmailTemplateListed: TemplateInList,
  ErasedStore: itemOf(deleteClient, 'stores'),
  Event: StreamedEvent,
  EventPage: listEvents.data!,
  Follower: FollowerView,
  FollowerName,
  FoundTicket: OwnResult.properties.ticket,
  HeldMail: HeldMailView,
  HeldMailClient: MailClient,
  HeldMailDetail: HeldMailDetailView,
  HeldMailPage: listHeldMails.data!,
  ManagedClient: ManagedClientView,
  ManagedDepartment: ManagedDepartmentView,
  ManagedDepartmentPage: listManagedDepartments.data!,
  Mailbox: MailboxView,
  MailboxPage: listMailboxes.data!,
  MailWay: MailChannelView,
  MergedTicket: itemOf(showDeskTicket, 'merged_sources'),
  Message: MessageView,
  Note: NoteView,
  OwnSearchPage: searchTickets.data!,
  OwnSearchResult: OwnResult,
  Permission: itemOf(listPermissions, 'permissions'),
  QueueQuery: SavedView.properties.query,
  SavedView,
  Presence: PresenceView,
  SearchPage: searchDeskFor.data!,
  SearchResult: DeskResult,
  Session: itemOf(listSessions, 'sessions'),
  SessionPage: listSessions.data!,
  Staff: StaffUser,
  StaffMember: partOf(showStaffMember, 'staff'),
  StaffName: StaffPerson,
  StaffOwnProfile: choiceOf(showProfile, 1).properties.profile!,
  StaffPage: listStaffMembers.data!,
  StaffSummary,
  Tag: QueueTicket.properties.tags.items,
  TagPage: listTags.data!,
  ThreadMessage,
  Ticket: partOf(showTicket, 'ticket'),
  TicketDetail: showTicket.data!,
  TicketPage: listTickets.data!,
  TicketSummary: itemOf(listTickets, 'tickets'),
  TimelineEvent: EventView,
  UndeliverableAddress: UndeliverableView,
  UnseenTickets: HiddenTickets,
  Webhook: WebhookView,
  WebhookAttempt: AttemptView,
  WebhookDelivery: DeliveryView,
  WebhookDeliveryPage: listWebhookDeliveries.data!,
  WebhookPage: listWebhooks.data!
}

interface Shape extends TSchema {
  anyOf: Shape[]
  properties: Record<string, Shape>
  items: Shape
}

function partOf({ path, data }: AnyEndpoint, name: string): Shape {
  const part = (data as Shape | undefined)?.properties[name]
  if (!part) throw new Error(`${path} answers nothing of the name ${name}`)
  return part
}

function itemOf(endpoint: AnyEndpoint, name: string): TSchema {
  return partOf(endpoint, name).items
}

/** One of the possible shapes of an endpoint's response. */
function choiceOf({ path, data }: AnyEndpoint, at: number): Shape {
  const choice = (data as Shape | undefined)?.anyOf[at]
  if (!choice) throw new Error(`${path} has no such choice of answers`)
  return choice
}
