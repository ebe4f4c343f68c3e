import { type SqlBool, sql } from 'kysely'
import type { SeenTickets } from '../tickets/sight.ts'

/** The tickets that have this text, in any case, in their number, their subject, or the name or e-mail of their client. */
export function havingText(tickets: SeenTickets, text: string): SeenTickets {
  const pattern = `%${text.replaceAll(/[\\%_]/g, '\\$&').replaceAll('\n', ' ')}%`
  return tickets.where(({ or, eb, selectFrom }) =>
    or([
      sql<SqlBool>`tickets.subject ilike ${pattern} escape '\\'`,
      sql<SqlBool>`tickets.ticket_number ilike ${pattern} escape '\\'`,
      eb(
        'tickets.client_id',
        'in',
        selectFrom('clients')
          .where(sql<SqlBool>`clients.search_text like lower(${pattern}) escape '\\'`)
          .select('clients.id')
      )
    ])
  )
}
