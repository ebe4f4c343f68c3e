import { Type } from 'typebox'
import { endpoint } from '../../../core/endpoint.ts'
import { Email, Id, OutputText } from '../../../kit/schemas.ts'
import { clientByEmail } from '../client-by-email.ts'

const email = OutputText('ada@example.com')

/** Says whether a client has that e-mail address (contract: POST /api/user/checkUserByEmail). */
export const checkUserByEmail = endpoint({
  path: '/api/user/checkUserByEmail',
  aliases: [{ path: '/api/user/check-by-email', get: true }],
  summary: 'Check whether a client has this e-mail address',
  access: 'public',
  onlyReads: true,
  body: Type.Object({ email: Email() }),
  data: Type.Union([
    Type.Object({
      exists: Type.Literal(true, { description: 'A JSON boolean, by exception.' }),
      user_id: Id(),
      email,
      first_name: OutputText('Ada'),
      last_name: OutputText('Lovelace')
    }),
    Type.Object({ exists: Type.Literal(false, { description: 'No client has it.' }), email })
  ]),
  async handle({ body, services }) {
    const client = await clientByEmail(services.db, body.email)
    if (!client) {
      return { message: 'No user has this e-mail address', data: { exists: false as const, email: body.email } }
    }
    const { id, email, first_name, last_name } = client
    return {
      message: 'A user has this e-mail address',
      data: { exists: true as const, user_id: id, email, first_name, last_name }
    }
  }
})
