import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id } from '../../../kit/schemas.ts'
import { GivenFields } from '../../fields/field-schemas.ts'
import { clientFieldsData } from '../../fields/shown-fields.ts'
import { TicketRef } from '../../ticket/schemas.ts'
import { TicketNotFound } from '../../ticket/ticket-for.ts'
import { setOwnFields } from '../set-own-fields.ts'

/** A client sets fields of their ticket, those that they may write and that its form shows with what it then holds; the others stay. */
export const setTicketFields = endpoint({
  path: '/api/tickets/fields',
  aliases: ['/api/tickets/:id/fields'],
  summary: 'Change the custom fields of a ticket',
  access: 'client',
  about: { tickets: ['id'] },
  body: Type.Object({ id: TicketRef, fields: GivenFields }),
  synonyms: { ticket_id: 'id' },
  data: Type.Object({ ticket_id: Id(), ...clientFieldsData }),
  errors: [TicketNotFound],
  async handle({ body, actor, caller, services }) {
    const data = await setOwnFields(services, actor, caller, body.id, body.fields)
    return { message: 'Ticket updated', data }
  }
})
