import { Type } from 'typebox'
import { Flag, Name, Nullable, Text } from '../../kit/schemas.ts'

const Domain = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: '^[^\\s@.]+(\\.[^\\s@.]+)+$',
  examples: ['brueckner.example'],
  'x-trim': true,
  'x-invalid': 'Domains are written as engines.example, without an address before them'
})

const maxDomains = 100

/** Compared in punycode; a subdomain is another domain. */
export const Domains = Type.Array(Domain, { maxItems: maxDomains, examples: [['brueckner.example']] })

/** What admins may say of an organisation. */
export const organisationFields = {
  name: Name(150, 'Weingut Brückner & Söhne KG'),
  domains: Type.Optional(Domains),
  // Null or empty: none.
  note: Type.Optional(Nullable(Text(5_000, 'Key account, ask Jonas first'))),
  // 1: its managers get the e-mails about all of its tickets, not only about those that they follow.
  managers_follow: Type.Optional(Flag(0)),
  // 1: whoever has proven an address at one of the domains joins now. 0: who proves one from now on.
  add_people: Type.Optional(Flag(0))
}
