import assert from 'node:assert/strict'
import { anArticle } from './articles.ts'
import { codeAt } from './authenticator.ts'
import type { Desk } from './desk.ts'
import { anIdentityProvider, aProvider } from './identity-provider.ts'
import { aSupporter, type Person } from './people.ts'
import { aPasskey, made, signed } from './software-authenticator.ts'
import { listen } from './streams.ts'
import { aFile, aTicket, form } from './tickets.ts'
import {
  assertNoNote,
  type NotesSetup,
  noteCanary,
  requestWithoutNotes,
  type TicketWithNotes
} from './tickets-with-notes.ts'

type Do = (path: string, asker?: { token: string }, body?: object) => Promise<Done>
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
type Done = any

/** Does everything that a client, or somebody without an account, can do at this desk; each call succeeds. Returns the called paths. */
export async function sendAllClientRequests(
  desk: Desk,
  { owner, manager, admin, tickets }: NotesSetup
): Promise<Set<string>> {
  const paths = new Set<string>()
  const does: Do = async (path, asker, body) => {
    paths.add(path)
    const { status, text } = await requestWithoutNotes(desk, path, { asker, body })
    assert.ok(status < 300, `${path} answered ${status} ${text}`)
    return JSON.parse(text).data
  }
  const settings = ['tickets_without_account', 'csat_enabled'].map(name => ({ name, value: '1' }))
  await desk.db.insertInto('desk_settings').values(settings).execute()
  await lookAround(does, owner)
  const { trashed: _, others: __, split: ___, ...own } = tickets
  for (const ticket of Object.values(own)) await workOn(does, ticket, owner)
  await manage(does, Object.values(own), manager)
  await rate(desk, does, Object.values(own)[0]!, owner)
  await readArticles(desk, does, owner, admin)
  for (const person of [owner, manager]) await search(does, Object.values(own), person)
  await listenToAll(desk, owner, owner, paths)
  await listenToAll(desk, manager, owner, paths)
  await useAccount(desk, does, owner)
  await proveAddresses(desk, does, owner)
  await usePasskeys(desk, does, owner)
  await useProviders(desk, does, owner, admin)
  await signInAsStaff(desk, does, admin)
  await resetAsStaff(desk, does, admin)
  await useSecondFactor(desk, does, owner)
  await comeBack(desk, does, owner)
  await moveAway(desk, does, owner)
  return paths
}

async function lookAround(does: Do, owner: Person): Promise<void> {
  const newcomer = { first_name: 'New', last_name: 'Comer', email: 'new.comer@example.com', password: 'correct horse' }
  await does('/api/check')
  await does('/api/departments')
  await does('/api/desk')
  await does('/api/auth/signup', undefined, newcomer)
  const { first_name: name, email } = newcomer
  await does('/api/tickets/open', undefined, { name, email, department_id: 1, subject: 'S', message: 'M' })
  await does('/api/user/checkUserByEmail', undefined, { email: newcomer.email })
  await does('/api/tickets/create', owner, form({ department_id: 1, subject: 'S', message: 'M' }, aFile('a.txt')))
  await does('/api/tickets/list', owner)
  await does('/api/tickets/list', owner, { status: 'Closed' })
}

async function workOn(does: Do, { id, ticket_number }: TicketWithNotes, owner: Person): Promise<void> {
  for (const ref of [id, ticket_number]) {
    const { messages } = await does('/api/tickets/detail', owner, { id: ref })
    assert.ok(messages.length >= 2)
    for (const { attachments } of messages) {
      for (const file of attachments) await does('/api/tickets/attachment-link', owner, { id: file.id })
    }
    const { followers } = await does('/api/tickets/followers/list', owner, { id: ref })
    for (const { id: follower_id } of followers) {
      await does('/api/tickets/followers/remove', owner, { id: ref, follower_id })
    }
    await does('/api/ticket-forms', owner, { deptid: 1 })
    await does('/api/tickets/fields', owner, { id: ref, fields: {} })
    await does('/api/tickets/reply', owner, form({ id: ref, message: 'More.' }, aFile('more.txt')))
    await does('/api/tickets/status', owner, { id: ref, status: 'Closed' })
    await does('/api/tickets/reply', owner, { id: ref, message: 'And more.' })
  }
}

