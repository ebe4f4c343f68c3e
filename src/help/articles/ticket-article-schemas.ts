import { type Static, Type } from 'typebox'
import { articleStates, linkKinds } from '../../core/tables/knowledge-base.ts'
import { Flag, Id, OneOf, OutputText, Timestamp } from '../../kit/schemas.ts'
import { bit } from '../../lib/bit.ts'
import { timestamp } from '../../lib/time.ts'
import { Status, TicketNumber } from '../../tickets/ticket/schemas.ts'
import type { TicketArticles, WantingTicket } from './ticket-articles.ts'

export const TicketArticleView = Type.Object({
  id: Id(12),
  title: OutputText('What E-042 means'),
  state: OneOf(articleStates),
  how: {
    ...OneOf(linkKinds),
    description:
      '`solved`: it solved the ticket; `inserted`: it was put into a reply or note; `suggested`: read before it was written.'
  }
})

export const ticketArticlesData = Type.Object({
  articles: Type.Array(TicketArticleView),
  needs_article: { ...Flag(0), description: 'Whether staff say that there ought to be an article.' }
})

export function ticketArticlesView({ articles, needs_article }: TicketArticles): Static<typeof ticketArticlesData> {
  return { articles, needs_article: bit(needs_article) }
}

export const WantingTicketView = Type.Object({
  id: Id(),
  ticket_number: TicketNumber,
  subject: OutputText('The printer is on fire'),
  status: Status,
  created_at: { ...Timestamp(), description: 'Since when an article is needed.' } as ReturnType<typeof Timestamp>
})

export function wantingTicketView(ticket: WantingTicket): Static<typeof WantingTicketView> {
  return { ...ticket, created_at: timestamp(ticket.created_at) }
}

export const PersonalWordView = Type.Object({
  text: OutputText('Katharina'),
  kind: OneOf(['name', 'address', 'number'] as const)
})

export const TicketDraftView = Type.Object({
  title: OutputText('The printer is on fire'),
  markdown: OutputText('It burns since noon.\n\n## Answer\n\nPlease switch it off.'),
  personal: Type.Array(PersonalWordView, {
    description: 'What in it may tell who the client is: it has to be taken out by hand.'
  })
})
