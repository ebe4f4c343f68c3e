import { Type } from 'typebox'
import type { StaffActor } from '../../core/actor.ts'
import type { Services } from '../../core/services.ts'
import type { Recipients } from '../../core/tables/sending.ts'
import { BooleanInput } from '../../kit/schemas.ts'
import { chosenRecipients, type GivenRecipients, recipientFields } from '../followers/recipients.ts'
import { replyTarget } from '../ticket/locked-ticket.ts'
import type { TicketRef } from '../ticket/schemas.ts'
import { deskVisibility } from '../ticket/visibility.ts'

/** To whom a reply goes, and whether it waits first. */
export const sendingFields = { undo: Type.Optional(BooleanInput(1)), ...recipientFields }

/** The recipients of a reply to a ticket that the actor sees; a ticket that they do not see is refused by the reply itself. */
export async function recipientsChosenFor(
  services: Pick<Services, 'db' | 'config' | 'keys'>,
  actor: StaffActor,
  ref: TicketRef,
  { from, to, cc, bcc, cc_once, signature }: GivenRecipients
): Promise<Recipients | null> {
  const given = { from, to, cc, bcc, cc_once, signature } as GivenRecipients
  if (Object.values(given).every(value => value === undefined)) return null
  const ticket = await replyTarget(services.db, deskVisibility(actor), ref)
  return ticket ? await chosenRecipients(services, ticket.id, given) : null
}
