import type { TSchema } from 'typebox'
import { listSessions } from '../account/endpoints/account-sessions.ts'
import { CannedReplyView } from '../canned/canned-replies.ts'
import { showClient } from '../clients/endpoints/admin-clients-detail.ts'
import { listClients } from '../clients/endpoints/admin-clients-list.ts'
import { ManagedClientView } from '../clients/managed-client.ts'
import { ClientProfile, ClientUser } from '../clients/views.ts'
import { listDepartments } from '../departments/endpoints/departments.ts'
import { ManagedDepartmentView } from '../departments/managed-department.ts'
import { listDeskTickets } from '../desk/endpoints/admin-tickets-list.ts'
import { EventView, NoteView, QueueTicket, StaffPerson, ThreadMessage } from '../desk/words.ts'
import { listAudit } from '../history/endpoints/admin-audit-list.ts'
import type { AnyEndpoint } from '../kit/endpoint.ts'
import { DeskResult, OwnResult } from '../search/words.ts'
import { listStaffMembers } from '../staff/endpoints/admin-staff-list.ts'
import { StaffSummary } from '../staff/shapes.ts'
import { StaffUser } from '../staff/views.ts'
import { CountedTagView } from '../tags/tags.ts'
import { showTicket } from '../tickets/endpoints/tickets-detail.ts'
import { listTickets } from '../tickets/endpoints/tickets-list.ts'
import { AttachmentView, MessageView } from '../tickets/words.ts'

/** What answers show in several places, or programs keep: generators make one type of each, under this name. */
export const apiModels: Record<string, TSchema> = {
  Attachment: AttachmentView,
  AuditEntry: itemOf(listAudit, 'entries'),
  CannedReply: CannedReplyView,
  Client: partOf(showClient, 'client'),
  ClientPage: listClients.data!,
  ClientProfile,
  ClientSummary: itemOf(listClients, 'clients'),
  ClientUser,
  CountedTag: CountedTagView,
  Department: itemOf(listDepartments, 'departments'),
  DeskTicket: QueueTicket,
  DeskTicketPage: listDeskTickets.data!,
  ManagedClient: ManagedClientView,
  ManagedDepartment: ManagedDepartmentView,
  Message: MessageView,
  Note: NoteView,
  OwnSearchResult: OwnResult,
  SearchResult: DeskResult,
  Session: itemOf(listSessions, 'sessions'),
  Staff: StaffUser,
  StaffName: StaffPerson,
  StaffPage: listStaffMembers.data!,
  StaffSummary,
  Tag: QueueTicket.properties.tags.items,
  ThreadMessage,
  Ticket: partOf(showTicket, 'ticket'),
  TicketPage: listTickets.data!,
  TicketSummary: itemOf(listTickets, 'tickets'),
  TimelineEvent: EventView
}

interface Shape extends TSchema {
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
