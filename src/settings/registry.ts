import { type Static, Type } from 'typebox'
import { Flag, Name, Nullable } from '../kit/schemas.ts'

const Accent = Type.String({
  pattern: '^#[0-9A-Fa-f]{6}$',
  minLength: 7,
  maxLength: 7,
  examples: ['#1d4ed8'],
  'x-trim': true,
  'x-invalid': 'accent must be written like #1d4ed8'
})

const Link = Type.String({
  pattern: '^https?://[^\\s<>"\\\\]+$',
  maxLength: 2000,
  examples: ['https://example.com/privacy'],
  'x-trim': true,
  'x-invalid': 'privacy_url must be an http or https address of at most 2000 characters'
})

/** What admins set while the desk runs. A new setting is a line here and one in `initially`; both types follow from it. */
export const DeskSettings = Type.Object({
  /** Staff without a second factor are let in only to turn it on. Read with each request of theirs by `actorOf`. */
  require_staff_2fa: Flag(0),
  /** How the desk calls itself, where it can be reached otherwise, and how it looks. Null where it does not say. */
  name: Nullable(Name(100, 'Example Support')),
  phone: Nullable(Name(50, '+31 20 555 0100')),
  privacy_url: Nullable(Link),
  accent: Nullable(Accent)
})
export type DeskSettings = Static<typeof DeskSettings>

/** As it is until an admin says otherwise. */
export const initially: DeskSettings = {
  require_staff_2fa: 0,
  name: null,
  phone: null,
  privacy_url: null,
  accent: null
}
