import { randomBytes } from 'node:crypto'
import { type Passwords, unknownPassword } from '../../platform/secrets/passwords.ts'

/** The hash of a random password that nobody knows: it is verified like any other, and a reset link replaces it. */
export async function unusablePassword(passwords: Passwords): Promise<string> {
  return unknownPassword(await passwords.hash(randomBytes(32).toString('base64url')))
}
