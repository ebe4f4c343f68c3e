import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { languageAmong } from '../../../core/wording/languages.ts'
import { OutputText } from '../../../kit/schemas.ts'
import { languageOf } from '../../../mail/outbox/localized-email.ts'
import { definitionsIn } from '../definitions.ts'
import { reportAccess } from '../report-schemas.ts'

/** What each figure of the reports means, in the language of `Accept-Language`, else in that of the profile. */
export const defineReports = endpoint({
  path: '/api/admin/reports/definitions',
  summary: 'Explain the figures of the reports',
  access: reportAccess,
  onlyReads: true,
  data: Type.Object({
    definitions: Type.Array(
      Type.Object({
        key: OutputText('first_response'),
        title: OutputText('First response'),
        text: OutputText('From the first message of the client to the first reply by a person.')
      })
    )
  }),
  async handle({ actor, caller, services }) {
    const asked = languageAmong(caller.headers['accept-language'])
    const language = asked ?? (await languageOf(services.db, { population: 'staff', id: actor.id }))
    return { message: 'Definitions', data: { definitions: definitionsIn(language) } }
  }
})
