import type { Static, TObject, TSchema } from 'typebox'
import type { AnswerHeaders, AnswerKind, AnyAnswer, EventsAnswer } from './answers.ts'
import type { HttpCaller } from './caller.ts'
import type { FailureKind } from './errors.ts'
import type { FileAnswer } from './file-answer.ts'
import type { HeldFile, HeldFiles } from './held-files.ts'

/**
 * Who may call. `public`: nobody is looked up. `optional`: a bad bearer is the same as none. `user`: anybody logged in.
 * `client`: clients only. `admin`: admins only. `anyOf`: admins, and supporters who hold one of the permissions;
 * with `orClient` every client as well.
 */
export type Access<Slug extends string> =
  | 'public'
  | 'optional'
  | 'user'
  | 'client'
  | 'admin'
  | { readonly anyOf: readonly [Slug, ...Slug[]]; readonly orClient?: true }

/** The people of the application that uses the kit, and what its store makes of an uploaded file. */
export interface People {
  anybody: unknown
  client: unknown
  staff: unknown
  upload: unknown
}

/** Who has entered, and where they are logged in. */
interface Entered<Actor> {
  actor: Actor
  session: { id: number; actor: Actor }
}

type EnteredBy<A, P extends People> = A extends 'public'
  ? { actor?: never; session?: never }
  : A extends 'optional'
    ? Entered<P['anybody']> | { actor: undefined; session: undefined }
    : A extends 'user' | { orClient: true }
      ? Entered<P['anybody']>
      : Entered<A extends 'client' ? P['client'] : P['staff']>

/** Files go to the application's store, or a single small one is held in memory. */
type Files = true | HeldFiles

type FilesOf<F, P extends People> = F extends true
  ? { files: P['upload'][] }
  : F extends HeldFiles
    ? { files: HeldFile[] }
    : { files?: never }

type Answer<D, K> = K extends 'file'
  ? FileAnswer & AnswerHeaders
  : K extends 'events'
    ? EventsAnswer
    : (D extends TSchema ? { message: string; data: Static<D> } : { message: string }) & AnswerHeaders

/** One more address of an endpoint. */
type Alias =
  | string
  | {
      path: string
      /** Reachable with GET and a query as well. */
      get?: boolean
      /** On an address that two endpoints share: this one's claim, by the names of what was sent. The other has none. */
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
  /** Also reachable with GET and a query, on its first address. */
  get?: boolean
  /** Fields that a POST may carry in its query. */
  query?: readonly string[]
  summary: string
  access: A
  /** Said in the 403 in place of its general text. */
  forbidden?: string
  /** Lets in also those who are let in nowhere else for now. */
  whileRestricted?: true
  body?: B
  /** Other names under which a field may come: `{ ticket_id: 'id' }`. */
  synonyms?: Readonly<Record<string, string>>
  /** Takes files; every file part counts, whatever its name. */
  files?: F
  status?: 200 | 201
  /** An envelope where nothing is said. */
  answers?: K
  /** The data of the envelope; of a stream that of each event. */
  data?: D
  /** Changes nothing that is there: an idempotency key would be of no use and is ignored. Whatever does not say so takes keys. */
  onlyReads?: true
  /** Its answers hold what opens something, which is never kept: an idempotency key is ignored. */
  answersSecrets?: true
  /** Takes the idempotency keys of strangers as well. */
  keysOfStrangers?: true
  errors?: readonly FailureKind[]
  handle(
    input: {
      body: B extends TObject ? Static<B> : Record<string, never>
      services: Services
      caller: HttpCaller
      /** Aborted when the caller hangs up, with what to throw then: for work that is long and for nobody else. */
      untilGone(): AbortSignal
    } & EnteredBy<A, P> &
      FilesOf<F, P>
  ): Promise<Answer<D, K>>
}

/** Makes the `endpoint` function of an application: the literal that it is given is the endpoint. */
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
  body?: TObject
  synonyms?: Readonly<Record<string, string>>
  files?: Files
  status?: 200 | 201
  answers?: AnswerKind
  data?: TSchema
  onlyReads?: true
  answersSecrets?: true
  keysOfStrangers?: true
  errors?: readonly FailureKind[]
  handle(input: object): Promise<AnyAnswer>
}

/** One address with the endpoints that answer there, those with a claim first. */
export interface Address {
  path: string
  get: boolean
  claims: { endpoint: AnyEndpoint; when?: (sent: { has(field: string): boolean; hasFiles: boolean }) => boolean }[]
}

/** Every address of these endpoints. Two endpoints on one address without a claim between them is a fault of ours. */
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
