import type { TSchema } from 'typebox'
import { listAudit } from '../../core/audit/endpoints/admin-audit-list.ts'
import { DefinitionUse } from '../../core/definitions/uses.ts'
import { EventCauseView } from '../../core/events/event-cause.ts'
import { showDesk } from '../../core/settings/endpoints/desk.ts'
import { DeskSettings } from '../../core/settings/registry.ts'
import {
  LoggedMailDetailView,
  LoggedMailView,
  LoggedMailWithSteps,
  MailStepView
} from '../../intake/mail-log/log-schemas.ts'
import { listBlockedSenders } from '../../intake/mailbox/endpoints/admin-mail-blocked-list.ts'
import { listHeldMails } from '../../intake/mailbox/endpoints/admin-mail-held-list.ts'
import { loadPictures } from '../../intake/mailbox/endpoints/admin-mail-pictures.ts'
import {
  BlockedSenderView,
  HeldMailDetailView,
  HeldMailView,
  MailClient
} from '../../intake/mailbox/held-mail-schemas.ts'
import { MailChannelView } from '../../intake/mailbox/schemas.ts'
import { listMailboxes } from '../../intake/mailbox-setup/endpoints/admin-mail-mailboxes-list.ts'
import {
  ConnectedMailboxView,
  MailboxOAuthView,
  MailboxPreset,
  MailboxSendingView,
  OperatorsMailboxView,
  PresetServer,
  ServerView
} from '../../intake/mailbox-setup/schemas.ts'
import { MailboxTestFacts, MailboxTestStep, ShownCertificateView } from '../../intake/mailbox-setup/test-schemas.ts'
import { EmailTemplateView, TemplateInList } from '../../mail/email-templates/schemas.ts'
import { deleteClient } from '../../outward/erasure/endpoints/admin-clients-delete.ts'
import { HiddenTickets } from '../../outward/erasure/hidden-tickets.ts'
import { listEvents } from '../../outward/live/endpoints/admin-events-list.ts'
import { StreamedEvent } from '../../outward/live/event-view.ts'
import { ArticlePresenceView, PresenceView } from '../../outward/live/presence.ts'
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
import { showOrganisation } from '../../people/organisations/endpoints/admin-organisations-detail.ts'
import { previewJoiners } from '../../people/organisations/endpoints/admin-organisations-joiners.ts'
import { listOrganisations } from '../../people/organisations/endpoints/admin-organisations-list.ts'
import { OrganisationName, OrganisationView } from '../../people/organisations/organisations.ts'
import { OrganisationPerson, OrganisationTicket, OwnOrganisation } from '../../people/organisations/people.ts'
import { listPermissions } from '../../people/staff/endpoints/admin-permissions.ts'
import { showStaffMember } from '../../people/staff/endpoints/admin-staff-detail.ts'
import { listStaffMembers } from '../../people/staff/endpoints/admin-staff-list.ts'
import { StaffSummary } from '../../people/staff/schemas.ts'
import { StaffUser } from '../../people/staff/views.ts'
import { ActionItem } from '../../tickets/actions/schemas.ts'
import { Conditions, ListConditions } from '../../tickets/conditions/schemas.ts'
import { ColleagueView } from '../../tickets/desk/colleagues.ts'
import { listColleagues } from '../../tickets/desk/endpoints/admin-colleagues-list.ts'
import { changeDeskTickets } from '../../tickets/desk/endpoints/admin-tickets-bulk.ts'
import { FieldValuesView, FieldView, OptionView } from '../../tickets/fields/field-schemas.ts'
import { ClientField, ClientOption, TicketField } from '../../tickets/fields/shown-fields.ts'
import { FollowerName, FollowerView } from '../../tickets/followers/schemas.ts'
import { FormItemView, TicketFormView } from '../../tickets/forms/form-schemas.ts'
import { AskedForm, AskedItem } from '../../tickets/forms/shown-form.ts'
import { LinkedTicket, TicketLinkView } from '../../tickets/links/linked-tickets.ts'
import { CannedReplyView } from '../../tickets/macros/canned-replies.ts'
import { listCannedReplies } from '../../tickets/macros/endpoints/admin-canned-replies-list.ts'
import { ListedMacro, listMacros } from '../../tickets/macros/endpoints/admin-macros-list.ts'
import { MacroView } from '../../tickets/macros/macros.ts'
import { MacroPreviewView, MacroResultView } from '../../tickets/macros/result-schemas.ts'
import { DueFilter } from '../../tickets/queue/due-filter.ts'
import { showClient } from '../../tickets/queue/endpoints/admin-clients-detail.ts'
import { countDeskTickets } from '../../tickets/queue/endpoints/admin-tickets-counts.ts'
import { listDeskTickets } from '../../tickets/queue/endpoints/admin-tickets-list.ts'
import { listTickets } from '../../tickets/queue/endpoints/tickets-list.ts'
import { ListedTicket } from '../../tickets/queue/listed-ticket.ts'
import { SavedView } from '../../tickets/queue/saved-views.ts'
import { searchDeskFor } from '../../tickets/search/endpoints/admin-search.ts'
import { searchTickets } from '../../tickets/search/endpoints/tickets-search.ts'
import { DeskResult, OwnResult } from '../../tickets/search/schemas.ts'
import { listSlaClocks } from '../../tickets/sla/endpoints/admin-sla-clocks-list.ts'
import { showSlaPolicyImpact } from '../../tickets/sla/endpoints/admin-sla-policies-impact.ts'
import { listSlaPolicies } from '../../tickets/sla/endpoints/admin-sla-policies-list.ts'
import { ClockImpact } from '../../tickets/sla/impact.ts'
import { ListedClock } from '../../tickets/sla/listed-clocks.ts'
import { SlaPolicyView, SlaPolicyWarning, SlaTargetView } from '../../tickets/sla/policy-schemas.ts'
import { DueClock } from '../../tickets/sla/shown-clock.ts'
import {
  ClockCalendar,
  ClockPolicy,
  ClockStepView,
  ClockTarget,
  ExplainedClock,
  FormerDue,
  JudgedConditionView,
  PassedOverPolicy
} from '../../tickets/sla/ticket-sla-schema.ts'
import { SnoozedTicket } from '../../tickets/snooze/schemas.ts'
import { listTags } from '../../tickets/tags/endpoints/admin-tags-list.ts'
import { CountedTagView } from '../../tickets/tags/tags.ts'
import { showDeskTicket } from '../../tickets/threads/endpoints/admin-tickets-detail.ts'
import { showTicket } from '../../tickets/threads/endpoints/tickets-detail.ts'
import { ClientAccess } from '../../tickets/ticket/client-access.ts'
import { EventView, NoteView, Snooze, StaffPerson, ThreadMessage } from '../../tickets/ticket/desk-schemas.ts'
import { QueueTicket } from '../../tickets/ticket/queue-ticket.ts'
import { AttachmentView, MessageView } from '../../tickets/ticket/schemas.ts'
import { ConfigFile } from '../config-file/config-schemas.ts'
import { ConfigChange, ConfigRefusal } from '../config-file/endpoints/admin-config-import.ts'
import { calendarModels } from './calendar-models.ts'
import { knowledgeBaseModels } from './knowledge-base-models.ts'
import { choiceOf, itemOf, partOf } from './model-parts.ts'
import { reportModels } from './report-models.ts'
import { ruleModels } from './rule-models.ts'
import { sendingModels } from './sending-models.ts'
import { sideConversationModels } from './side-conversation-models.ts'
import { signOnModels } from './sign-on-models.ts'
import { tokenModels } from './token-models.ts'

