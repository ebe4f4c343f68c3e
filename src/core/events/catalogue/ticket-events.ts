import { Type } from 'typebox'
import { Id, IsoTime, Nullable, OneOf, OutputText } from '../../../kit/schemas.ts'
import { fieldAccesses } from '../../tables/fields.ts'
import type { SnoozeKind } from '../../tables/snoozes.ts'
import type { TicketPriority, TicketStatus } from '../../tables/tickets.ts'
import { Count, facts, Ids, type KindOfEvent, Names, Yes } from './kind-of-event.ts'

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
/** It undoes the change before it; `undo_of`: the event of that, which counts in reports as if it had never happened. */
const undone = { by: Type.Optional(OneOf(['undo'] as const)), undo_of: Type.Optional(Id(1204)) }

/** A message, when it came (an e-mail may have waited to be read), and who wrote it. */
const written = {
  message_id: Id(12),
  sender_type: OneOf(['client', 'support', 'admin'] as const),
  received_at: IsoTime()
}

/** A link as the timeline of one of its two tickets tells of it. */
const link = {
  link: OneOf(['related', 'blocks', 'duplicate_of'] as const, 'blocks'),
  // From this ticket to the other one, or from the other one.
  direction: OneOf(['out', 'in'] as const, 'out'),
  other: OtherTicket
}

/** The messages, oldest first, and the notes that went to another ticket. */
const moved = {
  messages: Type.Unsafe<
    readonly { message_id: number; sender_type: 'client' | 'support' | 'admin'; received_at: string }[]
  >(Type.Array(Type.Object(written, { additionalProperties: false }))),
  note_ids: Ids([3])
}

/** A message of a side conversation. */
const sideMessage = { conversation_id: Id(7), side_message_id: Id(31) }

/** Until when a ticket is snoozed, for whom it waits and why, and who snoozed it. */
const snooze = {
  until: Nullable(IsoTime()),
  until_reply: Yes(false),
  kind: OneOf<SnoozeKind>(['own', 'third_party', 'customer'], 'third_party'),
  reason: OutputText('Waiting for the part'),
  staff_id: Nullable(Id(2))
}
const wakeCauses = ['time', 'client', 'mention', 'assignment', 'closed', 'merged', 'staff', 'conversation'] as const

/** What can be changed of a ticket beside its status. Departments are given by their public id. */
const changeable = (example: { priority: TicketPriority; department_id: number }) => ({
  subject: Type.Optional(Type.String()),
  priority: Type.Optional(priority(example.priority)),
  department_id: Type.Optional(Id(example.department_id)),
  assigned_staff_id: Type.Optional(Nullable(Id(2)))
})

/** A custom field, whether clients know of it, and its value, unless that is a long text; null: it has none. */
const field = (example: number) => ({
  field_id: Id(12),
  client_access: OneOf(fieldAccesses),
  value: Type.Optional(
    Type.Unsafe<string | number | boolean | readonly number[] | null>({
      type: ['string', 'number', 'boolean', 'array', 'null'],
      items: { type: 'integer' },
      examples: [example]
    })
  )
})

