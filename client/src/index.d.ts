import type { PathsWithMethod, SuccessResponseJSON } from 'openapi-typescript-helpers'
import type { components, paths, Reason } from './openapi.d.ts'

export type { components, paths, Reason }

/** A client of the desk at `baseUrl` (`https://desk.example.com`; empty in pages that come from there). It sends nothing by itself. */
export declare function createClient(options: CommonOptions & PageOptions): PageClient
export declare function createClient(options: CommonOptions & TokenOptions): DesklineClient

export type ClientOptions = CommonOptions & (PageOptions | TokenOptions)

export interface TokenOptions {
  session?: 'tokens'
  population?: undefined
  /** Where the tokens are kept; in memory, unless told otherwise. */
  storage?: TokenStorage
}

/**
 * For pages that come from the desk itself: the refresh token is in a cookie that no script reads, the access token in memory. All windows of
 * a browser share the session: they renew it once, and end it together.
 */
export interface PageOptions {
  session: 'cookie'
  population: Population
  /**
   * Has the person sign in again by `signIn` of this client, in a dialog over the page, and answers whether that was done. All calls wait
   * for the one dialog and go on after it. When the person has signed in in another window meanwhile the calls go on, and
   * `onSessionBegin` tells that the dialog is not needed any more. Without it, and when it answers false, the session has ended.
   */
  reauthenticate?(user: SessionUser): Promise<boolean>
  /** The session has ended for good: forget what the page has of this person, and show the page to sign in. */
  onSessionEnd?(end: SessionEnd): void
  /** Somebody has signed in where nobody was, here or in another window. */
  onSessionBegin?(user: SessionUser): void
}

export interface SessionEnd {
  /** `signed_out` here or in another window; `expired`, or ended by somebody; `replaced`: somebody else has signed in in another window. */
  reason: 'signed_out' | 'expired' | 'replaced'
  /** Whose session it was. */
  user: SessionUser
  /** Who has signed in instead. Calls of this page fail with the reason `session_replaced` until it is loaded anew. */
  successor?: SessionUser
}

export interface CommonOptions {
  baseUrl: string
  /** In place of the platform's own. */
  fetch?: typeof globalThis.fetch
  /** How often a call is sent again after "later" or a failure of the network: 4 times, unless told otherwise. */
  retries?: number
}

export interface DesklineClient {
  /** Signs in, or answers `requires_2fa` when a second factor is wanted: then go on with `verifyTwoFactor`. */
  signIn(credentials: Credentials): Promise<SignedIn | FactorWanted>
  /** The second step, with the code of an authenticator app or a recovery code. */
  verifyTwoFactor(factor: { code: string; temp_token?: string; signal?: AbortSignal }): Promise<VerifiedIn>
  /** Forgets the tokens, and tells the service, which ends the session. */
  signOut(): Promise<void>
  /**
   * Calls an address. Answers the envelope with `data`, and the `response`; throws `DesklineError` for anything but success, and
   * the signal's reason when that is aborted.
   */
  POST<P extends PostPath>(path: P, ...init: InitOf<P>): Promise<AnswerOf<P> & { response: Response }>
  /** The pages of a list, each fetched when it is asked for. */
  pages<P extends ListPath>(path: P, ...init: InitOf<P>): AsyncGenerator<DataOf<P>, void, undefined>
  /** What happens, as it happens; a broken connection is made anew and goes on after the last event that came. */
  stream(options?: StreamOptions & { population?: Population }): AsyncGenerator<StreamedEvent, void, undefined>
  /** Calls an address with files. Files are sent again when the call is, so they must stay readable until it is over. */
  upload<P extends PostPath>(
    path: P,
    init: CallOptions & ParamsOf<P> & FieldsOf<P> & { files?: Files; onProgress?(progress: Progress): void }
  ): Promise<AnswerOf<P> & { response: Response }>
}

export interface PageClient extends DesklineClient {
  /** Who is signed in in this browser, if anybody. */
  user(): Promise<SessionUser | undefined>
}

export type SessionUser = SignedIn['user'] | VerifiedIn['user']

export type Population = 'client' | 'staff'

export type Credentials = { population?: Population; signal?: AbortSignal } & BodyOf<'/api/auth/login'>
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
 * Where tokens are kept. A place that several windows share needs `lock` as well (`navigator.locks`), so that only one of them renews:
 * a refresh token works once.
 */
export interface TokenStorage {
  load(): Tokens | undefined | Promise<Tokens | undefined>
  save(tokens: Tokens | undefined): void | Promise<void>
  lock?<T>(work: () => Promise<T>): Promise<T>
}

export interface CallOptions {
  signal?: AbortSignal
  headers?: Record<string, string>
  /** Of a write that may be repeated after this program has ended; each call makes one of its own otherwise. */
  idempotencyKey?: string
  /** How often this call is sent again, in place of the client's `retries`. */
  tries?: number
}

/**
 * `after` is the `id` of the last event that is known; without it the stream begins with what happens from now on. Clients are told of
 * their own tickets, staff of those that they see.
 */
export type StreamOptions = BodyOf<'/api/admin/events/stream'> & {
  signal?: AbortSignal
  /** The service says something every 15 s. A connection that is silent for longer than this, 25 s by itself, is dead. */
  idleMilliseconds?: number
}

/** What happened, as in the feed, or to staff who is at a ticket now, whole each time. */
export type StreamedEvent = DeskEvent | Presence
export type DeskEvent = DataOf<'/api/admin/events/list'>['events'][number]
export type Presence = { kind: 'presence' } & DataOf<'/api/admin/tickets/presence'>

/** Files by the name of their field, or as they are where the name does not matter. In Node.js `openAsBlob` makes one of a path. */
export type Files = Blob | Iterable<Blob> | Record<string, Blob | Blob[]>

/** Bytes of the whole body. `loaded` begins anew when the call is sent again. */
export interface Progress {
  loaded: number
  total: number
}

export interface DesklineFailure {
  /** That of the answer; 0 when none arrived. */
  status: number
  /**
   * For programs; never changes. `network_error`: no answer arrived. `unexpected_answer`: what answered was not Deskline. `session_replaced`:
   * nothing was asked, since somebody else has signed in in this browser.
   */
  reason: Reason | 'network_error' | 'unexpected_answer' | 'session_replaced' | (string & {})
  /** The names of the fields at fault. */
  errors?: string[]
  data?: Record<string, unknown>
  /** Under which the service's log has the call. */
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

/** The fields that an address takes. */
export type BodyOf<P extends PostPath> =
  NonNullable<Operation<P>['requestBody']> extends { content: { 'application/json': infer Body } } ? Body : never
/** The whole answer. */
export type AnswerOf<P extends PostPath> = SuccessResponseJSON<Operation<P>>
/** What it carries. */
export type DataOf<P extends PostPath> = AnswerOf<P> extends { data: infer Data } ? Data : never

/** The addresses that answer page by page. */
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
/** What a call is given; may be left out where nothing is required. */
export type InitOf<P extends PostPath> =
  Record<never, never> extends WholeInit<P> ? [init?: WholeInit<P>] : [init: WholeInit<P>]
