import { Type } from 'typebox'
import { endpoint } from '../../endpoint.ts'
import { Email, Id, NewPassword, Shown, Text } from '../../kit/fields.ts'
import { EmailTaken, signUp } from '../sign-up.ts'

/** Opens an account for a client (contract: POST /api/auth/signup). */
export const registerClient = endpoint({
  path: '/api/auth/signup',
  summary: 'Open a client account',
  access: 'public',
  body: Type.Object({
    first_name: Text(100, 'Ada'),
    last_name: Text(100, 'Lovelace'),
    email: Email(),
    password: NewPassword(),
    phone_number: Type.Optional(Text(30, '+14155550123')),
    company_name: Type.Optional(Text(150, 'Analytical Engines')),
    street_address: Type.Optional(Text(255, '12 St James Square')),
    street_address_2: Type.Optional(Text(255, 'Second floor')),
    city: Type.Optional(Text(100, 'London')),
    state: Type.Optional(Text(100, 'Greater London')),
    postcode: Type.Optional(Text(20, 'SW1Y 4JH'))
  }),
  status: 201,
  data: Type.Object({
    user_id: Id(),
    first_name: Shown('Ada'),
    last_name: Shown('Lovelace'),
    email: Shown('ada@example.com')
  }),
  errors: [EmailTaken],
  async handle({ body, services }) {
    const user_id = await signUp(services, body)
    const { first_name, last_name, email } = body
    return { message: 'Account created', data: { user_id, first_name, last_name, email } }
  }
})
