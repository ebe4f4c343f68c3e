import type { PathsWithMethod, SuccessResponseJSON } from 'openapi-typescript-helpers'
import type { components, paths, Reason } from './openapi.d.ts'

export type { components, paths, Reason }

/** Creates a client of the desk at `baseUrl` (`https://desk.example.com`; empty on the desk's own pages). It sends nothing by itself. */
export declare function createClient(options: CommonOptions & ApiTokenOptions): ProgramClient
export declare function createClient(options: CommonOptions & PageOptions): PageClient
export declare function createClient(options: CommonOptions & TokenOptions): DesklineClient

export type ClientOptions = CommonOptions & (ApiTokenOptions | PageOptions | TokenOptions)

/** For programs: an API token (`dl_…`) of a person or of a service account acts, without a password and a second factor. */
export interface ApiTokenOptions {
  token: string
  /** Whose token it is, for `stream`; `staff` by default. */
  population?: Population
  session?: undefined
  storage?: undefined
}

/** Nobody signs in or out: the owner of the token revokes it. */
export type ProgramClient = Omit<DesklineClient, 'signIn' | 'verifyTwoFactor' | 'signOut'>

export interface TokenOptions {
  token?: undefined
  session?: 'tokens'
  population?: undefined
  /** The token storage; in memory by default. */
  storage?: TokenStorage
}

/**
 * For the desk's own pages: the refresh token is in a cookie that no script can read, the access token in memory. All windows of a browser share
 * the session: they renew it once, and end it together.
 */
export interface PageOptions {
  token?: undefined
  session: 'cookie'
  population: Population
  /**
   * Lets the person sign in again with `signIn` of this client, in a dialog over the page, and returns whether they did. All calls wait for the
   * one dialog and then continue. If the person signs in in another window meanwhile, the calls continue, and `onSessionBegin` tells that the
   * dialog is no longer needed. Without it, or if it returns false, the session has ended.
   */
  reauthenticate?(user: SessionUser): Promise<boolean>
  /** The session has ended for good: forget this person's data, and show the sign-in page. */
  onSessionEnd?(end: SessionEnd): void
  /** Somebody has signed in where nobody was, here or in another window. */
  onSessionBegin?(user: SessionUser): void
}

export interface SessionEnd {
  /** `signed_out` here or in another window; `expired`, or ended by somebody; `replaced`: somebody else has signed in in another window. */
  reason: 'signed_out' | 'expired' | 'replaced'
  /** Whose session it was. */
  user: SessionUser
  /** Who has signed in instead. Calls of this page fail with the reason `session_replaced` until it is reloaded. */
  successor?: SessionUser
}

export interface CommonOptions {
  baseUrl: string
  /** Replaces the platform's own. */
  fetch?: typeof globalThis.fetch
  /** How often a call is retried after "later" or a network failure: 4 times by default. */
  retries?: number
}

export interface DesklineClient {
  /** Signs in, or returns `requires_2fa` if a second factor is required: then call `verifyTwoFactor`. */
  signIn(credentials: Credentials): Promise<SignedIn | FactorWanted>
  /** The second step, with the code of an authenticator app or a recovery code. */
  verifyTwoFactor(factor: { code: string; temp_token?: string; signal?: AbortSignal }): Promise<VerifiedIn>
  /** Forgets the tokens, and ends the session at the service. */
  signOut(): Promise<void>
  /**
   * Calls an endpoint. Returns the envelope with `data`, and the `response`; throws `DesklineError` for anything but success, and the signal's
   * reason if that is aborted.
   */
  POST<P extends PostPath>(path: P, ...init: InitOf<P>): Promise<AnswerOf<P> & { response: Response }>
  /** The pages of a list, each fetched on demand. */
  pages<P extends ListPath>(path: P, ...init: InitOf<P>): AsyncGenerator<DataOf<P>, void, undefined>
  /** Events as they happen; a broken connection is reopened and continues after the last event received. */
  stream(options?: StreamOptions & { population?: Population }): AsyncGenerator<StreamedEvent, void, undefined>
  /** Calls an endpoint with files. A retry sends the files again, so they must stay readable until the call ends. */
  upload<P extends PostPath>(
    path: P,
    init: CallOptions & ParamsOf<P> & FieldsOf<P> & { files?: Files; onProgress?(progress: Progress): void }
  ): Promise<AnswerOf<P> & { response: Response }>
}

export interface PageClient extends DesklineClient {
  /** Who is signed in in this browser, if anybody. */
  user(): Promise<SessionUser | undefined>
  /** Signs in with what the browser has signed of the options of `/api/auth/passkey/options`, or of those for staff. */
  signInWithPasskey(answer: PasskeyAnswer): Promise<SignedIn>
  /** After an identity provider has sent somebody who has a second factor: whether a code is asked for; then call `verifyTwoFactor`. */
  resumeSignIn(): Promise<boolean>
}

export type SessionUser = SignedIn['user'] | VerifiedIn['user']

export type Population = 'client' | 'staff'

