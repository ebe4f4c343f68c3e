import { type Db, prepared } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { baseAddress, sendingAddresses } from '../../mail/support-addresses/support-addresses.ts'
import { type TicketSender, ticketSender } from '../../mail/support-addresses/ticket-address.ts'

/** From where e-mails of a ticket leave: its department, and the addresses that may be chosen, the usual one first. */
interface AnswerSenders {
  client_id: number
  senders: TicketSender['from'][]
}

/**
 * The addresses from which a reply to the ticket may leave: the usual one, then the others of its department. None if the desk receives no e-mails;
 * undefined if there is no such ticket.
 */
export async function answerSenders(
  services: Pick<Services, 'db' | 'keys' | 'config'>,
  ticketId: number
): Promise<AnswerSenders | undefined> {
  const { db } = services
  const [place] = await placeOf(db, { ticket: ticketId })
  if (!place) return undefined
  const { client_id, department_id, deptid } = place
  const ticket = { id: ticketId, department_id }
  const usual = await ticketSender(services, ticket)
  if (!usual) return { client_id, senders: [] }
  const others = await addressesOf(db, deptid, usual.from.address)
  const named = await Promise.all(others.map(address => ticketSender(services, ticket, address)))
  return { client_id, senders: [usual, ...named.flatMap(sender => sender ?? [])].map(({ from }) => from) }
}

async function addressesOf(db: Db, department: number, usual: string): Promise<string[]> {
  return (await sendingAddresses(db))
    .filter(({ address, deptid }) => deptid === department && baseAddress(address) !== baseAddress(usual))
    .map(({ address }) => address)
    .toSorted()
}

const placeOf = prepared((db, p: { ticket: number }) =>
  db
    .selectFrom('tickets')
    .innerJoin('departments', 'departments.id', 'tickets.department_id')
    .where('tickets.id', '=', p.ticket)
    .select(['tickets.department_id', 'tickets.client_id', 'departments.deptid'])
)
