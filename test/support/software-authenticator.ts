import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import type { Desk } from './desk.ts'
import type { Person } from './people.ts'
import type { Reply } from './requests.ts'

/** The address of the desks of tests, to which browsers bind passkeys. */
const here = { origin: 'http://localhost:3000', host: 'localhost' }

/** A passkey in code: it makes and signs what a browser and an authenticator do, and can be told to do it wrong. */
export interface SoftwarePasskey {
  id: string
  counter: number
  handle: string
  key: KeyObject
}

interface Wrongs {
  origin?: string
  host?: string
  challenge?: string
  isUnverified?: boolean
  counter?: number
  type?: string
}

interface Options {
  challenge: string
  user?: { id: string }
}

/** Makes a passkey for the options of a desk, and the answer of the browser. */
export function made(options: Options, wrongs: Wrongs = {}): { passkey: SoftwarePasskey; response: object } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  const { x, y } = publicKey.export({ format: 'jwk' })
  const cose = new Map<number, number | Uint8Array>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, new Uint8Array(Buffer.from(x!, 'base64url'))],
    [-3, new Uint8Array(Buffer.from(y!, 'base64url'))]
  ])
  const length = Buffer.alloc(2)
  length.writeUInt16BE(id.length)
  const credential = Buffer.concat([Buffer.alloc(16), length, id, Buffer.from(isoCBOR.encode(cose))])
  const authData = Buffer.concat([authenticatorData(wrongs, 0x40), credential])
  const attestation = new Map<string, unknown>([
    ['fmt', 'none'],
    ['attStmt', new Map()],
    ['authData', new Uint8Array(authData)]
  ])
  const response = {
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: { credProps: { rk: true } },
    response: {
      clientDataJSON: clientData('webauthn.create', options, wrongs),
      attestationObject: Buffer.from(isoCBOR.encode(attestation as never)).toString('base64url'),
      transports: ['internal', 'hybrid']
    }
  }
  const passkey = { id: response.id, counter: wrongs.counter ?? 0, handle: options.user?.id ?? '', key: privateKey }
  return { passkey, response }
}

/** Signs the options of a sign-in. */
export function signed(passkey: SoftwarePasskey, options: Options, wrongs: Wrongs = {}) {
  passkey.counter = wrongs.counter ?? passkey.counter
  const authData = authenticatorData({ ...wrongs, counter: passkey.counter }, 0)
  const clientDataJSON = clientData('webauthn.get', options, wrongs)
  const digest = createHash('sha256').update(Buffer.from(clientDataJSON, 'base64url')).digest()
  return {
    id: passkey.id,
    rawId: passkey.id,
    type: 'public-key',
    clientExtensionResults: {},
    response: {
      clientDataJSON,
      authenticatorData: authData.toString('base64url'),
      signature: sign('sha256', Buffer.concat([authData, digest]), passkey.key).toString('base64url'),
      userHandle: passkey.handle
    }
  }
}

/** Registers a passkey for somebody who has just signed in. */
export async function aPasskey(desk: Desk, person: Person, name = 'Laptop', counter = 0): Promise<SoftwarePasskey> {
  const { options, challenge_id } = (await desk.post('/api/account/passkeys/options', person)).data
  const { passkey, response } = made(options, { counter })
  const reply = await desk.post('/api/account/passkeys/register', person, { challenge_id, response, name })
  if (reply.status !== 201) throw new Error(reply.body.message)
  return passkey
}

/** Signs in with a passkey. */
export async function signInWith(
  desk: Desk,
  passkey: SoftwarePasskey,
  { door = '/api/auth/passkey', ...wrongs }: Wrongs & { door?: string } = {}
): Promise<Reply> {
  const { options, challenge_id } = (await desk.post(`${door}/options`)).data
  return await desk.post(`${door}/verify`, undefined, { challenge_id, response: signed(passkey, options, wrongs) })
}

function authenticatorData({ host = here.host, isUnverified, counter = 0 }: Wrongs, flags: number): Buffer {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(counter)
  // User present, user verified, may be backed up.
  const flag = Buffer.from([flags | 0x01 | (isUnverified ? 0 : 0x04) | 0x08])
  return Buffer.concat([createHash('sha256').update(host).digest(), flag, count])
}

function clientData(type: string, { challenge }: Options, wrongs: Wrongs): string {
  const data = {
    type: wrongs.type ?? type,
    challenge: wrongs.challenge ?? challenge,
    origin: wrongs.origin ?? here.origin,
    crossOrigin: false
  }
  return Buffer.from(JSON.stringify(data)).toString('base64url')
}
