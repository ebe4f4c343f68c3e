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
import { newResetLink } from '../../people/reset/reset-link.ts'
import { resetPage } from '../../people/reset/reset-page.ts'
import type { Mailbox } from '../../platform/mail-reading/addresses.ts'

/** A client account, which may be deactivated. */
export type SenderAccount = ClientActor & { isActive: boolean }

/** The client with this address, whatever its case. */
export async function accountOfSender(db: Db, email: string): Promise<SenderAccount | undefined> {
  const [client] = await byAddress(db, { email })
  return client && accountOf(client)
}

export async function accountOfId(db: Db, id: number): Promise<SenderAccount | undefined> {
  const [client] = await byId(db, { id })
  return client && accountOf(client)
}

const columns = ['id', 'email', 'first_name', 'last_name', 'is_active'] as const

function accountOf(client: Pick<ClientRow, (typeof columns)[number]>): SenderAccount {
  const { id, first_name: firstName, last_name: lastName, is_active: isActive, email } = client
  return { population: 'client', id, firstName, lastName, email, isActive }
}

const byAddress = prepared((db, p: { email: string }) =>
  db.selectFrom('clients').where(sql`lower(email)`, '=', sql`lower(${p.email})`).select(columns)
)

const byId = prepared((db, p: { id: number }) => db.selectFrom('clients').where('id', '=', p.id).select(columns))

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
