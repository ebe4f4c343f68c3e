import type { Static, TObject, TSchema } from 'typebox'
import type { AnswerHeaders, AnswerKind, AnyAnswer, EventsAnswer } from './answers.ts'
import type { HttpCaller } from './caller.ts'
import type { FailureKind } from './errors.ts'
import type { FileAnswer } from './file-answer.ts'
import type { InMemoryFile, InMemoryUpload } from './in-memory-upload.ts'

/**
 * Who may call. `public`: anybody; the token is not read. `optional`: anybody; an invalid token counts as none. `user`: anybody logged in.
 * `client`: clients only. `staff`: all staff. `admin`: admins only. `anyOf`: admins, and supporters with one of the
 * permissions; with `orClient` every client too.
 */
export type Access<Slug extends string> =
  | 'public'
  | 'optional'
  | 'user'
  | 'client'
  | 'staff'
  | 'admin'
  | { readonly anyOf: readonly [Slug, ...Slug[]]; readonly orClient?: true }

/** The types of the application that uses the kit: its people, and what its store returns for an uploaded file. */
export interface People {
  anybody: unknown
  client: unknown
  staff: unknown
  upload: unknown
}

/** The authenticated actor, and their session. */
interface Authenticated<Actor> {
  actor: Actor
  session: { id: number; actor: Actor }
}

type AuthenticatedBy<A, P extends People> = A extends 'public'
  ? { actor?: never; session?: never }
  : A extends 'optional'
    ? Authenticated<P['anybody']> | { actor: undefined; session: undefined }
    : A extends 'user' | { orClient: true }
      ? Authenticated<P['anybody']>
      : Authenticated<A extends 'client' ? P['client'] : P['staff']>

/** Files go to the application's store, or one small file is kept in memory. */
type Files = true | InMemoryUpload

type FilesOf<F, P extends People> = F extends true
  ? { files: P['upload'][] }
  : F extends InMemoryUpload
    ? { files: InMemoryFile[] }
    : { files?: never }

type Answer<D, K> = K extends 'file'
  ? FileAnswer & AnswerHeaders
  : K extends 'events'
    ? EventsAnswer
    : (D extends TSchema ? { message: string; data: Static<D> } : { message: string }) & AnswerHeaders

/**
 * Whom a request and its response concern beside the caller: the fields of the body or of the data that hold their ids (`ticket.id` is a field of
 * a field; a ticket stands for its client, and may be told by its number). Erasing a person deletes the stored responses that concern them.
 */
export type About = 'caller' | { readonly [K in 'tickets' | 'clients' | 'staff']?: readonly string[] }

/** An alias: a further path of an endpoint. */
type Alias =
  | string
  | {
      path: string
      /** Also accepts GET, with the fields in the query. */
      get?: boolean
      /** Decides from the names of the fields sent which of two endpoints on this path a request is for; the other endpoint declares none. */
      when?: (sent: { has(field: string): boolean; hasFiles: boolean }) => boolean
    }

export interface EndpointOf<
  Services,
  P extends People,
  Slug extends string,
  A extends Access<Slug> = Access<Slug>,
  B extends TObject | undefined = TObject | undefined,
  D extends TSchema | undefined = TSchema | undefined,
  F extends Files | undefined = Files | undefined,
  K extends AnswerKind = AnswerKind
> {
  path: `/api/${string}`
  aliases?: readonly Alias[]
  /** Also accepts GET, with the fields in the query, on its main path. */
  get?: boolean
  /** Fields that a POST may have in its query. */
  query?: readonly string[]
  summary: string
  access: A
  /** The message of the 403, instead of the general one. */
  forbidden?: string
  /** Also open to people who currently may call nothing else (staff who must set up a second factor). */
  whileRestricted?: true
  /** Only for people who have signed in, not for programs with an API token. */
  signedInOnly?: true
  body?: B
  /** Aliases of fields: `{ ticket_id: 'id' }`. */
  synonyms?: Readonly<Record<string, string>>
  /** Accepts files; the names of the file parts do not matter. */
  files?: F
  status?: 200 | 201
  /** The default is an envelope. */
  answers?: K
  /** The schema of the envelope's data; for a stream, of each event. */
  data?: D
  /** Writes nothing, so an idempotency key is ignored. All other endpoints accept keys. */
  onlyReads?: true
  /** Its responses contain secrets, which are never stored: an idempotency key is ignored. */
  answersSecrets?: true
  /** Accepts idempotency keys of callers without a login too. */
  keysWithoutLogin?: true
  /** Required of all that accept idempotency keys. */
  about?: About
  errors?: readonly FailureKind[]
  handle(
    input: {
      body: B extends TObject ? Static<B> : Record<string, never>
      services: Services
      caller: HttpCaller
      /** Aborted when the caller disconnects, with the error to throw: for long work that only this caller needs. */
      disconnected(): AbortSignal
    } & AuthenticatedBy<A, P> &
      FilesOf<F, P>
  ): Promise<Answer<D, K>>
}

/** Creates the `endpoint` function of an application, which types the object literal of an endpoint. */
export function endpointsFor<Services, P extends People, Slug extends string>() {
  return function endpoint<
    const A extends Access<Slug>,
    B extends TObject | undefined = undefined,
    D extends TSchema | undefined = undefined,
    F extends Files | undefined = undefined,
    K extends AnswerKind = 'json'
  >(definition: EndpointOf<Services, P, Slug, A, B, D, F, K>): AnyEndpoint {
    return definition
  }
}

/** An endpoint as the kit itself handles it. */
export interface AnyEndpoint {
  path: string
  aliases?: readonly Alias[]
  get?: boolean
  query?: readonly string[]
  summary: string
  access: Access<string>
  forbidden?: string
  whileRestricted?: true
  signedInOnly?: true
  body?: TObject
  synonyms?: Readonly<Record<string, string>>
  files?: Files
  status?: 200 | 201
  answers?: AnswerKind
  data?: TSchema
  onlyReads?: true
  answersSecrets?: true
  keysWithoutLogin?: true
  about?: About
  errors?: readonly FailureKind[]
  handle(input: object): Promise<AnyAnswer>
}

/** A path with its endpoints, those with a claim first. */
export interface Address {
  path: string
  get: boolean
  claims: { endpoint: AnyEndpoint; when?: (sent: { has(field: string): boolean; hasFiles: boolean }) => boolean }[]
}

/** Every path of these endpoints. Two endpoints on one path without a claim are a bug. */
export function addressesOf(endpoints: readonly AnyEndpoint[]): Address[] {
  const addresses = new Map<string, Address>()
  for (const endpoint of endpoints) {
    const all = [{ path: endpoint.path, get: endpoint.get }, ...(endpoint.aliases ?? [])]
    for (const alias of all.map(alias => (typeof alias === 'string' ? { path: alias } : alias))) {
      const address = addresses.get(alias.path) ?? { path: alias.path, get: false, claims: [] }
      addresses.set(alias.path, address)
      address.get ||= alias.get ?? false
      address.claims.push({ endpoint, when: 'when' in alias ? alias.when : undefined })
    }
  }
  for (const address of addresses.values()) {
    address.claims.sort((one, other) => Number(!one.when) - Number(!other.when))
    if (address.claims.filter(claim => !claim.when).length !== 1) {
      throw new Error(`${address.path} needs exactly one endpoint without a claim`)
    }
  }
  return [...addresses.values()]
}
