import manifest from '../../../package.json' with { type: 'json' }
import { endpoints } from '../../endpoints.ts'
import { openApiOf } from '../../kit/openapi.ts'
import { apiModels } from './api-models.ts'
import { withEventFacts } from './event-schemas.ts'
import { otherFailures } from './other-failures.ts'
import { webhooksOf } from './webhooks-document.ts'

/** The OpenAPI document. Its server is `/`, in whose place the service puts its own URL. */
export function apiDocument(): object {
  const document = openApiOf(endpoints, {
    title: 'Deskline',
    version: manifest.version,
    license: { name: 'MIT', identifier: 'MIT' },
    contact: { name: 'Whoever runs this desk' },
    server: '/',
    description,
    models: apiModels,
    areas,
    webhooks: webhooksOf,
    failures: otherFailures,
    paths: refusal => ({
      '/uploads/tickets/{folder}/{name}': { get: download(refusal) },
      '/uploads/mails/{file}': { get: original(refusal) },
      '/api/mail/inbound': { post: inboundMail(refusal) }
    })
  })
  return withEventFacts(document as Parameters<typeof withEventFacts>[0])
}

const description = `The API of the Deskline help desk: accounts, tickets, staff.

Every endpoint accepts POST, with its fields as JSON, multipart form data or urlencoded form data. Responses are JSON
envelopes with \`status\`, \`code\` and \`message\`, and \`data\` on success, or \`reason\` and \`errors\` on failure. Programs should
check the \`reason\`, which never changes; the \`message\` is for people. Booleans are 1 and 0. Times are UTC. An id in a body may
also be a decimal string. A trailing slash is allowed; a method that is not listed is a 405.
With an \`Idempotency-Key\` you can safely retry a POST that writes: for 24 hours the same fields and files get the first response
again, with \`Idempotent-Replayed: true\`, and are not executed twice. Other fields with the same key are a 422. While the first request is running, a retry is a
409 with \`Retry-After\`. Failed requests are not stored. Endpoints that only read, or whose responses contain secrets, ignore the header.
Lists come in pages: \`page\` counts from 1, \`limit\` is the number of rows, and a response tells the \`count\` of its rows and the
\`total\`. Where a list also takes a \`cursor\`, send the \`next_cursor\` of the page before, with the same filters and the same \`sort\` and \`direction\`,
and no \`page\`: no row is missed or repeated while others arrive, and late pages are as fast as the first. \`next_cursor\` is null on the last page.
The event feed takes it as \`after\` and has no last page.
Programs send an API token of a person or a service account, \`Authorization: Bearer dl_…\`, which works until it is revoked or expires; pages, an access token from a login.
An API token acts as its owner and never may more; it manages no tokens, passwords, second factors or sessions (403, \`sign_in_required\`). Each has a limit of its own,
of which the \`RateLimit\` headers of every response tell what is left.
Too many attempts are a 429 with \`Retry-After\`; if they were counted, \`RateLimit-Policy\` and \`RateLimit\` (IETF draft) tell the limit that was reached.
Programs in JavaScript or TypeScript can use the client library: its README, \`client/README.md\` in the source, tells how to get it.
Every response has the id of its request in \`X-Request-Id\`.`

