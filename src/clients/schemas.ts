import { Type } from 'typebox'
import { Email, Name } from '../kit/schemas.ts'

/** Who a client is: the fields without which there is no account. */
export const nameFields = {
  first_name: Name(100, 'Ada'),
  last_name: Name(100, 'Lovelace'),
  email: Email()
}

/** Where to reach a client: none of it is required. */
export const contactFields = {
  phone_number: Type.Optional(Name(30, '+14155550123')),
  company_name: Type.Optional(Name(150, 'Analytical Engines')),
  street_address: Type.Optional(Name(255, '12 St James Square')),
  street_address_2: Type.Optional(Name(255, 'Second floor')),
  city: Type.Optional(Name(100, 'London')),
  state: Type.Optional(Name(100, 'Greater London')),
  postcode: Type.Optional(Name(20, 'SW1Y 4JH'))
}
