import assert from 'node:assert/strict'
import type { Desk } from './desk.ts'
import type { ImapServer } from './imap-server.ts'
import type { Person } from './people.ts'

/** The settings of a desk that may connect mailboxes on this machine. */
export const localMailServers = { MAILBOX_ALLOW_PRIVATE: ['127.0.0.1', '::1'] }

/** A server on this machine as a mailbox names it. */
export function serverAt(port: number, more: object = {}) {
  return { host: '127.0.0.1', port, security: 'none', user: 'desk', password: 's3cret', ...more }
}

/** A mailbox as mailboxes/create answers it. */
export async function aMailbox(desk: Desk, admin: Person, given: object = {}) {
  const reply = await desk.post('/api/admin/mail/mailboxes/create', admin, {
    name: 'Example Support',
    address: 'support@box.example',
    deptid: 1,
    ...given
  })
  assert.equal(reply.status, 201, JSON.stringify(reply.body))
  return reply.data.mailbox
}

/** The part of a mailbox that receives from this server. */
export function receivesFrom({ port }: ImapServer, more: object = {}) {
  return { imap: serverAt(port, more) }
}
