import { ticketStatuses } from '../src/tickets/schemas.ts'
import type { Cast } from './cast.ts'
import { password } from './fill.ts'
import { fileMessage, jsonMessage, message } from './http-message.ts'
import { searchTerms } from './vocabulary.ts'

/** One kind of request, as the bench sends it over and over. */
export interface Scenario {
  name: string
  path: string
  writes: boolean
  /**
   * Requests that are sent in turn. The first two differ in everything in which any differ: by that the floor learns what of a
   * statement comes from the request.
   */
  requests(cast: Cast): Buffer[]
  /** How much time a million tickets may take in comparison with a thousand. */
  growth: number
  /** Its requests are forms with a file. */
  sendsForm?: boolean
  /** So many rows may be sorted, if not 100. */
  sorts?: number
  /** The floor checks the password after so many statements. */
  hashesAfter?: number
  /** Is in the short form. */
  short?: boolean
}

const megabyte = 1024 * 1024
const subject = (at: number) => `The printer number ${at} is on fire again`
const text = (at: number) => `It started this morning at ${at}. ${'And now the curtains burn as well. '.repeat(6)}`

const list: Scenario = {
  name: 'list',
  path: '/api/tickets/list',
  writes: false,
  requests: ({ listers }) => listers.map(({ token }) => jsonMessage(list.path, token, { limit: 20 })),
  growth: 1.3,
  short: true
}

const detail: Scenario = {
  name: 'detail',
  path: '/api/tickets/detail',
  writes: false,
  requests: ({ readers }) => readers.map(({ token, ticket }) => jsonMessage(detail.path, token, { id: ticket })),
  growth: 1.3,
  short: true
}

const queue: Scenario = {
  name: 'queue',
  path: '/api/admin/tickets/list',
  writes: false,
  requests: ({ admin }) => [jsonMessage(queue.path, admin.token, { status: ['Open', 'In Progress'] })],
  growth: 1.3,
  short: true
}

const deepQueue: Scenario = {
  name: 'queue, page 30',
  // The other address of the queue, so that the floor can tell them apart.
  path: '/api/admin/tickets',
  writes: false,
  requests: ({ admin }) => [jsonMessage(deepQueue.path, admin.token, { page: 30 })],
  growth: 2
}

const fullQueue: Scenario = {
  name: 'queue, 100 rows',
  // Another address once more.
  path: '/api/admin/tickets/list?',
  writes: false,
  requests: ({ admin }) => [jsonMessage(fullQueue.path, admin.token, { limit: 100 })],
  growth: 1.3,
  // One more row tells whether there is a next page.
  sorts: 101
}

const counts: Scenario = {
  name: 'counts',
  path: '/api/admin/tickets/counts',
  writes: false,
  requests: ({ admin }) => [message(counts.path, { token: admin.token })],
  growth: 1.3
}

const clientSearch: Scenario = {
  name: 'client search',
  path: '/api/admin/clients/list',
  writes: false,
  requests: ({ admin, listers, writers }) =>
    [...listers, ...writers]
      .slice(0, 100)
      .map(({ email }) => jsonMessage(clientSearch.path, admin.token, { search: email.split('@')[0]! })),
  growth: 2
}

const search: Scenario = {
  name: 'search',
  path: '/api/admin/search',
  writes: false,
  requests: ({ admin }) => searchTerms.map(query => jsonMessage(search.path, admin.token, { query })),
  growth: 2,
  // Of each of four kinds the newest hundred are ranked, found in up to four ways.
  sorts: 1_600
}

const create: Scenario = {
  name: 'create',
  path: '/api/tickets/create',
  writes: true,
  requests: ({ writers }) =>
    writers.map(({ token }, at) =>
      jsonMessage(create.path, token, { department_id: departments[at % 4], subject: subject(at), message: text(at) })
    ),
  growth: 1.3,
  short: true
}

const reply: Scenario = {
  name: 'reply',
  path: '/api/tickets/reply',
  writes: true,
  requests: ({ writers }) =>
    writers.map(({ token, ticket }, at) => jsonMessage(reply.path, token, { id: ticket, message: text(at) })),
  growth: 1.3,
  short: true
}

const status: Scenario = {
  name: 'status',
  path: '/api/tickets/status',
  writes: true,
  // Four times around, so that the status is another one each time.
  requests: ({ writers }) =>
    [0, 1, 2, 3].flatMap(round =>
      writers.map(({ token, ticket }, at) =>
        jsonMessage(status.path, token, { id: ticket, status: ticketStatuses[(at + round) % 4] })
      )
    ),
  growth: 1.3,
  short: true
}

const createWithFile: Scenario = {
  name: 'create with 1 MB',
  path: '/api/tickets/create',
  writes: true,
  requests: ({ writers }) =>
    writers
      .slice(0, 16)
      .map(({ token }, at) =>
        fileMessage(
          create.path,
          token,
          { department_id: String(departments[at % 4]), subject: subject(at), message: text(at) },
          megabyte
        )
      ),
  growth: 1.3,
  sendsForm: true
}

const logIn: Scenario = {
  name: 'login',
  path: '/api/auth/login',
  writes: true,
  requests: ({ writers }) => writers.map(({ email }) => jsonMessage(logIn.path, undefined, { email, password })),
  growth: 1.3,
  hashesAfter: 2
}

const check: Scenario = {
  name: 'check',
  path: '/api/check',
  writes: false,
  requests: () => [message(check.path)],
  growth: 1.3,
  short: true
}

const departments = [1, 4, 5, 6]

/** What writes comes last, so that the others find the data as it was filled. */
export const scenarios: readonly Scenario[] = [
  ...[check, list, detail, queue, fullQueue, deepQueue, counts, clientSearch, search],
  ...[status, reply, create, createWithFile, logIn]
]
