import { type Static, Type } from 'typebox'
import { Password } from '../auth/schemas.ts'
import { Email, Name, Nullable } from '../kit/schemas.ts'
import { ExpectedVersion } from '../kit/versions.ts'

const clearable = (max: number, example: string) => Type.Optional(Nullable(Name(max, example)))

/** What people may change about themselves; null takes away what need not be there. Staff have names and a number only. */
export const ProfileChanges = Type.Object({
  first_name: Type.Optional(Name(100, 'Ada')),
  last_name: Type.Optional(Name(100, 'Lovelace')),
  phone_number: clearable(30, '+14155550123'),
  email: Type.Optional(Email()),
  current_password: Type.Optional(Password),
  company_name: clearable(150, 'Analytical Engines'),
  street_address: clearable(255, '12 St James Square'),
  street_address_2: clearable(255, 'Second floor'),
  city: clearable(100, 'London'),
  state: clearable(100, 'Greater London'),
  postcode: clearable(20, 'SW1Y 4JH'),
  expected_version: ExpectedVersion
})
export type ProfileChanges = Static<typeof ProfileChanges>