/** The tags: descriptions of the areas, in the order of the page. */
const areas = {
  check: 'Health check.',
  auth: 'Sign-up, login, two-factor authentication, password reset, and verification of e-mail addresses and phone numbers.',
  account: 'Your own profile, password, sessions, recovery codes and notifications, for clients and staff alike.',
  desk: 'Branding, and the ways to contact the desk.',
  departments: 'The departments that a ticket can be opened in.',
  tickets: 'Open, read and reply to tickets, as their client or as the assigned member of staff.',
  uploads: 'Attachments of tickets.',
  user: 'Whether an e-mail address has an account.',
  test: 'The clock of the desk, which integrators set in their tests.',
  mail: 'Incoming e-mails from a provider’s webhook.',
  notifications: 'Unsubscribe from e-mails.',
  'admin: calendars': 'Business hours and holidays, by which promises are counted.',
  'admin: auth': 'Login and password reset for staff.',
  'admin: tickets': 'The queue, replies, notes, assignment, merge, tags, trash.',
  'admin: search': 'Full-text search over tickets, messages, notes and clients.',
  'admin: clients': 'Manage clients.',
  'admin: organisations': 'Companies whose people are clients: their domains, people and tickets.',
  'admin: colleagues': 'Members of staff to whom tickets can be assigned.',
  'admin: departments': 'Departments and their members.',
  'admin: tags': 'Ticket tags.',
  'admin: views': 'Saved views of the queue, personal and shared.',
  'admin: sla-clocks': 'What is due, over all tickets.',
  'admin: fields': 'Custom fields of tickets.',
  'admin: ticket-forms': 'Ticket forms: which custom fields are asked, where and when.',
  'ticket-forms': 'The fields that are asked of those who open a ticket.',
  'admin: sla-policies': 'SLA policies: what is promised to which tickets.',
  'admin: canned-replies': 'Canned replies (saved replies): macros without actions.',
  'admin: macros': 'Macros: what is done to a ticket, and said, in one go.',
  'admin: rules': 'Rules: what the desk does by itself, and what they did.',
  csat: 'How satisfied clients are, by the link of an e-mail.',
  kb: 'The knowledge base, as far as the caller may read it.',
  'admin: kb': 'Articles of the knowledge base, and their categories.',
  'admin: widget': 'The contact widget, which other sites embed.',
  'admin: csat': 'Ratings of clients.',
  'admin: reports': 'Figures of the desk over time, and the tickets behind them.',
  'admin: staff': 'Staff and their permissions.',
  'admin: tokens': 'API tokens of everybody.',
  'admin: service-accounts': 'Service accounts: members of staff that are programs.',
  'admin: permissions': 'The permissions that can be granted.',
  'admin: settings': 'Settings of the desk.',
  'admin: sso': 'Identity providers for single sign-on, and sign-ins that were refused.',
  sso: 'Signing in by an identity provider.',
  'admin: mail': 'Mailboxes, held e-mails, raw messages and blocked senders.',
  'admin: events': 'The event feed and the event stream.',
  events: 'The event stream of your own tickets.',
  'admin: audit': 'The audit log.',
  'admin: config': 'All definitions as one file, from one desk to another.',
  'admin: email-templates': 'Templates of the e-mails that the desk sends.',
  'admin: webhooks': 'Webhooks and their deliveries.'
}

/** Decision 29; written by hand, since the response is a file. */
function download(refusal: object): object {
  const file = { '*/*': { schema: { type: 'string', format: 'binary' } } }
  return {
    operationId: 'downloadAttachment',
    tags: ['uploads'],
    summary: 'Download an attachment',
    description:
      'The `file_path` of an attachment, for whoever may see its ticket, or by a link that `POST /api/tickets/attachment-link` ' +
      'signed. The browser saves the file and never displays it.',
    security: [{ bearer: [] }, { apiToken: [] }, {}],
    parameters: [
      { name: 'folder', in: 'path', required: true, schema: { type: 'string' }, example: '5f' },
      { name: 'name', in: 'path', required: true, schema: { type: 'string' }, example: '5f0c9a4e8b7d6c5b4a392817.jpg' },
      inQuery('expires', 'Of a signed link.'),
      inQuery('signature', 'Of a signed link.'),
      { name: 'Range', in: 'header', schema: { type: 'string' }, example: 'bytes=0-1023' }
    ],
    responses: {
      '200': { description: 'The file, byte for byte', content: file },
      '206': { description: 'The requested byte range', content: file },
      '404': refused(404, 'file_not_found', 'There is no such file, or the caller may not see it', refusal),
      '416': refused(416, 'range_not_satisfiable', 'The requested byte range is outside the file', refusal)
    }
  }
}

