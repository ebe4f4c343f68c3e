import { Type } from 'typebox'
import { Email, Text } from '../kit/fields.ts'

/** Who a client is: the fields without which there is no account. */
export const nameFields = {
  first_name: Text(100, 'Ada'),
  last_name: Text(100, 'Lovelace'),
  email: Email()
}

/** Where to reach a client: none of it is required. */
export const contactFields = {
  phone_number: Type.Optional(Text(30, '+14155550123')),
  company_name: Type.Optional(Text(150, 'Analytical Engines')),
  street_address: Type.Optional(Text(255, '12 St James Square')),
  street_address_2: Type.Optional(Text(255, 'Second floor')),
  city: Type.Optional(Text(100, 'London')),
  state: Type.Optional(Text(100, 'Greater London')),
  postcode: Type.Optional(Text(20, 'SW1Y 4JH'))
}
