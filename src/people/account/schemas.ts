import { type Static, Type } from 'typebox'
import { Email, Name } from '../../kit/schemas.ts'
import { ExpectedVersion } from '../../kit/versions.ts'
import { Password } from '../auth/schemas.ts'
import { contactChanges, ReaderLanguage } from '../clients/columns.ts'

const { phone_number, ...contact } = contactChanges

/** What people may change about themselves; null removes an optional value. Staff have only names and a number. */
export const ProfileChanges = Type.Object({
  first_name: Type.Optional(Name(100, 'Ada')),
  last_name: Type.Optional(Name(100, 'Lovelace')),
  phone_number,
  email: Type.Optional(Email()),
  current_password: Type.Optional(Password),
  ...contact,
  language: Type.Optional(ReaderLanguage),
  expected_version: ExpectedVersion
})
export type ProfileChanges = Static<typeof ProfileChanges>
