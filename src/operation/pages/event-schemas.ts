import type { KindOfEvent } from '../../core/events/catalogue/kind-of-event.ts'
import { type EventKind, eventKinds } from '../../core/events/catalogue.ts'
import { type Json, plainSchema } from '../../kit/plain-schema.ts'

const kinds = Object.keys(eventKinds) as EventKind[]
const nothing = { type: 'null' }

/** A reference to the schema of what events of this kind carry. */
export function factsReference(kind: string): Json {
  return reference(nameOf(kind))
}

/**
 * The document with the shapes of events: what each kind carries is a schema of its own, and `EventFacts` is one of them, told apart by `kind`.
 * The service itself writes the facts as they are stored, for it has written them.
 */
export function withEventFacts<D extends { components: { schemas: Record<string, Json> } }>(document: D): D {
  const schemas: Record<string, Json> = { ...document.components.schemas, ...factsOfKinds() }
  for (const name of ['Event', 'TimelineEvent']) schemas[name] = withFacts(schemas[name]!, reference('EventFacts'))
  const message = schemas.WebhookMessage as { properties: { data: Json } }
  const carried = { oneOf: [reference('EventFacts'), factsReference('webhook.test')] }
  schemas.WebhookMessage = {
    ...message,
    properties: { ...message.properties, data: withFacts(message.properties.data, carried) }
  }
  return { ...document, components: { ...document.components, schemas } }
}

function factsOfKinds(): Record<string, Json> {
  const ofKinds = kinds.map(kind => {
    const { before, after }: KindOfEvent = eventKinds[kind]
    return [nameOf(kind), factsSchema(kind, before && plainSchema(before), after && plainSchema(after))] as const
  })
  return {
    ...Object.fromEntries(ofKinds),
    [nameOf('webhook.test')]: factsSchema('webhook.test', undefined, undefined),
    EventFacts: {
      oneOf: kinds.map(factsReference),
      description:
        'What an event carries, by its kind. Of a ticket that was deleted for good, only numbers and terms such as a status are left of it; a client gets only what its tickets show.'
    }
  }
}

function factsSchema(kind: string, before: Json = nothing, after: Json = nothing): Json {
  const properties = { kind: { type: 'string', enum: [kind] }, before, after }
  return { type: 'object', properties, required: ['kind', 'before', 'after'] }
}

/** The schema of an event with these in place of its general `kind`, `before` and `after`. */
function withFacts(event: Json, facts: Json): Json {
  const { kind: _, before: __, after: ___, ...properties } = event.properties as Json
  const required = (event.required as string[]).filter(name => !['kind', 'before', 'after'].includes(name))
  return { allOf: [{ ...event, properties, required }, facts] }
}

function nameOf(kind: string): string {
  return `${kind.split(/[._]/).map(capitalized).join('')}Facts`
}

function reference(name: string): Json {
  return { $ref: `#/components/schemas/${name}` }
}

function capitalized(word: string): string {
  return word[0]!.toUpperCase() + word.slice(1)
}
