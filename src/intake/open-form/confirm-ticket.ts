import type { Services } from '../../core/services.ts'
import type { Caller } from '../../kit/caller.ts'
import { failure } from '../../kit/errors.ts'
import { outerTransaction } from '../../platform/db/outer-transaction.ts'
import { fittingValues } from '../../tickets/forms/required-fields.ts'
import { openTicket } from '../../tickets/threads/open-ticket.ts'
import { defaultPriority } from '../../tickets/ticket/schemas.ts'
import { takeUnconfirmed, type UnconfirmedTicket, unconfirmedTicket } from './unconfirmed-tickets.ts'

const LinkInvalid = failure(401, 'confirmation_invalid', 'The link is invalid, has expired or has been used')

/** The ticket that the reader of the e-mail is asked to confirm. Throws `LinkInvalid`. */
export async function ticketToConfirm(
  { db, keys, realClock }: Services,
  token: string
): Promise<Pick<UnconfirmedTicket, 'subject' | 'message'>> {
  return await waiting({ db, keys, realClock }, token)
}

/** Opens the ticket for the owner of the address, who got the link, and returns its number. Throws `LinkInvalid`. */
export async function confirmTicket(services: Services, token: string, caller: Caller): Promise<string> {
  return await outerTransaction(services.db, { isRepeatable: true }, async db => {
    const inside = { ...services, db }
    const { id, email, deptid, subject, message, fields: answers, ...ticket } = await waiting(inside, token)
    if (!(await takeUnconfirmed(db, id))) throw LinkInvalid()
    const client = {
      population: 'client',
      id: ticket.client_id,
      firstName: ticket.client_first_name,
      lastName: ticket.client_last_name,
      email
    } as const
    // The click proves that the reader of the e-mails has sent the form, not that the account is theirs.
    const cameBy = { clientEmail: email, isConfirmed: true } as const
    const fields = await fittingValues(db, answers)
    const opening = { cameBy, deptid, fields, subject, message, priority: defaultPriority, files: [] }
    return (await openTicket(inside, client, caller, opening)).ticket_number
  })
}

async function waiting({ db, keys, realClock }: Pick<Services, 'db' | 'keys' | 'realClock'>, token: string) {
  const now = realClock.now()
  const claims = keys.verify('ticket-confirmation', token, now)
  const ticket = claims && (await unconfirmedTicket(db, claims.ticket, now))
  if (!ticket) throw LinkInvalid()
  return ticket
}
