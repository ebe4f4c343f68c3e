import type { TSchema } from 'typebox'
import { showProfile } from '../account/endpoints/account-profile.ts'
import { listSessions } from '../account/endpoints/account-sessions.ts'
import { listAudit } from '../audit/endpoints/admin-audit-list.ts'
import { CannedReplyView } from '../canned/canned-replies.ts'
import { listCannedReplies } from '../canned/endpoints/admin-canned-replies-list.ts'
import { UndeliverableView } from '../clients/deliverability.ts'
import { deleteClient } from '../clients/endpoints/admin-clients-delete.ts'
import { showClient } from '../clients/endpoints/admin-clients-detail.ts'
import { listClients } from '../clients/endpoints/admin-clients-list.ts'
import { pickClient } from '../clients/endpoints/admin-clients-picker.ts'
import { ManagedClientView } from '../clients/managed-client.ts'
import { ClientProfile, ClientUser } from '../clients/views.ts'
import { listManagedDepartments } from '../departments/endpoints/admin-departments-list.ts'
import { departmentMembership } from '../departments/endpoints/admin-departments-members.ts'
import { listDepartments } from '../departments/endpoints/departments.ts'
import { ManagedDepartmentView } from '../departments/managed-department.ts'
import { ColleagueView } from '../desk/colleagues.ts'
import { listColleagues } from '../desk/endpoints/admin-colleagues-list.ts'
import { EmailTemplateView, TemplateInList } from '../email-templates/schemas.ts'
import { HiddenTickets } from '../erasure/hidden-tickets.ts'
import { FollowerName, FollowerView } from '../followers/schemas.ts'
import type { AnyEndpoint } from '../kit/endpoint.ts'
import { listEvents } from '../live/endpoints/admin-events-list.ts'
import { StreamedEvent } from '../live/event-view.ts'
import { PresenceView } from '../live/presence.ts'
import { listBlockedSenders } from '../mailbox/endpoints/admin-mail-blocked-list.ts'
import { listHeldMails } from '../mailbox/endpoints/admin-mail-held-list.ts'
import { listMailboxes } from '../mailbox/endpoints/admin-mail-mailboxes-list.ts'
import { BlockedSenderView, HeldMailDetailView, HeldMailView, MailClient } from '../mailbox/held-mail-schemas.ts'
import { MailboxView, MailChannelView } from '../mailbox/schemas.ts'
import { countDeskTickets } from '../queue/endpoints/admin-tickets-counts.ts'
import { listDeskTickets } from '../queue/endpoints/admin-tickets-list.ts'
import { listTickets } from '../queue/endpoints/tickets-list.ts'
import { ListedTicket } from '../queue/listed-ticket.ts'
import { SavedView } from '../queue/saved-views.ts'
import { searchDeskFor } from '../search/endpoints/admin-search.ts'
import { searchTickets } from '../search/endpoints/tickets-search.ts'
import { DeskResult, OwnResult } from '../search/schemas.ts'
import { showDesk } from '../settings/endpoints/desk.ts'
import { DeskSettings } from '../settings/registry.ts'
import { listPermissions } from '../staff/endpoints/admin-permissions.ts'
import { showStaffMember } from '../staff/endpoints/admin-staff-detail.ts'
import { listStaffMembers } from '../staff/endpoints/admin-staff-list.ts'
import { StaffSummary } from '../staff/schemas.ts'
import { StaffUser } from '../staff/views.ts'
import { listTags } from '../tags/endpoints/admin-tags-list.ts'
import { CountedTagView } from '../tags/tags.ts'
import { showDeskTicket } from '../threads/endpoints/admin-tickets-detail.ts'
import { showTicket } from '../threads/endpoints/tickets-detail.ts'
import { EventView, NoteView, QueueTicket, StaffPerson, ThreadMessage } from '../tickets/desk-schemas.ts'
import { AttachmentView, MessageView } from '../tickets/schemas.ts'
import { listWebhookDeliveries } from '../webhooks/endpoints/admin-webhooks-deliveries-list.ts'
import { listWebhooks } from '../webhooks/endpoints/admin-webhooks-list.ts'
import { AttemptView, DeliveryView, WebhookView } from '../webhooks/schemas.ts'

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
