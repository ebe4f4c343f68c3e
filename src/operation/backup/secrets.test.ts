import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeKeys } from '../../core/keys.ts'
import { ArchiveFault } from './archive.ts'
import { fingerprintsOf, fittingSecrets } from './secrets.ts'

const [former, current, other] = ['former', 'current', 'other'].map(name => name.padEnd(40, '.')) as [
  string,
  string,
  string
]
const fingerprints = fingerprintsOf(makeKeys([current, former]))
const none = { settings: undefined, archived: undefined, present: undefined }

test('APP_SECRET must have the secret that was in use, in whatever place, and the key file stays out of it', () => {
  const settings = [other, current] as const

  assert.deepEqual(fittingSecrets(fingerprints, { ...none, settings, archived: current }), { secrets: settings })
  for (const unfit of [[other], [former]] as const) {
    assert.throws(() => fittingSecrets(fingerprints, { ...none, settings: unfit }), /APP_SECRET is not what/)
  }
})

test('without APP_SECRET the key file of the backup is taken, and put where there is none or another', () => {
  assert.deepEqual(fittingSecrets(fingerprints, { ...none, archived: current }), {
    secrets: [current],
    keyFile: current
  })
  assert.deepEqual(fittingSecrets(fingerprints, { ...none, archived: current, present: other }), {
    secrets: [current],
    keyFile: current
  })
  assert.deepEqual(fittingSecrets(fingerprints, { ...none, archived: current, present: current }), {
    secrets: [current]
  })
})

test('without a key in the backup the one that is here must fit', () => {
  assert.deepEqual(fittingSecrets(fingerprints, { ...none, present: current }), { secrets: [current] })
  assert.throws(() => fittingSecrets(fingerprints, { ...none, present: other }), ArchiveFault)
  assert.throws(() => fittingSecrets(fingerprints, none), ArchiveFault)
})

test('a fingerprint does not give the secret away', () => {
  assert.ok(fingerprints.every(fingerprint => !fingerprint.includes(current) && fingerprint.length === 43))
})