/** Written by hand, since the response is a file. */
function original(refusal: object): object {
  return {
    operationId: 'downloadOriginalEmail',
    tags: ['uploads'],
    summary: 'Download an e-mail as it came in',
    description:
      'The `original_path` of an e-mail, for staff who see its ticket, or, while it is held, all tickets; or by a link that ' +
      '`POST /api/admin/mail/original-link` signed. The browser saves it and never displays it.',
    security: [{ bearer: [] }, { apiToken: [] }, {}],
    parameters: [
      { name: 'file', in: 'path', required: true, schema: { type: 'string' }, example: '1.eml' },
      ...['session', 'expires', 'signature'].map(name => inQuery(name, 'Of a signed link.'))
    ],
    responses: {
      '200': {
        description: 'The message, byte for byte',
        content: { 'message/rfc822': { schema: { type: 'string', format: 'binary' } } }
      },
      '404': refused(404, 'original_not_found', 'There is no such e-mail, or its raw message was deleted', refusal)
    }
  }
}

/** Written by hand, since its body is a raw e-mail, signed with MAIL_INBOUND_SECRET. */
function inboundMail(refusal: object): object {
  const header = (name: string, description: string, example: string) => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
    example
  })
  return {
    operationId: 'takeEmailIn',
    tags: ['mail'],
    summary: 'Hand over an e-mail that has come in',
    description:
      'For a provider of e-mail. The body is the raw message (RFC 5322), whatever its content type. It is signed as our own webhooks are, by ' +
      'Standard Webhooks: `webhook-signature` is `v1,` and the base64 of the HMAC-SHA-256 of `ID.TIMESTAMP.BODY`, by the secret of ' +
      '`MAIL_INBOUND_SECRET`. When this answers 200 the message is kept; the same message again is told as a duplicate and does nothing. ' +
      'Without that setting there is no such address (404).',
    security: [],
    parameters: [
      inQuery('recipient', 'The envelope recipient, if known.'),
      inQuery('sender', 'The envelope sender; empty for a bounce.'),
      header('webhook-id', 'A unique id of this message.', 'msg_2KWPBgLlAfxdpx2AI54pPJ85f4W'),
      header('webhook-timestamp', 'Unix time in seconds, at most five minutes off.', '1795163611'),
      header(
        'webhook-signature',
        'One signature or several, with blanks between.',
        'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4='
      )
    ],
    requestBody: {
      required: true,
      content: { 'message/rfc822': { schema: { type: 'string', format: 'binary' } } }
    },
    responses: {
      '200': {
        description: 'The result',
        content: { 'application/json': { schema: receiptAnswer, example: receiptExample } }
      },
      '400': refused(400, 'no_message', 'The request body is not an e-mail', refusal),
      '401': refused(401, 'bad_signature', 'The signature of this e-mail is not valid', refusal),
      '404': refused(404, 'not_found', 'Not found', refusal),
      '413': refused(413, 'body_too_large', 'The request body is too large', refusal)
    }
  }
}

const receiptExample = {
  status: 'success',
  code: 200,
  message: 'E-mail taken',
  data: {
    outcome: 'ticket',
    ticket_id: 1,
    ticket_number: 'TIC-104233',
    message_id: 1,
    sender: 'ada@example.com',
    is_automatic: false
  }
}

/** The `Receipt` of an e-mail, in an envelope. */
const receiptAnswer = {
  type: 'object',
  required: ['status', 'code', 'message', 'data'],
  properties: {
    status: { type: 'string', const: 'success' },
    code: { type: 'integer', const: 200 },
    message: { type: 'string' },
    data: {
      type: 'object',
      required: ['outcome', 'is_automatic'],
      properties: {
        outcome: {
          type: 'string',
          enum: ['ticket', 'reply', 'held', 'duplicate', 'bounce', 'dropped', 'refused']
        },
        ticket_id: { type: 'integer' },
        ticket_number: { type: 'string' },
        message_id: { type: 'integer', description: 'Of the message in the ticket.' },
        sender: { type: 'string', description: 'The address of the sender.' },
        is_automatic: { type: 'boolean' },
        reason: {
          type: 'string',
          description: 'The reason why it was held, dropped, rejected or classified as automatic.'
        }
      }
    }
  }
}

function inQuery(name: string, description: string): object {
  return { name, in: 'query', schema: { type: 'string' }, description }
}

function refused(code: number, reason: string, description: string, schema: object): object {
  const example = { status: 'error', code, message: description, reason }
  return { description, content: { 'application/json': { schema, example } } }
}
