import { ticketStatuses } from '../src/core/tables/tickets.ts'
import type { Accounts } from './accounts.ts'
import { password } from './fill.ts'
import { fileMessage, jsonMessage, message } from './http-message.ts'
import { searchTerms } from './sample-texts.ts'

/** One kind of request, which the bench sends repeatedly. */
export interface Scenario {
  name: string
  path: string
  writes: boolean
  /**
   * Requests that are sent in turn. The first two differ in everything that varies between requests: from that the floor derives which
   * parameters of a statement come from the request.
   */
  requests(accounts: Accounts): Buffer[]
  /** How many times longer a request may take on a million tickets than on a thousand. */
  growth: number
  /** Its requests are forms with a file. */
  sendsForm?: boolean
  /** How many rows may be sorted, if not 100. */
  sorts?: number
  /** The floor verifies the password after this many statements. */
  hashesAfter?: number
  /** Whether the short form runs it. */
  short?: boolean
}

const megabyte = 1024 * 1024
const subject = (at: number) => `The printer number ${at} is on fire again`
const text = (at: number) => `It started this morning at ${at}. ${'And now the curtains burn as well. '.repeat(6)}`

const list: Scenario = {
  name: 'list',
  path: '/api/tickets/list',
  writes: false,
  requests: ({ listClients }) => listClients.map(({ token }) => jsonMessage(list.path, token, { limit: 20 })),
  growth: 1.3,
  short: true
}

const detail: Scenario = {
  name: 'detail',
  path: '/api/tickets/detail',
  writes: false,
  requests: ({ detailClients }) =>
    detailClients.map(({ token, ticket }) => jsonMessage(detail.path, token, { id: ticket })),
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
  // This alias of the queue's address lets the floor distinguish the scenarios.
  path: '/api/admin/tickets',
  writes: false,
  requests: ({ admin }) => [jsonMessage(deepQueue.path, admin.token, { page: 30 })],
  growth: 2
}

const fullQueue: Scenario = {
  name: 'queue, 100 rows',
  // The question mark makes a third address for the floor.
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
  requests: ({ admin, listClients, writingClients }) =>
    [...listClients, ...writingClients]
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
  // The newest hundred of each of four kinds are ranked, each found in up to four ways.
  sorts: 1_600
}

const create: Scenario = {
  name: 'create',
  path: '/api/tickets/create',
  writes: true,
  requests: ({ writingClients }) =>
    writingClients.map(({ token }, at) =>
      jsonMessage(create.path, token, { department_id: departments[at % 4], subject: subject(at), message: text(at) })
    ),
  growth: 1.3,
  short: true
}

const reply: Scenario = {
  name: 'reply',
  path: '/api/tickets/reply',
  writes: true,
  requests: ({ writingClients }) =>
    writingClients.map(({ token, ticket }, at) => jsonMessage(reply.path, token, { id: ticket, message: text(at) })),
  growth: 1.3,
  short: true
}

const status: Scenario = {
  name: 'status',
  path: '/api/tickets/status',
  writes: true,
  // Each ticket gets four different statuses in turn, so that every request changes something.
  requests: ({ writingClients }) =>
    [0, 1, 2, 3].flatMap(round =>
      writingClients.map(({ token, ticket }, at) =>
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
  requests: ({ writingClients }) =>
    writingClients
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
  requests: ({ writingClients }) =>
    writingClients.map(({ email }) => jsonMessage(logIn.path, undefined, { email, password })),
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

/** Scenarios that write come last, so that the others find the data as it was filled. */
export const scenarios: readonly Scenario[] = [
  ...[check, list, detail, queue, fullQueue, deepQueue, counts, clientSearch, search],
  ...[status, reply, create, createWithFile, logIn]
]