/** Rates a closed ticket, in the portal and by the link of an e-mail. */
async function rate(desk: Desk, does: Do, { id }: TicketWithNotes, owner: Person): Promise<void> {
  await desk.db.updateTable('tickets').set({ status: 'Closed' }).where('id', '=', id).execute()
  const [token, now] = ['the-token-of-an-e-mail', desk.clock.now()]
  const token_digest = desk.services.keys.digest('satisfaction', token)
  const survey = { ticket_id: id, closing_event_id: 1, closed_at: now, due_at: null, sent_at: now, token_digest }
  await desk.db.insertInto('csat_surveys').values(survey).execute()
  await does('/api/tickets/rating', owner, { id })
  await does('/api/tickets/rate', owner, { id, rating: 'good' })
  await does('/api/csat/show', undefined, { token })
  await does('/api/csat/rate', undefined, { token, rating: 'bad', comment: 'Slow' })
}

/** Reads articles, finds them, and says whether they helped. */
async function readArticles(desk: Desk, does: Do, owner: Person, admin: Person): Promise<void> {
  const { id } = await anArticle(desk, admin)
  const { ticket_id } = await aTicket(desk, owner)
  await does('/api/kb/read', owner, { ticket_id, article_ids: [id] })
  for (const reader of [owner, undefined]) {
    await does('/api/kb/list', reader)
    await does('/api/kb/article', reader, { id })
    await does('/api/kb/search', reader, { search: noteCanary })
    await does('/api/kb/suggest', reader, { subject: noteCanary })
    await does('/api/kb/feedback', reader, { article_id: id, locale: 'en', is_helpful: 1 })
    await does('/api/kb/solved', reader, { article_id: id, locale: 'en' })
  }
}

/** What a manager does with tickets of a colleague. */
async function manage(does: Do, tickets: TicketWithNotes[], manager: Person): Promise<void> {
  const { people } = await does('/api/account/organisation', manager)
  assert.ok(people.length > 1)
  await does('/api/tickets/list', manager, { scope: 'organisation' })
  for (const { id } of tickets) {
    await does('/api/tickets/detail', manager, { id })
    await does('/api/tickets/followers/list', manager, { id })
    await does('/api/tickets/follow', manager, { id })
    await does('/api/tickets/reply', manager, { id, message: 'And more of the manager.' })
    await does('/api/tickets/status', manager, { id, status: 'Closed' })
  }
}

/** All events so far, as a stream sends them. */
async function listenToAll(desk: Desk, reader: Person, owner: Person, paths: Set<string>): Promise<void> {
  const path = '/api/events/stream'
  paths.add(path)
  const stream = await listen(desk.url, { token: reader.token, path, body: { after: '0' } })
  const last = await aTicket(desk, owner)
  await stream.first(({ data }) => data.ticket_id === last.ticket_id)
  stream.close()
  assert.ok(stream.told.length > 10)
  assertNoNote(path, JSON.stringify(stream.told))
  assert.ok(!stream.told.some(({ event }) => event === 'ticket.noted' || event === 'presence'))
}

/** A search response does not repeat the query, so that any text in it was found. */
async function search(does: Do, tickets: TicketWithNotes[], owner: Person): Promise<void> {
  const typed = [
    noteCanary,
    noteCanary.slice(0, 7),
    `${noteCanary.slice(0, -1)}x`,
    `smoke ${noteCanary}`,
    'more',
    'correct'
  ]
  for (const query of typed) {
    const { results, total } = await does('/api/tickets/search', owner, { query })
    if (query.startsWith(noteCanary.slice(0, 7))) assert.deepEqual([total, results], [0, []])
  }
  for (const { ticket_number } of tickets) {
    const { results } = await does('/api/tickets/search', owner, { query: ticket_number })
    assert.ok(results.length > 0)
  }
}

async function useAccount(desk: Desk, does: Do, owner: Person): Promise<void> {
  await does('/api/account/profile', owner)
  await does('/api/account/profile/update', owner, { city: 'Utrecht' })
  await does('/api/account/sessions', owner)
  const { api_token } = await does('/api/account/tokens/create', owner, { name: 'Nightly export' })
  await does('/api/account/tokens/list', owner)
  await does('/api/account/tokens/rename', owner, { id: api_token.id, name: 'Export at night' })
  const replaced = await does('/api/account/tokens/replace', owner, { id: api_token.id })
  await does('/api/account/tokens/revoke', owner, { id: replaced.api_token.id })
  await does('/api/account/sessions/revoke', owner, { others: 1 })
  await does('/api/account/password', owner, { current_password: owner.password, new_password: owner.password })
  await does('/api/account/notifications', owner)
  await does('/api/account/notifications', owner, { ticket_emails: 1 })
  const emails = await messagesTo(desk, owner)
  const [, token] = emails.join().match(/\/unsubscribe\?token=([\w.-]+)/)!
  await does('/api/notifications/unsubscribe', undefined, { token })
  await does('/api/account/notifications', owner, { ticket_emails: 1 })
}

