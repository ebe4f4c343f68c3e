import type { Desk } from './desk.ts'
import { aClient } from './people.ts'
import type { Scene } from './staff-writes.ts'
import { aTicket } from './tickets.ts'

let serial = 0

/** Writes of staff to followers, and to clients whose e-mails come back. */
export const followerWrites = {
  '/api/admin/tickets/followers/add': async ({ desk }: Scene) => ({
    body: { id: await ticketOf(desk), email: `canary.follower.${++serial}@example.com`, name: 'canary' },
    refused: { id: 999_999, email: 'canary@example.com' }
  }),
  '/api/admin/tickets/followers/remove': aFollowerToRemove,
  '/api/tickets/followers/remove': aFollowerToRemove,
  '/api/admin/clients/deliver-again': async ({ desk }: Scene) => ({
    body: { id: await aClientGivenUp(desk) },
    refused: { id: 999_999 }
  })
}

async function aFollowerToRemove({ desk }: Scene) {
  const id = await ticketOf(desk)
  const { id: follower_id } = await desk.db
    .insertInto('ticket_followers')
    .values({ ticket_id: id, email: `follower.${id}@example.com`, name: 'canary', added_by: 'client' })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { body: { id, follower_id }, refused: { id, follower_id: 999_999 } }
}

async function ticketOf(desk: Desk): Promise<number> {
  return (await aTicket(desk, await aClient(desk))).ticket_id
}

async function aClientGivenUp(desk: Desk): Promise<number> {
  const { id, email } = await aClient(desk)
  const mark = { is_permanent: true, status: '5.1.1', reason: 'no such address', last_at: desk.clock.now() }
  await desk.db
    .insertInto('undeliverable_addresses')
    .values({ email, ...mark })
    .execute()
  return id
}
