import manifest from '../../package.json' with { type: 'json' }
import { endpoints } from '../endpoints.ts'
import { openApiOf } from '../kit/openapi.ts'
import { apiModels } from './api-models.ts'
import { webhooksOf } from './webhooks-document.ts'

/** The OpenAPI document of Deskline; `server` is where its addresses lie, as callers name it. */
export function apiDocument(server = '/'): object {
  return openApiOf(endpoints, {
    title: 'Deskline',
    version: manifest.version,
    license: { name: 'MIT', identifier: 'MIT' },
    contact: { name: 'Whoever runs this desk' },
    server,
    description,
    models: apiModels,
    areas,
    webhooks: webhooksOf,
    paths: refusal => ({ '/uploads/tickets/{folder}/{name}': { get: download(refusal) } })
  })
}

const description = `A support desk: accounts, tickets, staff.

Every address takes POST, with its fields as JSON, as a multipart form or as an urlencoded form. Answers and refusals are JSON
envelopes: \`status\`, \`code\`, \`message\`, and \`data\`, or \`reason\` and \`errors\`. Programs go by the \`reason\` of a refusal, which never
changes; its \`message\` is for people. Yes and no are 1 and 0. Times are UTC. In a body an id may
come as decimal text as well. One slash at the end of an address is tolerated; another method than the ones shown is a 405.
With an \`Idempotency-Key\` a POST that writes can be sent again when no answer was heard: for 24 hours the same fields and files get the first answer
again, with \`Idempotent-Replayed: true\`, and nothing is done twice. Other fields with that key are a 422; while the first is at work it is a
409 with \`Retry-After\`. A refusal is not remembered. Addresses that only read, or whose answers hold secrets, ignore the header.
Every answer names its request in \`X-Request-Id\`.`

/** What the addresses of each area are for, in the order in which a reader meets them. */
const areas = {
  check: 'Whether the service answers.',
  auth: 'Sign up, log in, the second factor, forgotten passwords, and proving an e-mail address or phone number.',
  account: 'Your own profile, password, sessions, recovery codes and notifications, for clients and staff alike.',
  desk: 'How the desk presents itself.',
  departments: 'The departments that a ticket can be opened in.',
  tickets: 'Open tickets, follow them and answer, as their client or as the staff member they are assigned to.',
  uploads: 'The files of tickets.',
  user: 'Whether an e-mail address has an account.',
  notifications: 'The link in an e-mail that ends such e-mails.',
  'admin: auth': 'Logging in and forgotten passwords of staff.',
  'admin: tickets': 'The desk: the queue, answers, notes, assigning, merging, tags, the trash.',
  'admin: search': 'Tickets, messages, notes and clients by their words.',
  'admin: clients': 'Clients, as staff see and manage them.',
  'admin: colleagues': 'To whom tickets can be assigned.',
  'admin: departments': 'Departments and who belongs to them.',
  'admin: tags': 'The tags that tickets bear.',
  'admin: views': 'Saved views of the queue, personal and shared.',
  'admin: canned-replies': 'Replies that are written once and used often.',
  'admin: staff': 'Staff and what they may do.',
  'admin: permissions': 'The permissions that can be granted.',
  'admin: settings': 'What admins set while the desk runs.',
  'admin: mail': 'Mailboxes, and e-mails that are held until staff decide: their originals, and whose are not taken.',
  'admin: events': 'What happened, and what happens, as it happens.',
  events: 'What happens to your own tickets, as it happens.',
  'admin: audit': 'Who did what.',
  'admin: email-templates': 'What the e-mails of the desk say.',
  'admin: webhooks': 'Who else is told what happens, and what became of it.'
}

/** Decision 29, by hand, since it answers bytes. */
function download(refusal: object): object {
  const file = { '*/*': { schema: { type: 'string', format: 'binary' } } }
  return {
    operationId: 'downloadAttachment',
    tags: ['uploads'],
    summary: 'Download an attachment',
    description:
      'The `file_path` of an attachment, for whoever may see its ticket, or by a link that `POST /api/tickets/attachment-link` ' +
      'signed. The browser is told to save the file, never to show it.',
    security: [{ bearer: [] }, {}],
    parameters: [
      { name: 'folder', in: 'path', required: true, schema: { type: 'string' }, example: '5f' },
      { name: 'name', in: 'path', required: true, schema: { type: 'string' }, example: '5f0c9a4e8b7d6c5b4a392817.jpg' },
      { name: 'expires', in: 'query', schema: { type: 'string' }, description: 'Of a signed link.' },
      { name: 'signature', in: 'query', schema: { type: 'string' }, description: 'Of a signed link.' },
      { name: 'Range', in: 'header', schema: { type: 'string' }, example: 'bytes=0-1023' }
    ],
    responses: {
      '200': { description: 'The file, byte for byte', content: file },
      '206': { description: 'The part that was asked for', content: file },
      '404': refused(404, 'file_not_found', 'There is no such file, or not for this caller', refusal),
      '416': refused(416, 'range_not_satisfiable', 'The file has no such part', refusal)
    }
  }
}

function refused(code: number, reason: string, description: string, schema: object): object {
  const example = { status: 'error', code, message: description, reason }
  return { description, content: { 'application/json': { schema, example } } }
}