async function proveAddresses(desk: Desk, does: Do, owner: Person): Promise<void> {
  const mailed = await does('/api/auth/send-email-verification', owner)
  await does('/api/auth/verify-email', owner, { code: mailed.code })
  const texted = await does('/api/auth/send-phone-verification', owner)
  await does('/api/auth/verify-phone', owner, { code: texted.code })
  assert.equal(
    (await messagesTo(desk, owner)).some(mail => mail.includes(mailed.code)),
    true
  )
}

async function resetAsStaff(desk: Desk, does: Do, { email, password }: Person): Promise<void> {
  await does('/api/admin/auth/login', undefined, { email, password })
  await does('/api/admin/auth/forgot-password', undefined, { email })
  const [mail] = (await messagesTo(desk, { email })).filter(each => each.includes('population=staff'))
  const [, token] = /[?&]token=([\w.-]+)/.exec(mail!)!
  await does('/api/admin/auth/reset-password', undefined, { token, new_password: password })
}

async function useSecondFactor(desk: Desk, does: Do, { token, email, password }: Person): Promise<void> {
  const owner = { token }
  const { secret } = await does('/api/auth/2fa/setup', owner)
  await does('/api/auth/2fa/enable', owner, { secret, code: codeAt(secret, desk.clock.now()) })
  await does('/api/account/2fa/recovery-codes', owner, { password })
  desk.clock.turn(30)
  const { temp_token } = await does('/api/auth/login', undefined, { email, password })
  await does('/api/auth/2fa/verify-login', undefined, { temp_token, code: codeAt(secret, desk.clock.now()) })
  await does('/api/auth/2fa/disable', owner, { password })
}

async function usePasskeys(_desk: Desk, does: Do, owner: Person): Promise<void> {
  const { options, challenge_id } = await does('/api/account/passkeys/options', owner)
  const { passkey, response } = made(options)
  const { id } = (await does('/api/account/passkeys/register', owner, { challenge_id, response })).passkey
  await does('/api/account/passkeys/list', owner)
  await does('/api/account/passkeys/rename', owner, { id, name: 'Phone' })
  const begun = await does('/api/auth/passkey/options')
  const signature = signed(passkey, begun.options)
  await does('/api/auth/passkey/verify', undefined, { challenge_id: begun.challenge_id, response: signature })
  await does('/api/account/passkeys/delete', owner, { id })
}

async function useProviders(desk: Desk, does: Do, owner: Person, admin: Person): Promise<void> {
  const { slug, id: provider_id } = await aProvider(desk, admin, await anIdentityProvider())
  await does('/api/sso/providers')
  await does('/api/sso/challenge')
  await does('/api/account/identities/link', owner, { slug })
  const row = { provider_id, subject: 'owner', user_type: 'client', user_id: owner.id, last_used_at: null } as const
  await desk.db.insertInto('sso_identities').values(row).execute()
  const { identities } = await does('/api/account/identities', owner)
  await does('/api/account/identities/unlink', owner, { id: identities[0].id })
}

async function signInAsStaff(desk: Desk, does: Do, admin: Person): Promise<void> {
  const passkey = await aPasskey(desk, admin)
  const { options, challenge_id } = await does('/api/admin/auth/passkey/options')
  await does('/api/admin/auth/passkey/verify', undefined, { challenge_id, response: signed(passkey, options) })
}

async function comeBack(desk: Desk, does: Do, { email, password }: Person): Promise<void> {
  const { reset_token: token } = await does('/api/auth/forgot-password', undefined, { email })
  await does('/api/auth/verify-reset-token', undefined, { token })
  await does('/api/auth/reset-password', undefined, { token, new_password: password })
  const { refresh_token } = await does('/api/auth/login', undefined, { email, password })
  await does('/api/auth/logout', await does('/api/auth/refresh', undefined, { refresh_token }))
  await messagesTo(desk, { email })
}

async function moveAway(desk: Desk, does: Do, { id, email }: Person): Promise<void> {
  const asker = await aSupporter(desk, 'clients.edit')
  await requestWithoutNotes(desk, '/api/admin/clients/update', { asker, body: { id, email: 'moved.away@example.com' } })
  const [, token] = (await messagesTo(desk, { email })).join().match(/confirm-email\?token=([\w.-]+)/)!
  await does('/api/auth/confirm-email-change', undefined, { token })
}

/** The e-mails to somebody, each as one text. */
async function messagesTo(desk: Desk, { email }: { email: string }): Promise<string[]> {
  desk.clock.turn(desk.services.config.NOTIFICATION_DELAY_SECONDS)
  const { emails } = await desk.deliver()
  return emails.filter(({ to }) => to === email).map(mail => JSON.stringify(mail))
}