export type Credentials = { population?: Population; signal?: AbortSignal } & BodyOf<'/api/auth/login'>
export type PasskeyAnswer = { population?: Population; signal?: AbortSignal } & BodyOf<'/api/auth/passkey/verify'>
export type SignedIn = Exclude<DataOf<'/api/auth/login'> | DataOf<'/api/admin/auth/login'>, FactorWanted>
export type FactorWanted = Extract<DataOf<'/api/auth/login'>, { requires_2fa: unknown }>
export type VerifiedIn = DataOf<'/api/auth/2fa/verify-login'>
export type TokenPair = Extract<DataOf<'/api/auth/refresh'>, { refresh_token: string }>

/** `expires_at` is in milliseconds since 1970, by the clock of this machine. */
export interface Tokens {
  population: Population
  token: string
  refresh_token: string
  expires_at: number
}

/**
 * Stores tokens. A storage that several windows share needs `lock` as well (`navigator.locks`), so that only one of them renews: a refresh token
 * works once.
 */
export interface TokenStorage {
  load(): Tokens | undefined | Promise<Tokens | undefined>
  save(tokens: Tokens | undefined): void | Promise<void>
  lock?<T>(work: () => Promise<T>): Promise<T>
}

export interface CallOptions {
  signal?: AbortSignal
  headers?: Record<string, string>
  /** For a write that may be repeated after this program has ended; by default each call has a new one. */
  idempotencyKey?: string
  /** How often this call is retried, instead of the client's `retries`. */
  tries?: number
}

/**
 * `after` is the `id` of the last known event; without it the stream begins now. Clients get events of their own tickets, staff those of tickets
 * that they see.
 */
export type StreamOptions = BodyOf<'/api/admin/events/stream'> & {
  signal?: AbortSignal
  /** The service sends something every 15 s. A connection that is silent for longer than this, 25 s by default, is dead. */
  idleMilliseconds?: number
  /** Called at each connection, with the cursor after which it continues: another stream can go on from there. */
  onOpen?(cursor: string): void
}

/** An event, as in the feed, or for staff the whole presence at a ticket or an article. */
export type StreamedEvent = DeskEvent | Presence | ArticlePresence
export type DeskEvent = DataOf<'/api/admin/events/list'>['events'][number]
export type Presence = { kind: 'presence' } & DataOf<'/api/admin/tickets/presence'>
export type ArticlePresence = { kind: 'article_presence' } & DataOf<'/api/admin/kb/articles/presence'>

/** Files by field name, or as they are if the name does not matter. In Node.js `openAsBlob` makes one from a path. */
export type Files = Blob | Iterable<Blob> | Record<string, Blob | Blob[]>

/** Bytes of the whole body. `loaded` starts again when the call is retried. */
export interface Progress {
  loaded: number
  total: number
}

export interface DesklineFailure {
  /** The response's status; 0 if none arrived. */
  status: number
  /**
   * For programs; never changes. `network_error`: no response arrived. `unexpected_answer`: the response is not from Deskline.
   * `session_replaced`: nothing was sent, since somebody else has signed in in this browser.
   */
  reason: Reason | 'network_error' | 'unexpected_answer' | 'session_replaced' | (string & {})
  /** The names of the fields at fault. */
  errors?: string[]
  data?: Record<string, unknown>
  /** The id of the call in the service's log. */
  requestId?: string
  retryAfterSeconds?: number
}

export declare class DesklineError extends Error implements DesklineFailure {
  constructor(failure: DesklineFailure & { message: string; cause?: unknown })
  readonly status: number
  readonly reason: DesklineFailure['reason']
  readonly errors: string[]
  readonly data: Record<string, unknown> | undefined
  readonly requestId: string | undefined
  readonly retryAfterSeconds: number | undefined
}

export type PostPath = PathsWithMethod<paths, 'post'>
type Operation<P extends PostPath> = paths[P]['post']

/** The fields of an endpoint's body. */
export type BodyOf<P extends PostPath> =
  NonNullable<Operation<P>['requestBody']> extends { content: { 'application/json': infer Body } } ? Body : never
/** The whole response. */
export type AnswerOf<P extends PostPath> = SuccessResponseJSON<Operation<P>>
/** The `data` of the response. */
export type DataOf<P extends PostPath> = AnswerOf<P> extends { data: infer Data } ? Data : never

/** The endpoints that return pages. */
export type ListPath = {
  [P in PostPath]: DataOf<P> extends { limit: number } | { next_cursor: unknown } ? P : never
}[PostPath]

type ParamsOf<P extends PostPath> = paths[P]['post']['parameters'] extends { path: infer Path }
  ? { params: { path: Path } }
  : { params?: { query?: paths[P]['post']['parameters']['query'] } }
type GivenOf<P extends PostPath> =
  Operation<P> extends { requestBody: object } ? { body: BodyOf<P> } : { body?: BodyOf<P> }
type FieldsOf<P extends PostPath> =
  Record<never, never> extends BodyOf<P> ? { fields?: BodyOf<P> } : { fields: BodyOf<P> }
type WholeInit<P extends PostPath> = CallOptions & ParamsOf<P> & GivenOf<P>
/** The arguments of a call; optional if no field is required. */
export type InitOf<P extends PostPath> =
  Record<never, never> extends WholeInit<P> ? [init?: WholeInit<P>] : [init: WholeInit<P>]
