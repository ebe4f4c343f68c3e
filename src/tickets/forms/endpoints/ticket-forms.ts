import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { settingsOf } from '../../../core/settings/desk-settings.ts'
import { Id, Nullable } from '../../../kit/schemas.ts'
import { AskedForm, askedForm } from '../shown-form.ts'

/**
 * The custom fields that are asked in a department, for clients those that they may write, and for staff all of the form. Null if nothing is asked; without
 * a login also if the desk takes no tickets of people without an account.
 */
export const showTicketForm = endpoint({
  path: '/api/ticket-forms',
  summary: 'Show which custom fields are asked in a department',
  access: 'optional',
  onlyReads: true,
  body: Type.Object({ deptid: Id(1) }),
  synonyms: { department_id: 'deptid' },
  data: Type.Object({ form: Nullable(AskedForm) }),
  async handle({ body: { deptid }, actor, services: { db } }) {
    const isAnswered = actor || (await settingsOf(db)).settings.tickets_without_account === 1
    const form = isAnswered ? await askedForm(db, deptid, actor?.population ?? 'client') : null
    return { message: 'Ticket form', data: { form } }
  }
})
