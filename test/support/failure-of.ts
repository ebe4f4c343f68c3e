import assert from 'node:assert/strict'
import { DesklineError } from '../../client/src/index.js'

/** The error of a failing call of the client library. */
export async function failureOf(call: Promise<unknown>): Promise<DesklineError> {
  return await call.then(
    () => assert.fail('It succeeded'),
    error => (error instanceof DesklineError ? error : assert.fail(error))
  )
}
