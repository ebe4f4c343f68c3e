import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Id, OutputText } from '../../../kit/schemas.ts'
import { domainsOf, joinersOf, PublicDomain } from '../domains.ts'
import { Domains } from '../schemas.ts'

const shown = 20

/** The clients without an organisation who have proven an address at one of these domains: whom `add_people` would add. */
export const previewJoiners = endpoint({
  path: '/api/admin/organisations/joiners',
  summary: 'Show who would join an organisation by its domains',
  access: 'admin',
  onlyReads: true,
  body: Type.Object({ domains: Domains }),
  data: Type.Object({
    total: Type.Integer({ minimum: 0, examples: [12] }),
    people: Type.Array(
      Type.Object({
        id: Id(),
        first_name: OutputText('Ada'),
        last_name: OutputText('Lovelace'),
        email: OutputText('ada@brueckner.example')
      })
    )
  }),
  errors: [PublicDomain],
  async handle({ body, services }) {
    return { message: 'People', data: await joinersOf(services.db, await domainsOf(body.domains), shown) }
  }
})
