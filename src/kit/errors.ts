import type { TObject } from 'typebox'
import { isoTimesInto } from './iso-times.ts'

/** An expected failure, as the error envelope shows it. */
export class Failure extends Error {
  readonly kind: FailureKind
  readonly status: number
  readonly errors: readonly string[] | undefined
  readonly data: object | undefined
  readonly lacks: readonly string[] | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(kind: FailureKind, details: FailureDetails) {
    super(details.message ?? kind.text)
    this.kind = kind
    this.status = kind.status
    this.errors = details.errors
    this.data = details.data
    this.lacks = details.lacks
    this.headers = details.headers ?? {}
  }
}

export interface FailureDetails {
  /** Overrides the text of the kind. */
  message?: string
  /** The names of the missing or invalid fields. */
  errors?: readonly string[]
  /** Data that the caller needs to continue, as the kind declares them. */
  data?: object
  /** The permissions any of which would have done. The answer does not tell them. */
  lacks?: readonly string[]
  headers?: Record<string, string>
}

/** Call it to create the failure: `throw TicketNotFound()`. */
export interface FailureKind {
  (details?: FailureDetails): Failure
  readonly status: number
  /** A stable code for programs; the text may be reworded. */
  readonly reason: string
  readonly text: string
  /** The schema of its data, if any (beyond the contract, whose failures have none). */
  readonly data: TObject | undefined
}

/** Declares a failure. The reason is for programs and never changes; the text is for a human who did nothing wrong: what happened, in plain words. */
export function failure(status: number, reason: string, text: string, data?: TObject): FailureKind {
  const kind: FailureKind = Object.assign((details: FailureDetails = {}) => new Failure(kind, details), {
    status,
    reason,
    text,
    data
  })
  return kind
}

export const Unauthenticated = failure(401, 'unauthenticated', 'Authentication required: send a valid bearer token')
export const Forbidden = failure(403, 'forbidden', 'You do not have permission to do this')
export const SignInRequired = failure(
  403,
  'sign_in_required',
  'This takes somebody who has signed in: an API token cannot do it'
)
export const NotFound = failure(404, 'not_found', 'Not found')
export const MethodNotAllowed = failure(405, 'method_not_allowed', 'Method not allowed')
export const MissingFields = failure(400, 'missing_fields', 'Missing required fields')
export const InvalidFields = failure(400, 'invalid_fields', 'Invalid fields')
export const UnknownFields = failure(400, 'unknown_fields', 'Unknown fields, which handling=strict does not allow')
export const MalformedBody = failure(400, 'malformed_body', 'The request body could not be parsed')
export const BodyTooLarge = failure(413, 'body_too_large', 'The request body is too large')
export const FileTooLarge = failure(413, 'file_too_large', 'A file is too large')
export const TooManyFiles = failure(413, 'too_many_files', 'Too many files')
export const UnsupportedBody = failure(
  415,
  'unsupported_body',
  'Send the body as application/json, multipart/form-data or application/x-www-form-urlencoded'
)
export const EncodedBody = failure(415, 'encoded_body', 'Send the body without Content-Encoding')
export const TooManyAttempts = failure(429, 'too_many_attempts', 'Too many attempts. Please try again later')
export const InternalError = failure(500, 'internal_error', 'Internal server error')
export const Unavailable = failure(503, 'unavailable', 'The service is busy. Please try again shortly')
export const StorageFull = failure(507, 'storage_full', 'There is no storage space left')

/** Every endpoint may fail with these; it declares all others. */
export const commonFailures: readonly FailureKind[] = [
  MissingFields,
  InvalidFields,
  UnknownFields,
  MalformedBody,
  BodyTooLarge,
  UnsupportedBody,
  EncodedBody,
  InternalError,
  Unavailable,
  StorageFull
]

/** The error envelope of the contract, with `data` if the failure declares them. */
export function errorEnvelope(refusal: Failure): object {
  if (refusal.data && refusal.kind.data) isoTimesInto(refusal.kind.data)?.(refusal.data as Record<string, unknown>)
  return {
    status: 'error',
    code: refusal.status,
    message: refusal.message,
    reason: refusal.kind.reason,
    ...(refusal.errors ? { errors: refusal.errors } : {}),
    ...(refusal.data ? { data: refusal.data } : {})
  }
}
