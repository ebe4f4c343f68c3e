import { Type } from 'typebox'
import { failure } from './errors.ts'
import { maxId } from './schemas.ts'

/** The version of a row, for optimistic locking: the caller sends it back as `expected_version`. */
export const Version = Type.Integer({ minimum: 1, examples: [3] })

/** The version that the caller has read: a write fails if the row has another one. */
export const ExpectedVersion = Type.Optional(Type.Integer({ minimum: 1, maximum: maxId, examples: [3] }))

export const VersionConflict = failure(
  409,
  'version_conflict',
  'Somebody has changed this in the meantime',
  Type.Object({ current_version: Type.Integer({ minimum: 1, examples: [4] }) })
)

/** Throws `VersionConflict`, with the current version in its text, its data and a header. */
export function requireVersion(current: number, expected: number | undefined): void {
  if (expected === undefined || expected === current) return
  throw VersionConflict({
    message: `Somebody has changed this in the meantime: the current version is ${current}`,
    errors: ['expected_version'],
    data: { current_version: current },
    headers: { 'x-current-version': String(current) }
  })
}
