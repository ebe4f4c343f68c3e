import { type KeysOf, keysOf } from '../platform/secrets/keys.ts'
import type { Population } from './tables/columns.ts'

/** The claims of each kind of signed token. */
interface TokenClaims {
  access: { session: number; population: Population; account: number }
  'help-reader': { session: number; population: Population; account: number }
  'help-answer': { session: number; population: Population; account: number }
  'end-sign-in': { session: number; device: number; population: Population; account: number }
  challenge: { challenge: number }
  reset: { reset: number }
  'staff-reset': { reset: number }
  'email-change': { change: number }
  'ticket-confirmation': { ticket: number }
}

export type Keys = KeysOf<TokenClaims>

export const makeKeys = keysOf<TokenClaims>
