import type { Actor } from '../../core/actor.ts'
import { admits } from '../../core/endpoint.ts'
import { type Permission, permissionSlugs } from '../../core/permissions.ts'
import { endpoints } from '../../endpoints.ts'
import type { Access, AnyEndpoint } from '../../kit/endpoint.ts'
import { mergedSection } from './authorization-merged.ts'

/** A caller. The ticket is the owner's and assigned to one supporter; the others have nothing to do with it. */
export interface Visitor {
  name: string
  kind:
    | 'stranger'
    | 'owner'
    | 'other client'
    | 'member'
    | 'manager'
    | 'supporter'
    | 'assigned supporter'
    | 'admin'
    | 'deactivated client'
    | 'deactivated admin'
    | 'deleted supporter'
  /** The only permission of a supporter. */
  grant?: Permission
  /** Sends an API token: one that does all that its owner may, or only reads. */
  token?: 'everything' | 'reads'
}

/** Allowed, or the status of the refusal. */
export type Cell = 'yes' | 401 | 403 | 404

export interface Row {
  method: 'POST' | 'GET'
  path: string
  cells: ReadonlyMap<Visitor, Cell>
  note: string | undefined
}

const people: readonly Visitor[] = [
  { name: 'stranger', kind: 'stranger' },
  { name: 'client, own', kind: 'owner' },
  { name: 'client, another’s', kind: 'other client' },
  { name: 'client, a colleague’s as a member', kind: 'member' },
  { name: 'client, a colleague’s as a manager', kind: 'manager' },
  { name: 'supporter', kind: 'supporter' },
  { name: 'supporter, assigned', kind: 'assigned supporter' },
  { name: 'admin', kind: 'admin' },
  { name: 'deactivated client', kind: 'deactivated client' },
  { name: 'deactivated admin', kind: 'deactivated admin' },
  { name: 'deleted supporter', kind: 'deleted supporter' }
]

const holders: readonly Visitor[] = permissionSlugs.map(grant => ({ name: `\`${grant}\``, kind: 'supporter', grant }))

export const visitors: readonly Visitor[] = [...people, ...holders]

const programs: readonly Visitor[] = [
  { name: 'client’s', kind: 'owner', token: 'everything' },
  { name: 'client’s that reads', kind: 'owner', token: 'reads' },
  { name: 'admin’s', kind: 'admin', token: 'everything' },
  { name: 'admin’s that reads', kind: 'admin', token: 'reads' },
  { name: 'without rights', kind: 'supporter', token: 'everything' },
  { name: 'of a deactivated client', kind: 'deactivated client', token: 'everything' },
  { name: 'of a deleted supporter', kind: 'deleted supporter', token: 'everything' }
]

/** Callers by API token whose only right was chosen of an admin’s, or given to a service account: the same for both. */
const programsWithOneRight: readonly Visitor[] = holders.map(holder => ({ ...holder, token: 'everything' }))

export const visitorsByToken: readonly Visitor[] = [...programs, ...programsWithOneRight]

const download = '/uploads/tickets/:folder/:name'

interface TicketRule {
  /** Staff with this permission may, for every ticket. */
  all: Permission
  /** Staff without it may, for tickets assigned to them. */
  orAssigned: boolean
  /** The response to other staff; another client's ticket is always a 404. */
  otherwise: 403 | 404
}

// What verbs decide after the access checks, since it depends on whose ticket it is (decisions 25, 27 and 29 of the contract).
const ticketRules: Record<string, TicketRule> = {
  '/api/tickets/detail': { all: 'tickets.view_all', orAssigned: true, otherwise: 403 },
  '/api/tickets/reply': { all: 'tickets.reply', orAssigned: false, otherwise: 403 },
  '/api/tickets/status': { all: 'tickets.edit_status', orAssigned: false, otherwise: 403 },
  '/api/tickets/attachment-link': { all: 'tickets.view_all', orAssigned: true, otherwise: 404 },
  '/api/tickets/fields': { all: 'tickets.view_all', orAssigned: true, otherwise: 404 },
  '/api/tickets/follow': { all: 'tickets.view_all', orAssigned: true, otherwise: 404 },
  [download]: { all: 'tickets.view_all', orAssigned: true, otherwise: 404 }
}

// Deciding on held mail takes two permissions, the second of which the verbs ask for.
const decidesOnHeldMail = [
  '/api/admin/mail/held/release',
  '/api/admin/mail/held/delete',
  '/api/admin/mail/held/restore',
  '/api/admin/mail/log/process',
  '/api/admin/mail/log/send',
  '/api/admin/mail/blocked/add',
  '/api/admin/mail/blocked/remove'
]

