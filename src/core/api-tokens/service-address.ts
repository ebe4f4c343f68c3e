import { randomUUID } from 'node:crypto'

// A service account has no mailbox. Its row of staff needs an address that is nobody's: names below `.invalid` never exist (RFC 2606).

const domain = '@service-accounts.invalid'

export function newServiceAddress(): string {
  return `${randomUUID()}${domain}`
}

export function isServiceAddress(email: string): boolean {
  return email.endsWith(domain)
}
