import type { Row, Visitor } from '../../src/operation/pages/authorization.ts'
import type { Desk } from './desk.ts'
import { anAdmin, aSupporter, type Person } from './people.ts'

/** There is no held mail to decide on: whoever may hears of that. */
const findNothing = [
  ...['release', 'delete', 'restore'].map(verb => `/api/admin/mail/held/${verb}`),
  ...['process', 'send'].map(verb => `/api/admin/mail/log/${verb}`)
]

/** A request that lacks what it needs has passed the gates when it hears of that. */
const letIn = (status: number) => status < 300 || status === 400

interface Things {
  /** The client whose ticket it is. */
  owner: Person
  ticketId: number
  attachment: { id: number; file_path: string }
}

/** Sends the requests of the authorization matrix: the same for all callers, and enough for whoever may. */
export function authorizationRequests(desk: Desk, { owner, ticketId: ticket_id, attachment }: Things) {
  let serial = 0
  let present: Person | undefined
  let blocked: number | undefined

  // Where more than a login is asked for.
  const requests: Record<string, () => object | Promise<object>> = {
    '/api/tickets/create': () => ({ department_id: 1, subject: 'The printer is on fire', message: 'Still.' }),
    '/api/tickets/detail': () => ({ id: ticket_id }),
    '/api/tickets/reply': () => ({ id: ticket_id, message: 'Still.' }),
    '/api/tickets/status': () => ({ id: ticket_id, status: 'Open' }),
    '/api/tickets/attachment-link': () => ({ id: attachment.id }),
    '/api/tickets/fields': () => ({ id: ticket_id, fields: {} }),
    '/api/tickets/follow': () => ({ id: ticket_id }),
    '/api/admin/staff/create': () => ({
      first_name: 'Grace',
      last_name: 'Hopper',
      email: `new.${++serial}@example.com`,
      password: 'correct horse'
    }),
    '/api/admin/staff/detail': async () => ({ id: (await someSupporter()).id }),
    '/api/admin/staff/update': async () => ({ id: (await someSupporter()).id, first_name: 'Grace' }),
    '/api/admin/staff/permissions': async () => ({ id: (await someSupporter()).id, permissions: ['clients.view'] }),
    '/api/admin/staff/delete': async () => ({ id: (await someSupporter()).id }),
    '/api/admin/mail/held/release': () => ({ id: 4711 }),
    '/api/admin/mail/held/delete': () => ({ ids: [4711] }),
    '/api/admin/mail/held/restore': () => ({ id: 4711 }),
    '/api/admin/mail/log/process': () => ({ id: 4711 }),
    '/api/admin/mail/log/send': () => ({ id: 4711 }),
    '/api/admin/mail/blocked/add': () => ({ sender: `stranger.${++serial}@far.example` }),
    '/api/admin/mail/blocked/remove': async () => ({ id: await someBlockedSender() }),
    '/api/admin/clients/detail': () => ({ id: owner.id })
  }

  async function ask(method: string, path: string, token: string | undefined): Promise<number> {
    const body = method === 'POST' ? JSON.stringify((await requests[path]?.()) ?? {}) : undefined
    const answer = await fetch(desk.url + (method === 'GET' ? attachment.file_path : path), {
      method,
      body,
      headers: {
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...(token ? { authorization: `Bearer ${token}` } : {})
      }
    })
    // Of a stream nobody awaits the end.
    await answer.body?.cancel()
    return answer.status
  }

  /** One that is there, whoever may have been deleted meanwhile. */
  async function someSupporter(): Promise<Person> {
    const isThere =
      present && (await desk.db.selectFrom('staff').select('id').where('id', '=', present.id).executeTakeFirst())
    if (!isThere) present = await aSupporter(desk)
    return present!
  }

  /** The id of a blocked sender that is there. */
  async function someBlockedSender(): Promise<number> {
    const isThere =
      blocked && (await desk.db.selectFrom('blocked_senders').select('id').where('id', '=', blocked).executeTakeFirst())
    if (!isThere) {
      const sender = `blocked.${++serial}@far.example`
      blocked = (await desk.post('/api/admin/mail/blocked/add', await anAdmin(desk), { sender })).data.sender.id
    }
    return blocked!
  }

  /** What is wrong with this status, if the table says something else of the caller. */
  function faultOf({ method, path, cells }: Row, visitor: Visitor, status: number): string | undefined {
    const expected = cells.get(visitor)!
    const isLetIn = findNothing.includes(path) ? status === 404 : letIn(status) && (status < 300 || !(path in requests))
    if (expected === 'yes' ? isLetIn : status === expected) return undefined
    return `${method} ${path}, ${visitor.name}: ${expected} is said, ${status} was answered`
  }

  return { ask, faultOf, someSupporter, someBlockedSender }
}