const seesHeldMail =
  'Held mail is in no department yet: `tickets.view_all`, and 403 for a supporter who is limited to departments.'
const decidesHeldMail =
  'Takes `tickets.view_all` and `tickets.edit_status` together; 403 for a supporter with one of them, or who is limited to departments. ' +
  'Only admins block or unblock a whole domain.'
const ownAccount = 'Acts only on the caller’s own account.'
const ticket =
  'Acts on one ticket. Another client’s ticket and a missing one are the same 404, but for a manager of the organisation in which it was opened.'
const byCode =
  'A client’s token selects its own account; without one, the e-mail address or phone number does, and the code proves ownership.'
const notes: Record<string, string> = {
  '/api/auth/2fa/setup': ownAccount,
  '/api/auth/2fa/enable': ownAccount,
  '/api/auth/2fa/disable': ownAccount,
  '/api/auth/logout': ownAccount,
  '/api/account/profile': ownAccount,
  '/api/account/profile/update': ownAccount,
  '/api/account/password': ownAccount,
  '/api/account/sessions': ownAccount,
  '/api/account/sessions/revoke': ownAccount,
  '/api/account/2fa/recovery-codes': ownAccount,
  '/api/account/tokens/list': ownAccount,
  '/api/account/tokens/create': ownAccount,
  '/api/account/tokens/rename': ownAccount,
  '/api/account/tokens/replace': ownAccount,
  '/api/account/tokens/revoke': ownAccount,
  '/api/auth/send-email-verification': byCode,
  '/api/auth/verify-email': byCode,
  '/api/auth/send-phone-verification': byCode,
  '/api/auth/verify-phone': byCode,
  '/api/tickets/create': 'Opens a ticket of the caller’s own.',
  '/api/tickets/list':
    'Lists the client’s own tickets; for staff, the tickets assigned to them. With `scope: organisation` those of the organisation, and 403 for everybody but its managers.',
  '/api/tickets/fields': ticket,
  '/api/tickets/follow': ticket,
  '/api/account/organisation': 'The people of the organisation are for its managers.',
  '/api/tickets/detail': ticket,
  '/api/tickets/reply': ticket,
  '/api/tickets/status': ticket,
  '/api/tickets/attachment-link': 'Acts on one attachment. Without permission it is a 404.',
  [download]:
    'Never 401 or 403, which would reveal that the file exists. A signed link opens it for anybody, for some minutes.',
  '/api/admin/clients/export':
    'The link in the response (`/exports/clients/…`) opens the archive for anybody, for some minutes; without its signature that is a 404.',
  '/api/admin/events/list':
    'Admins receive all events; other staff receive those of tickets that they can see at that moment, and none that are for admins only.',
  '/api/admin/events/stream':
    'As the event list, checked again for each event; the stream ends when the caller loses the permission.',
  '/api/events/stream':
    'Events of the caller’s own tickets, for managers also of those of the organisation, without notes and other staff-only data. It ends when the role changes.',
  '/api/admin/audit/export':
    'The link in the response (`/exports/audit?…`) opens the file for anybody, for some minutes; without its signature that is a 404.',
  '/api/admin/settings/logo': 'The URL in the response (`/branding/logo/…`) shows the logo to anybody.',
  '/api/admin/mail/held/list': seesHeldMail,
  '/api/admin/mail/held/detail': seesHeldMail,
  '/api/admin/mail/blocked/list': seesHeldMail,
  '/api/admin/mail/log/list': seesHeldMail,
  '/api/admin/mail/log/detail': seesHeldMail,
  '/api/admin/mail/log/raw-link': seesHeldMail,
  '/api/admin/mail/log/export': seesHeldMail,
  ...Object.fromEntries(decidesOnHeldMail.map(path => [path, decidesHeldMail])),
  '/api/admin/mail/original-link':
    'The raw message of an e-mail in a ticket that the caller sees, or of any other for those who see the mail log; otherwise a 404.',
  '/api/admin/mail/pictures': 'As `/api/admin/mail/original-link`.',
  '/api/admin/staff/update': '403 for deactivating oneself or the last active admin.',
  '/api/admin/staff/permissions': 'Only supporters have permissions to set: 403 for an admin.',
  '/api/test/clock': 'Only with `TEST_CLOCK`: otherwise it is a 404 for admins too.',
  '/api/admin/staff/delete': 'Only supporters can be deleted: 403 for an admin.'
}