/** Models that several responses use, or programs store: code generators make one type of each, with this name. */
export const apiModels: Record<string, TSchema> = {
  Attachment: AttachmentView,
  AuditEntry: itemOf(listAudit, 'entries'),
  AuditPage: listAudit.data!,
  BlockedSender: BlockedSenderView,
  BlockedSenderPage: listBlockedSenders.data!,
  BulkRefusal: itemOf(changeDeskTickets, 'failed'),
  ...calendarModels,
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
  Conditions,
  ConfigChange,
  ConfigFile,
  ConfigRefusal,
  CountedTag: CountedTagView,
  Department: itemOf(listDepartments, 'departments'),
  DefinitionUse,
  DepartmentCounts: itemOf(countDeskTickets, 'per_department'),
  DepartmentMember: itemOf(departmentMembership, 'members'),
  DepartmentName: QueueTicket.properties.department,
  Desk: showDesk.data!,
  DeskSettings,
  DeskTicket: QueueTicket,
  DeskTicketListed: ListedTicket,
  DeskTicketShown: partOf(showDeskTicket, 'ticket'),
  DeskTicketDetail: showDeskTicket.data!,
  DeskTicketPage: listDeskTickets.data!,
  DueClock,
  DueFilter,
  EmailTemplate: EmailTemplateView,
  EmailTemplateListed: TemplateInList,
  ErasedStore: itemOf(deleteClient, 'stores'),
  Event: StreamedEvent,
  EventCause: EventCauseView,
  EventPage: listEvents.data!,
  Follower: FollowerView,
  FollowerName,
  FoundTicket: OwnResult.properties.ticket,
  HeldMail: HeldMailView,
  HeldMailClient: MailClient,
  HeldMailDetail: HeldMailDetailView,
  HeldMailPage: listHeldMails.data!,
  LoggedMail: LoggedMailView,
  LoggedMailDetail: LoggedMailDetailView,
  LoggedMailOfTicket: LoggedMailWithSteps,
  LoggedMailStep: MailStepView,
  ListConditions,
  Macro: MacroView,
  MacroAction: ActionItem,
  MacroListed: ListedMacro,
  MacroPage: listMacros.data!,
  MacroPreview: MacroPreviewView,
  MacroResult: MacroResultView,
  ManagedClient: ManagedClientView,
  ManagedDepartment: ManagedDepartmentView,
  ManagedDepartmentPage: listManagedDepartments.data!,
  LinkedTicket,
  Mailbox: OperatorsMailboxView,
  ConnectedMailbox: ConnectedMailboxView,
  MailboxOAuth: MailboxOAuthView,
  MailboxSending: MailboxSendingView,
  MailboxServer: ServerView,
  MailboxPreset,
  MailboxPresetServer: PresetServer,
  MailboxTestStep,
  MailboxTestFacts,
  RemotePicture: itemOf(loadPictures, 'pictures'),
  ShownCertificate: ShownCertificateView,
  MailboxPage: listMailboxes.data!,
  MailWay: MailChannelView,
  MergedTicket: itemOf(showDeskTicket, 'merged_sources'),
  Message: MessageView,
  Note: NoteView,
  Organisation: OrganisationView,
  OrganisationDetail: showOrganisation.data!,
  OrganisationJoiner: itemOf(previewJoiners, 'people'),
  OrganisationName,
  OrganisationPage: listOrganisations.data!,
  OrganisationPerson,
  OrganisationTicket,
  OwnOrganisation,
  OwnOrganisationPerson: OwnOrganisation.properties.people.items,
  OwnSearchPage: searchTickets.data!,
  OwnSearchResult: OwnResult,
  Permission: itemOf(listPermissions, 'permissions'),
  QueueQuery: SavedView.properties.query,
  SavedView,
  ArticlePresence: ArticlePresenceView,
  Presence: PresenceView,
  SearchPage: searchDeskFor.data!,
  SearchResult: DeskResult,
  Session: itemOf(listSessions, 'sessions'),
  SessionPage: listSessions.data!,
  Field: FieldView,
  FieldOption: OptionView,
  FieldValues: FieldValuesView,
  TicketField,
  TicketFieldOption: ClientOption,
  TicketFieldToFillIn: ClientField,
  TicketForm: TicketFormView,
  TicketFormFilledIn: AskedForm,
  TicketFormItem: FormItemView,
  TicketFormItemFilledIn: AskedItem,
  JudgedCondition: JudgedConditionView,
  SlaClock: ExplainedClock,
  SlaClockCalendar: ClockCalendar,
  SlaClockPolicy: ClockPolicy,
  SlaClockStep: ClockStepView,
  SlaClockTarget: ClockTarget,
  SlaFormerDue: FormerDue,
  SlaPassedOverPolicy: PassedOverPolicy,
  SlaListedClock: ListedClock,
  ...knowledgeBaseModels,
  ...reportModels,
  ...signOnModels,
  ...sideConversationModels,
  ...ruleModels,
  ...sendingModels,
  SlaClockPage: listSlaClocks.data!,
  SlaImpact: ClockImpact,
  SlaImpactSample: itemOf(showSlaPolicyImpact, 'sample'),
  SlaPolicy: SlaPolicyView,
  SlaPolicyPage: listSlaPolicies.data!,
  SlaPolicyWarning,
  SlaTarget: SlaTargetView,
  Snooze,
  SnoozedTicket,
  Staff: StaffUser,
  StaffMember: partOf(showStaffMember, 'staff'),
  StaffName: StaffPerson,
  StaffOwnProfile: choiceOf(showProfile, 1).properties.profile!,
  StaffPage: listStaffMembers.data!,
  StaffSummary,
  ...tokenModels,
  Tag: QueueTicket.properties.tags.items,
  TagPage: listTags.data!,
  ThreadMessage,
  Ticket: partOf(showTicket, 'ticket'),
  TicketDetail: showTicket.data!,
  TicketLink: TicketLinkView,
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