export const ticketEvents = {
  'ticket.created': {
    readers: 'client',
    audited: 'by staff',
    notifies: true,
    after: facts({
      status: status('Open'),
      priority: priority('Medium'),
      department_id: Id(1),
      ...written,
      // Staff opened it for a client who waits for an answer.
      client_waits: Type.Optional(Yes()),
      // It was split off another ticket, and has its assignee from there.
      is_split: Type.Optional(Yes()),
      assigned_staff_id: Type.Optional(Id(2))
    }),
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
    after: facts({ status: status('Closed'), ...undone }),
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
    // Those that had been merged into it, and are again.
    after: facts({ status: status('Open'), brought_along: Type.Optional(Ids([7])) }),
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
    after: facts({ assigned_staff_id: Nullable(Id(4)), status: Type.Optional(status('In Progress')), ...undone })
  },
  'ticket.noted': { ...ofTicket, notifies: true, after: facts({ note_id: Id(3) }) },
  'ticket.tagged': {
    ...ofTicket,
    before: facts({ tags: Names(['printer']) }),
    after: facts({ tags: Names(['fire', 'printer']), ...undone })
  },
  'ticket.updated': {
    ...ofTicket,
    before: facts(changeable({ priority: 'Medium', department_id: 1 })),
    after: facts({ ...changeable({ priority: 'High', department_id: 2 }), ...undone })
  },
  // Clients never read it. With `by: merge`, the value came from a ticket that was merged into this one.
  'ticket.field_changed': {
    ...ofTicket,
    before: facts(field(1)),
    after: facts({ ...field(2), ...undone, by: Type.Optional(OneOf(['merge', 'undo'] as const)) })
  },
  // It takes the place of the snooze before, if there was one.
  'ticket.snoozed': {
    ...ofTicket,
    before: Nullable(facts(snooze)),
    after: facts({ ...snooze, ...undone })
  },
  'ticket.woken': {
    readers: 'staff',
    audited: 'by staff',
    notifies: true,
    before: facts(snooze),
    after: facts({ cause: OneOf(wakeCauses), ...undone })
  },
  // `staff_id`: the watcher, if somebody else made them watch it.
  'ticket.watched': { ...ofTicket, after: Nullable(facts({ staff_id: Id(2) })) },
  'ticket.unwatched': ofTicket,
  // Side conversations, which clients never see: staff began one or wrote in it, a third party answered, staff changed what waits for it.
  'conversation.started': { ...ofTicket, after: facts({ ...sideMessage, message_ids: Ids([12]) }) },
  'conversation.replied': { ...ofTicket, after: facts(sideMessage) },
  'conversation.received': {
    ...ofTicket,
    notifies: true,
    after: facts({ ...sideMessage, is_automatic: Yes(false) })
  },
  'conversation.updated': {
    ...ofTicket,
    before: facts({ waits: Type.Optional(Yes()), is_closed: Type.Optional(Yes(false)) }),
    after: facts({ conversation_id: Id(7), waits: Type.Optional(Yes(false)), is_closed: Type.Optional(Yes()) })
  },
  // What a macro or a rule has sent. The texts are in the e-mails alone.
  'ticket.client_emailed': ofTicket,
  'ticket.staff_notified': { ...ofTicket, after: facts({ staff_ids: Ids([2]) }) },
  // The webhook gets it whatever kinds of events it is for, and no other does.
  'ticket.webhook_called': { ...ofTicket, after: facts({ webhook_id: Id(3) }) },
  // A colleague took over the reply that this member of staff has begun, who keeps it.
  'ticket.draft_taken': { ...ofTicket, after: facts({ staff_id: Id(2) }) },
  // The client had ended e-mails, or their address was stopped after bounces, and asked to get them again.
  'ticket.emails_turned_on': {
    ...ofTicket,
    before: facts({ state: OneOf(['turned_off', 'unsubscribed', 'bounced'] as const) }),
    after: facts({ state: OutputText('sent') })
  },
  // Staff took what a rule was waiting to do off the ticket.
  'ticket.timer_removed': {
    ...ofTicket,
    before: facts({
      rule_id: Id(7),
      rule_name: OutputText('Auto-close'),
      due_at: Type.String({ examples: ['2026-03-10T09:00:00.000Z'] })
    })
  },
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
      delivery: OneOf(['queued', 'sent', 'delayed', 'delivered', 'bounced'] as const, 'bounced'),
      // Staff know that it came back.
      is_dismissed: Type.Optional(Yes())
    })
  },
  // On both timelines; the audit log has it once.
  'ticket.linked': { ...ofTicket, after: facts({ ...link, ...undone }) },
  'ticket.unlinked': { ...ofTicket, before: facts(link), after: facts(undone) },
  // On the timelines of the ticket that was split, and of the new one.
  'ticket.split': {
    ...ofTicket,
    after: facts({ ...moved, split_into: Type.Optional(OtherTicket), split_from: Type.Optional(OtherTicket) })
  },
  // The new ticket is gone: before names it.
  'ticket.unsplit': {
    ...ofTicket,
    before: facts({ ticket_id: Id(9), ticket_number: OutputText('TKT-000009') }),
    after: facts({ ...moved, ...undone })
  },
  // What merging means for the other tickets.
  'ticket.absorbed': { ...ofOtherTicket, after: facts({ merged: OtherTicket }) },
  // With those that had been merged into it, which leave as well.
  'ticket.released': {
    ...ofOtherTicket,
    before: facts({ merged: OtherTicket, brought_along: Type.Optional(Ids([7])) })
  },
  'ticket.merge_moved': {
    ...ofOtherTicket,
    before: facts({ merged_into: OtherTicket }),
    after: facts({ merged_into: OtherTicket })
  }
} as const satisfies Record<string, KindOfEvent>
