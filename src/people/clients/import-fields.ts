import { type Static, Type } from 'typebox'
import type { RequestInput } from '../../kit/body/request-input.ts'
import { inputPlan, readInput } from '../../kit/input.ts'
import { Flag, Text } from '../../kit/schemas.ts'
import type { Passwords } from '../../platform/secrets/passwords.ts'
import { membershipFields } from '../organisations/membership.ts'
import { contactFields, nameFields } from './columns.ts'

/** A validated row, ready to be stored. */
export type ImportedClient = Omit<Static<typeof Columns>, 'created_at' | 'updated_at'> & {
  created_at?: Date
  updated_at?: Date
}

/** The columns of an imported table: the contract's fields of a client, under the rules of sign-up. */
const Columns = Type.Object({
  ...nameFields,
  ...contactFields,
  password: Type.Optional(Text(255, 'ef92b778…')),
  is_active: Type.Optional(Flag()),
  two_factor_enabled: Type.Optional(Flag()),
  two_factor_secret: Type.Optional(Text(255, 'JBSWY3DPEHPK3PXP')),
  profile_picture: Type.Optional(Text(255, 'ada.png')),
  is_email_verified: Type.Optional(Flag()),
  is_phone_verified: Type.Optional(Flag()),
  ...membershipFields,
  created_at: Type.Optional(Text(40, '2026-11-20 08:28:31')),
  updated_at: Type.Optional(Text(40, '2026-11-20 08:28:31'))
})
const plan = inputPlan({ body: Columns })
const flags = ['is_active', 'two_factor_enabled', 'is_email_verified', 'is_phone_verified']

export const requiredColumns: readonly string[] = Object.keys(nameFields)
export const knownColumns: ReadonlySet<string> = new Set(Object.keys(Columns.properties))

/** A row that cannot be stored. The message says why. */
export class RowRefused extends Error {}

/** The client in a row. Throws `RowRefused`, or what `readInput` throws. */
export function clientOf(
  fields: RequestInput['fields'],
  passwords: Pick<Passwords, 'isBare' | 'isHardened'>
): ImportedClient {
  for (const name of flags) {
    const [given] = fields.get(name) ?? []
    if (given) fields.set(name, [{ ...given, value: bitOf(given.value) }])
  }
  const row = readInput(plan, fields, undefined) as Static<typeof Columns>

  if (row.password !== undefined && !passwords.isBare(row.password) && !passwords.isHardened(row.password)) {
    throw new RowRefused('password must be a SHA-256 digest (64 hex digits), or a hash that Deskline has made')
  }
  if (row.two_factor_enabled && row.two_factor_secret === undefined) {
    throw new RowRefused('two_factor_enabled needs a two_factor_secret')
  }
  if (row.organisation_role !== undefined && (row.organisation_id ?? null) === null) {
    throw new RowRefused('organisation_role needs an organisation_id')
  }
  return {
    ...row,
    two_factor_secret: row.two_factor_secret && secretOf(row.two_factor_secret),
    created_at: timeOf('created_at', row.created_at),
    updated_at: timeOf('updated_at', row.updated_at)
  }
}

/** The spellings of yes and no in tables. */
const bits = new Map([true, 'true', 't', 'yes', '1'].map(yes => [yes as unknown, 1]))
for (const no of [false, 'false', 'f', 'no', '0']) bits.set(no, 0)

function bitOf(value: unknown): unknown {
  return bits.get(typeof value === 'string' ? value.trim().toLowerCase() : value) ?? value
}

function secretOf(text: string): string {
  const secret = text.replace(/[\s=-]/g, '').toUpperCase()
  if (/^[A-Z2-7]{16,128}$/.test(secret)) return secret
  throw new RowRefused('two_factor_secret must be Base32, 16 to 128 characters')
}

const timePattern = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(?:(Z)|([+-]\d\d):?(\d\d)?)?)?$/

/** A time without a zone is UTC, as in the contract. */
function timeOf(name: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const [, day = '', time = '00:00', , hours = '+00', minutes = '00'] = timePattern.exec(text) ?? []
  const date = new Date(`${day}T${time}${hours}:${minutes}`)
  const midnight = new Date(`${day}T00:00Z`)
  // Date would turn a 31st of February into a day of March.
  const exists = !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day)
  if (exists && !Number.isNaN(date.getTime())) return date
  throw new RowRefused(`${name} must be a time such as 2026-11-20 08:28:31`)
}
