import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import type { Desk } from './desk.ts'
import type { Person } from './people.ts'

/** The code of an authenticator app for a Base32 secret (RFC 6238), computed without the code under test. */
export function codeAt(secret: string, time: Date, stepsLater = 0): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(time.getTime() / 30_000) + stepsLater))
  const digest = createHmac('sha1', bytesOf(secret)).update(counter).digest()
  const number = digest.readUInt32BE(digest.at(-1)! & 15) & 0x7fffffff
  return String(number % 1_000_000).padStart(6, '0')
}

/** A code that is not valid around `time`. */
export function wrongCode(secret: string, time: Date): string {
  const shown = [-2, -1, 0, 1, 2].map(steps => codeAt(secret, time, steps))
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find(code => !shown.includes(code))!
}

/** Turns somebody's second factor on, as a person would, and returns the secret. */
export async function turnTwoFactorOn(desk: Desk, person: Person): Promise<string> {
  const setup = await desk.post('/api/auth/2fa/setup', person)
  const { secret } = setup.data
  const enabled = await desk.post('/api/auth/2fa/enable', person, { secret, code: codeAt(secret, desk.clock.now()) })
  assert.equal(enabled.status, 200)
  return secret
}

function bytesOf(base32: string): Buffer {
  const bits = [...base32].map(letter =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0')
  )
  return Buffer.from(
    bits
      .join('')
      .match(/.{8}/g)!
      .map(byte => Number.parseInt(byte, 2))
  )
}
