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
    paths: refusal => ({
      '/uploads/tickets/{folder}/{name}': { get: download(refusal) },
      '/uploads/mails/{file}': { get: original(refusal) },
      '/api/mail/inbound': { post: inboundMail(refusal) }
    })
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
  mail: 'E-mails that come in by a provider.',
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
      inQuery('expires', 'Of a signed link.'),
      inQuery('signature', 'Of a signed link.'),
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

/** By hand, since it answers bytes. */
function original(refusal: object): object {
  return {
    operationId: 'downloadOriginalEmail',
    tags: ['uploads'],
    summary: 'Download an e-mail as it came in',
    description:
      'The `original_path` of an e-mail, for staff who see its ticket, or, while it is held, all tickets; or by a link that ' +
      '`POST /api/admin/mail/original-link` signed. The browser is told to save it, never to show it.',
    security: [{ bearer: [] }, {}],
    parameters: [
      { name: 'file', in: 'path', required: true, schema: { type: 'string' }, example: '1.eml' },
      ...['session', 'expires', 'signature'].map(name => inQuery(name, 'Of a signed link.'))
    ],
    responses: {
      '200': {
        description: 'The message, byte for byte',
        content: { 'message/rfc822': { schema: { type: 'string', format: 'binary' } } }
      },
      '404': refused(404, 'original_not_found', 'There is no such e-mail, or its original is no longer kept', refusal)
    }
  }
}

/** By hand, since its body is no form: whoever has the secret of MAIL_INBOUND_SECRET hands an e-mail over. */
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
      inQuery('recipient', 'To whom the message was delivered, where that is known.'),
      inQuery('sender', 'Who sent it, by the envelope; empty for a bounce.'),
      header('webhook-id', 'Any id of this message.', 'msg_2KWPBgLlAfxdpx2AI54pPJ85f4W'),
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
        description: 'What became of the message',
        content: { 'application/json': { schema: receiptAnswer, example: receiptExample } }
      },
      '400': refused(400, 'no_message', 'The body is no e-mail', refusal),
      '401': refused(401, 'bad_signature', 'The signature of this e-mail is not valid', refusal),
      '404': refused(404, 'not_found', 'Not found', refusal),
      '413': refused(413, 'body_too_large', 'The body is too large', refusal)
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
        sender: { type: 'string', description: 'Who wrote it.' },
        is_automatic: { type: 'boolean' },
        reason: { type: 'string', description: 'Why it was held, dropped or refused, or is automatic, as one word.' }
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