/** Every endpoint and the download, with the result for each caller. */
export function authorizationTable(): Row[] {
  const gates: Gate[] = [...endpoints, { path: download, access: 'public', onlyReads: true }]
  return gates.map(gate => ({
    method: gate.path === download ? 'GET' : 'POST',
    path: gate.path,
    cells: new Map([...visitors, ...visitorsByToken].map(visitor => [visitor, cellOf(gate, visitor)])),
    note: notes[gate.path]
  }))
}

type Gate = Pick<AnyEndpoint, 'path' | 'access' | 'signedInOnly' | 'onlyReads'>

/** The text of `docs/authorization.md`. */
export function authorizationPage(): string {
  const rows = authorizationTable()
  const said = [...new Set(rows.flatMap(({ note }) => note ?? []))]
  const mark = ({ note }: Row) => (note ? ` <sup>${said.indexOf(note) + 1}</sup>` : '')
  const table = (columns: readonly Visitor[]) => [
    `| | ${columns.map(({ name }) => name).join(' | ')} |`,
    `|---|${columns.map(() => '---').join('|')}|`,
    ...rows.map(row => {
      const cells = columns.map(visitor => row.cells.get(visitor))
      return `| ${row.method === 'GET' ? 'GET ' : ''}\`${row.path}\`${mark(row)} | ${cells.join(' | ')} |`
    })
  ]
  return `# Authorization: who may do what

The permission matrix: for each endpoint and kind of caller, \`yes\` or the status of the refusal. An alias has the permissions of its
endpoint. Generated by \`deskline generate\` from the endpoints; \`test/authorization*.test.ts\` send a request for each cell.

Each request checks the account behind the token. After a deactivation, deletion or logout the old token no longer authenticates, and a
revoked permission takes effect at the next request. Endpoints that need no login ignore an invalid token.
A “stranger” is a caller without a valid token.

An API token may what its owner may at that moment, as far as it was given; it never manages tokens, passwords, second factors, sessions or the
rights of staff: 403 with the reason \`sign_in_required\`. One that only reads gets \`read_only_token\` from all that writes.

## People

“Own”, “another’s” and “a colleague’s” refer to the ticket in the request, which was opened in the organisation of the colleague; “assigned” is a supporter without permissions to whom that ticket is assigned.

${table(people).join('\n')}

## Supporters with one permission

${table(holders).join('\n')}

## API tokens

A token with chosen rights, or of a service account, may what a supporter with these permissions may in the table above, but for what takes a
sign-in; “without rights” stands for all of them.

${table(programs).join('\n')}

${mergedSection()}

## Notes

${said.map((note, at) => `${at + 1}. ${note}`).join('\n')}
`
}

function cellOf(gate: Gate, visitor: Visitor): Cell {
  const { path } = gate
  const access = gate.access as Access<Permission>
  const actor = actorOf(visitor)
  if (actor && visitor.token && access !== 'public') {
    if (gate.signedInOnly || (visitor.token === 'reads' && !gate.onlyReads)) return 403
  }
  const entry = gateOf(access, actor)
  if (entry === 'yes' && decidesOnHeldMail.includes(path) && visitor.kind !== 'admin') return 403
  const rule = ticketRules[path]
  if (entry !== 'yes' || rule === undefined) return entry
  if (actor === undefined) return 404
  if (actor.population === 'client') return ['owner', 'manager'].includes(visitor.kind) ? 'yes' : 404
  const mayAll = admits({ anyOf: [rule.all] }, actor)
  return mayAll || (rule.orAssigned && visitor.kind === 'assigned supporter') ? 'yes' : rule.otherwise
}

function gateOf(access: Access<Permission>, actor: Actor | undefined): Cell {
  if (access === 'public' || access === 'optional') return 'yes'
  if (actor === undefined) return 401
  return admits(access, actor) ? 'yes' : 403
}

/** The caller as an actor. */
function actorOf({ kind, grant }: Visitor): Actor | undefined {
  const person = { id: 1, firstName: '', lastName: '', email: '' }
  switch (kind) {
    case 'owner':
    case 'other client':
    case 'member':
    case 'manager':
      return { ...person, population: 'client' }
    case 'supporter':
    case 'assigned supporter':
      return {
        ...person,
        population: 'staff',
        role: 'supporter',
        permissions: grant ? [grant] : [],
        departments: undefined,
        owesSecondFactor: false
      }
    case 'admin':
      return {
        ...person,
        population: 'staff',
        role: 'admin',
        permissions: [],
        departments: undefined,
        owesSecondFactor: false
      }
    default:
      return undefined
  }
}
