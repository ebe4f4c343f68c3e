import { sql } from 'kysely'
import type { ClientActor } from '../../core/actor.ts'
import type { Act } from '../../core/acts/act.ts'
import { type Db, prepared } from '../../core/db.ts'
import { invitationSeconds } from '../../core/limits.ts'
import type { Services } from '../../core/services.ts'
import type { ClientRow } from '../../core/tables/clients.ts'
import type { Language } from '../../core/wording/languages.ts'
import { addToOutbox } from '../../mail/outbox/add-to-outbox.ts'
import { openAccount } from '../../people/clients/sign-up.ts'
import { addressInForce, emailInForce } from '../../people/credentials/email-in-force.ts'
import { resetPage } from '../../people/credentials/reset-page.ts'
import { newResetLink } from '../../people/reset/reset-link.ts'
import type { Mailbox } from '../../platform/mail-reading/addresses.ts'

/** A client account, which may be deactivated. */
export type SenderAccount = ClientActor & { isActive: boolean }

/**
 * The client whose e-mails come from this address, whatever its case. While a change of an address is neither proven nor confirmed, that is the
 * former one: an e-mail from the new one is a stranger's.
 */
export async function accountOfSender(db: Db, email: string): Promise<SenderAccount | undefined> {
  const [client] = await byAddress(db, { email })
  return client && accountOf(client)
}

/**
 * The account that claims this address by a change that is neither proven nor confirmed. What comes from there belongs to whoever has the address:
 * the account sees it once it has proven it. If staff have made the change, `isByStaff`, not even that much is certain.
 */
export async function accountClaiming(
  db: Db,
  email: string
): Promise<(SenderAccount & { isByStaff: boolean }) | undefined> {
  const [claim] = await byClaim(db, { email })
  return claim && { ...accountOf(claim), isByStaff: claim.changed_by === 'staff' }
}

export async function accountOfId(db: Db, id: number): Promise<SenderAccount | undefined> {
  const [client] = await byId(db, { id })
  return client && accountOf(client)
}

const columns = ['clients.id', 'clients.first_name', 'clients.last_name', 'clients.is_active'] as const

type Stored = Pick<ClientRow, 'id' | 'email' | 'first_name' | 'last_name' | 'is_active'>

function accountOf(client: Stored): SenderAccount {
  const { id, first_name: firstName, last_name: lastName, is_active: isActive, email } = client
  return { population: 'client', id, firstName, lastName, email, isActive }
}

const byAddress = prepared((db, p: { email: string }) =>
  db
    .selectFrom('clients')
    .where(
      'id',
      '=',
      sql<number>`coalesce(
        (select open.client_id from email_changes as open where lower(open.former_email) = lower(${p.email}) limit 1),
        (select known.id from clients as known where lower(known.email) = lower(${p.email})
          and not exists (select from email_changes as open where open.client_id = known.id)))`
    )
    .select([...columns, emailInForce.as('email')])
)

const byClaim = prepared((db, p: { email: string }) =>
  db
    .selectFrom('clients')
    .innerJoin('email_changes', 'email_changes.client_id', 'clients.id')
    .where(sql`lower(clients.email)`, '=', sql`lower(${p.email})`)
    .select([...columns, 'clients.email', 'email_changes.changed_by'])
)

const byId = prepared((db, p: { id: number }) =>
  db
    .selectFrom('clients')
    .where('id', '=', p.id)
    .select([...columns, emailInForce.as('email')])
)

/**
 * The address whose proof shows the account a reply: the client's, or that of the sender if e-mails about the ticket once went there to the client.
 * The account has given it up since without proving it, so it is somebody else's.
 */
export async function addressOfReply(
  db: Db,
  ticket: { id: number; client_id: number },
  sender: string
): Promise<string> {
  const [told] = await toldAsClient(db, { ticket: ticket.id, sender })
  return told ? sender : (await addressInForce(db, ticket.client_id))!
}

const toldAsClient = prepared((db, p: { ticket: number; sender: string }) =>
  db
    .selectFrom('sent_emails')
    .innerJoin('tickets', 'tickets.id', 'sent_emails.ticket_id')
    .innerJoin('clients', 'clients.id', 'tickets.client_id')
    .where('sent_emails.ticket_id', '=', p.ticket)
    .where('sent_emails.kind', '=', 'client-ticket')
    .where(sql`lower(sent_emails.recipient)`, '=', sql`lower(${p.sender})`)
    .where(sql<boolean>`lower(${p.sender}) <> all(clients.former_emails)`)
    .select('sent_emails.id')
    .limit(1)
)

interface NewSender {
  password: string
  isInvited: boolean
  requestId: string
  /** The language in which they wrote, if known. */
  language: Language | null
}

/** Opens an account without a password for a sender, and invites them to choose one, unless the sender must not get a reply. */
export async function openAccountForSender(
  services: Services,
  act: Act,
  sender: Mailbox,
  { password, isInvited, requestId, language }: NewSender
): Promise<SenderAccount> {
  const { config } = services
  const { db } = act
  const name = nameOf(sender)
  const person = { first_name: name.first, last_name: name.last, email: sender.email, language }
  const id = await openAccount(db, person, password, act.now)
  act.happened({ kind: 'client.created', subject: { type: 'client', id } })
  if (isInvited) {
    const invited = await newResetLink(services, db, { id, email: sender.email }, resetPage(config), invitationSeconds)
    await addToOutbox(services, db, {
      kind: 'invitation',
      channel: 'mail',
      recipient: sender.email,
      clientId: id,
      requestId,
      reader: { population: 'client', id },
      email: {
        template: 'invitation',
        values: { 'reset.link': invited!.link, 'reset.valid_for': invitationSeconds }
      }
    })
  }
  return { population: 'client', id, firstName: name.first, lastName: name.last, email: sender.email, isActive: true }
}

const maxNameCharacters = 100

/** The first and last name from the sender's display name, else from the address. */
export function nameOf({ name, email }: Mailbox): { first: string; last: string } {
  const [local = '', domain = ''] = [email.slice(0, email.lastIndexOf('@')), email.slice(email.lastIndexOf('@') + 1)]
  const given = name.includes('@') ? '' : name.replace(/\s+/g, ' ').trim()
  const [last, first] = /^([^,]{1,100}), ?([^,]{1,100})$/.exec(given)?.slice(1) ?? []
  if (first && last) return { first: cut(first), last: cut(last) }
  const words = (
    given ||
    local
      .replace(/\+.*$/, '')
      .replace(/^"|"$/g, '')
      .split(/[._-]+/)
      .map(capital)
      .join(' ')
  )
    .trim()
    .split(' ')
  const rest = words.slice(1).join(' ')
  return { first: cut(words[0] || local || 'Unknown'), last: cut(rest || domain) }
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}

function cut(text: string): string {
  return [...text].slice(0, maxNameCharacters).join('').trim() || '?'
}
