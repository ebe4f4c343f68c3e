import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { languageAmong, languages } from '../../../core/wording/languages.ts'
import { TooManyAttempts } from '../../../kit/errors.ts'
import { Email, Id, Name, OneOf } from '../../../kit/schemas.ts'
import { UnknownDepartment } from '../../../people/departments/departments.ts'
import { GivenFields } from '../../../tickets/fields/field-schemas.ts'
import { FieldsRequired } from '../../../tickets/forms/required-fields.ts'
import { Message, Subject } from '../../../tickets/ticket/schemas.ts'
import { FormClosed, openWithoutAccount } from '../open-without-account.ts'

/** Opens a ticket for somebody who is not logged in, if the desk allows that. Files can be added only after logging in. */
export const openTicketWithoutAccount = endpoint({
  path: '/api/tickets/open',
  summary: 'Open a ticket without an account, if the desk allows it',
  access: 'public',
  body: Type.Object({
    name: Name(200, 'Ada Lovelace'),
    email: Email(),
    department_id: Id(),
    subject: Subject,
    message: Message,
    fields: Type.Optional(GivenFields),
    language: Type.Optional(OneOf(languages))
  }),
  synonyms: { deptid: 'department_id' },
  errors: [FormClosed, UnknownDepartment, FieldsRequired, TooManyAttempts],
  async handle({ body: { department_id: deptid, ...written }, services, caller }) {
    const language = written.language ?? languageAmong(caller.headers['accept-language'])
    await openWithoutAccount(services, { ...written, deptid, language }, caller)
    return { message: 'Thank you. An e-mail to your address tells how it goes on' }
  }
})
