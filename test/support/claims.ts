import assert from 'node:assert/strict'
import { bootDesk } from './desk.ts'
import { aMail, receiverOf } from './mails.ts'
import { anAdmin, aSupporter } from './people.ts'

/** An account that somebody has, and the address that it claims or has proven. */
export interface Account {
  id: number
  token: string
  email: string
}

/** A desk with what claims an address, proves it, and comes for it. */
export async function deskWithClaims() {
  const desk = await bootDesk({
    connections: 6,
    config: { NOTIFICATION_DELAY_SECONDS: 0, MAIL_TRUSTED_AUTH_HOSTS: ['mx.desk.example'] }
  })
  const receive = receiverOf(desk)
  const admin = await anAdmin(desk)
  const editor = await aSupporter(desk, 'clients.edit')
  await desk.post('/api/admin/settings/update', admin, {
    mail_addresses: { 'support@desk.example': 1 },
    tickets_without_account: 1
  })
  let serial = 0
  const newAddress = () => `someone.${++serial}@example.org`
  const password = 'correct horse'

  async function post(path: string, asker: { token: string } | undefined, body?: object) {
    const reply = await desk.post(path, asker, body)
    assert.ok(reply.status < 300, `${path} ${reply.status} ${reply.body?.message}`)
    return reply.data
  }

  async function mailsTo(email: string) {
    return (await desk.deliver()).emails.filter(({ to }) => to === email)
  }

  async function logIn(email: string, word = password): Promise<Account> {
    const { token, user } = await post('/api/auth/login', undefined, { email, password: word })
    return { id: user.id, token, email }
  }

  async function signUp(email = newAddress()): Promise<Account> {
    await post('/api/auth/signup', undefined, { first_name: 'Sly', last_name: 'Fox', email, password })
    return await logIn(email)
  }

  async function typeCode(account: Account): Promise<Account> {
    const { code } = await post('/api/auth/send-email-verification', account, { email: account.email })
    await post('/api/auth/verify-email', account, { email: account.email, code })
    return account
  }

  async function resetByEmail(email: string): Promise<Account> {
    const { reset_token } = await post('/api/auth/forgot-password', undefined, { email })
    await post('/api/auth/reset-password', undefined, { token: reset_token, new_password: 'battery staple' })
    return await logIn(email, 'battery staple')
  }

  async function changeOwn(account: Account, email = newAddress()): Promise<Account> {
    await post('/api/account/profile/update', account, { email, current_password: password })
    return { ...account, email }
  }

  async function changeAsStaff(account: Account, email = newAddress()): Promise<Account> {
    await post('/api/admin/clients/update', editor, { id: account.id, email })
    return await logIn(email)
  }

  function mail(from: string, { to = 'support@desk.example', subject = 'Lost key', verdict = 'none' } = {}) {
    const head =
      verdict === 'none' ? '' : `Authentication-Results: mx.desk.example; dmarc=${verdict} header.from=example.org\r\n`
    return receive(head + aMail({ From: from, To: to, Subject: subject }, 'My secret words.\n'))
  }

  async function writeForm(email: string): Promise<number | undefined> {
    const form = { name: 'Vera Victim', email, department_id: 1, subject: 'Lost key', message: 'My secret words.' }
    await post('/api/tickets/open', undefined, form)
    const asked = (await mailsTo(email)).findLast(({ subject }) => subject === 'Confirm your ticket')
    if (!asked) return undefined
    const link = new URL(/https?:\S+confirm-ticket\S+/.exec(asked.text)![0])
    assert.equal((await fetch(desk.url + link.pathname + link.search, { method: 'POST' })).status, 200)
    const { id } = await desk.db
      .selectFrom('tickets')
      .select('id')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    return id
  }

  /** Where this account meets the ticket. */
  async function meets(account: Account, id: number): Promise<Record<string, boolean>> {
    const { ticket_number: number } = await desk.db
      .selectFrom('tickets')
      .where('id', '=', id)
      .select('ticket_number')
      .executeTakeFirstOrThrow()
    const list = await post('/api/tickets/list', account)
    const open = await post('/api/tickets/list', account, { department_id: 1 })
    const search = await post('/api/tickets/search', account, { query: number })
    const statusOf = async (path: string, body: object) => (await desk.post(path, account, body)).status < 300
    const lists = (data: { tickets: { id: number }[] }) => data.tickets.some(ticket => ticket.id === id)
    assert.deepEqual([list.total, open.total], [list.tickets.length, open.tickets.length])
    return {
      list: lists(list),
      filtered: lists(open),
      search: search.results.some((result: { ticket: { id: number } }) => result.ticket.id === id),
      detail: await statusOf('/api/tickets/detail', { id }),
      number: await statusOf('/api/tickets/detail', { id: number }),
      followers: await statusOf('/api/tickets/followers/list', { id }),
      reply: await statusOf('/api/tickets/reply', { id, message: 'And?' }),
      status: await statusOf('/api/tickets/status', { id, status: 'Open' })
    }
  }

  return {
    desk,
    receive,
    admin,
    editor,
    newAddress,
    password,
    post,
    mailsTo,
    logIn,
    signUp,
    typeCode,
    resetByEmail,
    changeOwn,
    changeAsStaff,
    mail,
    writeForm,
    meets
  }
}
