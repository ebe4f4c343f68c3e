import type { DataOf } from '@deskline/client'

/** The types of the API that this folder uses. */
export type Detail = DataOf<'/api/admin/tickets/detail'>
export type Ticket = Detail['ticket']
export type Message = Detail['messages'][number]
export type Note = Detail['notes'][number]
export type TicketEvent = Detail['events'][number]
export type Attachment = Message['attachments'][number]
export type StaffPerson = NonNullable<Ticket['assignee']>
export type Status = Ticket['status']
export type Priority = Ticket['priority']
