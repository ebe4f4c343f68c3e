import { type Static, Type } from 'typebox'
import { Flag, Id, OutputText } from '../../kit/schemas.ts'
import { bit } from '../../lib/bit.ts'
import type { ClientAccount } from './client-account.ts'

/** The user in the response of auth/login: a client with contact data. */
export const ClientProfile = Type.Object({
  id: Id(),
  first_name: OutputText('Ada'),
  last_name: OutputText('Lovelace'),
  email: OutputText('ada@example.com'),
  phone_number: OutputText('+14155550123'),
  company_name: OutputText('Analytical Engines'),
  street_address: OutputText('12 St James Square'),
  city: OutputText('London'),
  state: OutputText('Greater London'),
  postcode: OutputText('SW1Y 4JH'),
  two_factor_enabled: Flag(0),
  is_email_verified: Flag(),
  is_phone_verified: Flag(0)
})

/** The user in the response of 2fa/verify-login: a client in short. */
export const ClientUser = Type.Pick(ClientProfile, [
  'id',
  'first_name',
  'last_name',
  'email',
  'two_factor_enabled',
  'is_email_verified',
  'is_phone_verified'
])

export function clientUserView(client: ClientAccount): Static<typeof ClientUser> {
  return {
    id: client.id,
    first_name: client.first_name,
    last_name: client.last_name,
    email: client.email,
    two_factor_enabled: bit(client.two_factor_enabled),
    is_email_verified: bit(client.is_email_verified),
    is_phone_verified: bit(client.is_phone_verified)
  }
}

export function clientProfileView(client: ClientAccount): Static<typeof ClientProfile> {
  return {
    ...clientUserView(client),
    phone_number: client.phone_number,
    company_name: client.company_name,
    street_address: client.street_address,
    city: client.city,
    state: client.state,
    postcode: client.postcode
  }
}
