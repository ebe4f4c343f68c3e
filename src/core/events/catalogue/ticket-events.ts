import { Type } from 'typebox'
import { Id, IsoTime, Nullable, OneOf, OutputText } from '../../../kit/schemas.ts'
import type { TicketPriority, TicketStatus } from '../../tables/tickets.ts'
import { Count, facts, Ids, type KindOfEvent, Names } from './kind-of-event.ts'

const shared = { readers: 'client', audited: 'always' } as const
const ofTicket = { readers: 'staff', audited: 'always' } as const
const ofOtherTicket = { readers: 'staff', audited: 'never' } as const

const status = (example: TicketStatus) =>
  OneOf<TicketStatus>(['Open', 'In Progress', 'Answered', 'Customer-Reply', 'Closed'], example)
const priority = (example: TicketPriority) => OneOf<TicketPriority>(['Low', 'Medium', 'High', 'Critical'], example)

/** Another ticket; null for readers who do not see it. */
const OtherTicket = Nullable(
  Type.Object(
    { id: Id(9), ticket_number: OutputText('TKT-000009') },
    { additionalProperties: false, examples: [{ id: 9, ticket_number: 'TKT-000009' }] }
  )
)
/** It undoes the change before it. */
const by = Type.Optional(OneOf(['undo'] as const))

/** A message, when it came (an e-mail may have waited to be read), and who wrote it. */
const written = {
  message_id: Id(12),
  sender_type: OneOf(['client', 'support', 'admin'] as const),
  received_at: IsoTime()
}

/** What can be changed of a ticket beside its status. Departments are given by their public id. */
const changeable = (example: { priority: TicketPriority; department_id: number }) => ({
  subject: Type.Optional(Type.String()),
  priority: Type.Optional(priority(example.priority)),
  department_id: Type.Optional(Id(example.department_id)),
  assigned_staff_id: Type.Optional(Nullable(Id(2)))
})

export const ticketEvents = {
  'ticket.created': {
    readers: 'client',
    audited: 'by staff',
    notifies: true,
    after: facts({ status: status('Open'), priority: priority('Medium'), department_id: Id(1), ...written }),
    toClients: ['status', 'priority', 'department_id', 'message_id', 'sender_type', 'received_at']
  },
  'ticket.replied': {
    readers: 'client',
    audited: 'by staff',
    notifies: true,
    before: facts({ status: status('Answered') }),
    after: facts({ status: status('Customer-Reply'), ...written }),
    toClients: ['status', 'message_id', 'sender_type', 'received_at']
  },
  'ticket.status_changed': {
    readers: 'client',
    audited: 'by staff',
    notifies: true,
    before: facts({ status: status('In Progress') }),
    after: facts({ status: status('Closed'), by }),
    toClients: ['status']
  },
  'ticket.merged': {
    ...shared,
    before: facts({ status: status('Open') }),
    after: facts({ status: status('Closed'), merged_into: OtherTicket }),
    toClients: ['status', 'merged_into']
  },
  'ticket.unmerged': {
    ...shared,
    before: facts({ status: status('Closed'), merged_into: OtherTicket }),
    after: facts({ status: status('Open') }),
    toClients: ['status', 'merged_into']
  },
  'ticket.follower_added': { ...ofTicket, after: facts({ follower_id: Id(5) }) },
  'ticket.follower_removed': {
    ...ofTicket,
    before: facts({ follower_id: Id(5) }),
    after: facts({ by: OneOf(['client', 'follower', 'staff'] as const, 'staff') })
  },
  // The status changes with the first assignment of an open ticket alone.
  'ticket.assigned': {
    ...ofTicket,
    notifies: true,
    before: facts({ assigned_staff_id: Nullable(Id(2)), status: Type.Optional(status('Open')) }),
    after: facts({ assigned_staff_id: Nullable(Id(4)), status: Type.Optional(status('In Progress')), by })
  },
  'ticket.noted': { ...ofTicket, notifies: true, after: facts({ note_id: Id(3) }) },
  'ticket.tagged': {
    ...ofTicket,
    before: facts({ tags: Names(['printer']) }),
    after: facts({ tags: Names(['fire', 'printer']), by })
  },
  'ticket.updated': {
    ...ofTicket,
    before: facts(changeable({ priority: 'Medium', department_id: 1 })),
    after: facts({ ...changeable({ priority: 'High', department_id: 2 }), by })
  },
  'ticket.watched': ofTicket,
  'ticket.unwatched': ofTicket,
  'ticket.deleted': ofTicket,
  'ticket.restored': ofTicket,
  'ticket.purged': {
    ...ofTicket,
    before: facts({
      ticket_number: OutputText('TKT-000007'),
      client_id: Id(3),
      message_count: Count(4),
      attachment_count: Count(1),
      merged_sources: Type.Optional(Type.Array(OtherTicket))
    })
  },
  // The delivery state of an e-mail with messages of the ticket; the messages show it too.
  'ticket.delivery_changed': {
    readers: 'staff',
    audited: 'never',
    after: facts({
      message_ids: Ids([12]),
      delivery: OneOf(['queued', 'sent', 'delayed', 'delivered', 'bounced'] as const, 'bounced')
    })
  },
  // What merging means for the other tickets.
  'ticket.absorbed': { ...ofOtherTicket, after: facts({ merged: OtherTicket }) },
  'ticket.released': { ...ofOtherTicket, before: facts({ merged: OtherTicket }) },
  'ticket.merge_moved': {
    ...ofOtherTicket,
    before: facts({ merged_into: OtherTicket }),
    after: facts({ merged_into: OtherTicket })
  }
} as const satisfies Record<string, KindOfEvent>
