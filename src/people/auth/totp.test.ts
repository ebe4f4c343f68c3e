import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { newSecret, otpauthUri, stepOfCode } from './totp.ts'

const rfcSecret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' // '12345678901234567890' in Base32

// RFC 6238, appendix B, the SHA1 rows: Unix time and eight digits, of which six-digit codes are the last six.
const rfcVectors: [number, string][] = [
  [59, '94287082'],
  [1111111109, '07081804'],
  [1111111111, '14050471'],
  [1234567890, '89005924'],
  [2000000000, '69279037'],
  [20000000000, '65353130']
]

test('a code is that of RFC 6238 with SHA1, 6 digits and 30 seconds', () => {
  for (const [seconds, digits] of rfcVectors) {
    const step = stepOfCode(rfcSecret, digits.slice(-6), new Date(seconds * 1000))

    assert.equal(step, Math.floor(seconds / 30), `at ${seconds} s`)
  }
})

test('the codes of the step before and of the step after are accepted, and tell their own step', () => {
  const [seconds, digits] = rfcVectors[3]!
  const at = (later: number) => stepOfCode(rfcSecret, digits.slice(-6), new Date((seconds + later) * 1000))

  assert.equal(at(30), Math.floor(seconds / 30))
  assert.equal(at(-30), Math.floor(seconds / 30))
})

test('the codes of two steps before and after are not accepted', () => {
  const [seconds, digits] = rfcVectors[3]!
  const at = (later: number) => stepOfCode(rfcSecret, digits.slice(-6), new Date((seconds + later) * 1000))

  assert.equal(at(60), undefined)
  assert.equal(at(-60), undefined)
})

test('what is not six decimal digits is a wrong code and never a fault', () => {
  const now = new Date(59_000)

  for (const code of [
    '',
    '28708',
    '94287082',
    '28708é',
    '２８７０８２',
    '287 82',
    '-87082',
    'abcdef',
    '28708\u{1f600}'
  ]) {
    assert.equal(stepOfCode(rfcSecret, code, now), undefined, code)
  }
})

test('a secret has 160 bits in Base32 and never comes twice', () => {
  const secrets = new Set(Array.from({ length: 100 }, newSecret))

  assert.equal(secrets.size, 100)
  for (const secret of secrets) assert.match(secret, /^[A-Z2-7]{32}$/)
})

test('the otpauth address spells out label, secret, issuer and all parameters', () => {
  const uri = new URL(otpauthUri(rfcSecret, 'ada+desk@example.com'))

  assert.equal(uri.protocol, 'otpauth:')
  assert.equal(uri.host, 'totp')
  assert.equal(decodeURIComponent(uri.pathname), '/Deskline:ada+desk@example.com')
  assert.deepEqual(Object.fromEntries(uri.searchParams), {
    secret: rfcSecret,
    issuer: 'Deskline',
    algorithm: 'SHA1',
    digits: '6',
    period: '30'
  })
})

const hasOathtool = spawnSync('oathtool', ['--version']).status === 0

test('the codes of oathtool are ours', { skip: hasOathtool ? false : 'oathtool is not installed' }, () => {
  for (const seconds of [59, 1_111_111_111, 1_790_000_000, 1_800_000_015]) {
    const secret = newSecret()
    const code = execFileSync('oathtool', ['--totp', '--base32', `--now=@${seconds}`, secret], { encoding: 'utf8' })

    assert.equal(stepOfCode(secret, code.trim(), new Date(seconds * 1000)), Math.floor(seconds / 30))
  }
})
