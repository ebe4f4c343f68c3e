import { type EventKind, eventKinds } from '../../core/events/catalogue.ts'
import { plainSchema } from '../../kit/plain-schema.ts'
import { WebhookMessage } from '../../outward/webhooks/message-schema.ts'
import { exampleFacts } from './event-kinds.ts'
import { factsReference } from './event-schemas.ts'

type Json = Record<string, unknown>

/** The webhooks in the OpenAPI document, one entry per event kind; `refer` returns a reference to a shared schema. */
export function webhooksOf(refer: (name: string, schema: Json) => Json): Json {
  const message = refer('WebhookMessage', plainSchema(WebhookMessage))
  const kinds = ['webhook.test', ...(Object.keys(eventKinds) as EventKind[])]
  return Object.fromEntries(kinds.map(kind => [kind, { post: sending(kind, message) }]))
}

function sending(kind: string, message: Json): Json {
  return {
    operationId: `webhook${kind.split(/[._]/).map(capitalized).join('')}`,
    tags: ['admin: webhooks'],
    summary: kind === 'webhook.test' ? 'A test that an admin sends' : `Something happened: ${kind}`,
    description:
      'Signed as defined by Standard Webhooks. Any response except a 2xx within 15 seconds is retried; 410 disables the webhook.',
    security: [],
    parameters: [
      header('webhook-id', 'The id of the event, the same for each attempt: use it to detect duplicates.', '4711'),
      header('webhook-timestamp', 'The Unix time of sending, in seconds.', '1795162111'),
      header('webhook-signature', 'One signature a secret in force.', 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=')
    ],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: messageOf(kind, message), example: exampleOf(kind) } }
    },
    responses: {
      '2XX': { description: 'The event was received.' },
      '410': { description: 'The receiver no longer exists: the webhook is disabled.' }
    }
  }
}

/** The message of this kind. */
function messageOf(kind: string, message: Json): Json {
  return { allOf: [message, { type: 'object', properties: { data: factsReference(kind) } }] }
}

function header(name: string, description: string, example: string): Json {
  return { name, in: 'header', required: true, description, schema: { type: 'string' }, example }
}

function capitalized(word: string): string {
  return word[0]!.toUpperCase() + word.slice(1)
}

function exampleOf(kind: string): Json {
  const isTest = kind === 'webhook.test'
  const isOfTicket = kind.startsWith('ticket.')
  return {
    type: kind,
    timestamp: '2026-11-20T08:28:31.250Z',
    data: {
      id: isTest ? null : 4711,
      kind,
      at: '2026-11-20 08:28:31',
      at_iso: '2026-11-20T08:28:31Z',
      subject_type: isTest ? 'webhook' : kind.split('.')[0],
      subject_id: isTest ? null : 7,
      ticket_id: isOfTicket ? 7 : null,
      client_id: isOfTicket ? 3 : null,
      actor: isTest ? { type: 'system', id: null, name: 'Deskline' } : { type: 'staff', id: 2, name: 'Grace Hopper' },
      ...(isTest ? { before: null, after: null } : exampleFacts(kind as EventKind))
    }
  }
}
