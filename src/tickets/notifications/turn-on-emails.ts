import { sql } from 'kysely'
import type { StaffActor } from '../../core/actor.ts'
import { type ActServices, act } from '../../core/acts/act.ts'
import type { Origin } from '../../core/audit/audit-actor.ts'
import { type Db, prepared } from '../../core/db.ts'
import { clearAddress } from '../../mail/outbox/undeliverable-addresses.ts'
import { clientEmailOf } from '../ticket/client-email.ts'
import { lockedForReply } from '../ticket/locked-ticket.ts'
import type { TicketRef } from '../ticket/schemas.ts'

/** What keeps an answer from the client, by the state of their e-mails, and that staff can take away. */
const obstacles = { turned_off: 'ticket_emails', unsubscribed: 'automatic_emails', bounced: 'address' } as const

function isOff(state: string): state is keyof typeof obstacles {
  return Object.hasOwn(obstacles, state)
}

/**
 * Turns the e-mails to a ticket's client on again, because they asked for it: what they had ended themselves, and an address that was stopped after
 * bounces. The timeline says who did so. Returns what the client gets from now on; if nothing was off, nothing changes. Throws `TicketNotFound`,
 * `TicketMerged`.
 */
export async function turnOnEmails(
  services: ActServices,
  { actor, caller, ref }: { actor: StaffActor; caller: Origin; ref: TicketRef }
) {
  return await act(services, { actor, caller }, async act => {
    const { db } = act
    const { id: ticket, client_id: client } = await lockedForReply(db, actor, ref, undefined)
    const before = await clientEmailOf(db, ticket)
    const subject = { type: 'client', id: client } as const
    if (!isOff(before.state)) return before
    let after = before
    const cleared = new Set<string>()
    while (isOff(after.state) && !cleared.has(after.state)) {
      const obstacle = obstacles[after.state]
      cleared.add(after.state)
      if (obstacle === 'address') {
        await clearAddress(db, after.email)
        act.happened({ kind: 'client.address_cleared', subject })
      } else {
        await turnOn[obstacle](db, { client })
        act.happened({ kind: 'notifications.changed', subject, before: { [obstacle]: 0 }, after: { [obstacle]: 1 } })
      }
      after = await clientEmailOf(db, ticket)
    }
    act.happened({
      kind: 'ticket.emails_turned_on',
      ticket,
      before: { state: before.state },
      after: { state: after.state }
    })
    return after
  })
}

const turnOn = {
  ticket_emails: prepared((db: Db, p: { client: number }) =>
    db
      .updateTable('clients')
      .where('id', '=', p.client)
      .set({ ticket_emails: sql.lit(true) })
  ),
  automatic_emails: prepared((db: Db, p: { client: number }) =>
    db
      .updateTable('clients')
      .where('id', '=', p.client)
      .set({ automatic_emails: sql.lit(true) })
  )
}
