import assert from 'node:assert/strict'
import { createHmac, hkdfSync } from 'node:crypto'
import { describe, test } from 'node:test'
import { makeKeys } from '../../core/keys.ts'

const [former, current] = ['the former secret of this installation', 'the current secret of this installation']
const now = new Date('2026-11-20T08:28:31Z')
const claims = { session: 1, population: 'client', account: 7 } as const

test('a token that was asked for before still ends in time and is of its kind alone, however many came between', () => {
  const keys = makeKeys([current])
  const token = keys.sign('access', claims, now, 60)
  const later = (seconds: number) => new Date(now.getTime() + seconds * 1000)
  const broken = `${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`

  const known = keys.verify('access', token, now)
  const ended = keys.verify('access', token, later(60))
  const ofOtherKind = keys.verify('challenge', token, now)
  for (let at = 0; at < 1500; at++) keys.verify('access', keys.sign('access', claims, now, 60), now)

  assert.equal(known?.account, 7)
  assert.deepEqual([ended, ofOtherKind, keys.verify('access', broken, now)], [undefined, undefined, undefined])
  assert.equal(keys.verify('access', token, later(59))?.account, 7)
})

describe('of several secrets', () => {
  const [old, both, fresh] = [makeKeys([former]), makeKeys([current, former]), makeKeys([current])]

  test('all verify and open, and the first signs and seals', () => {
    const [oldToken, newToken] = [old.sign('access', claims, now, 60), both.sign('access', claims, now, 60)]
    const [oldSeal, newSeal] = [old.seal('a', 'secret'), both.seal('a', 'secret')]

    assert.deepEqual(
      [oldToken, newToken].map(token => both.verify('access', token, now)?.account),
      [7, 7]
    )
    assert.deepEqual(
      [oldSeal, newSeal].map(sealed => both.unseal('a', sealed)),
      ['secret', 'secret']
    )
    assert.equal(both.digest('a', 'secret'), fresh.digest('a', 'secret'))
    assert.deepEqual(both.digests('a', 'secret'), [fresh.digest('a', 'secret'), old.digest('a', 'secret')])
    assert.equal(fresh.verify('access', newToken, now)?.account, 7)
    assert.equal(fresh.unseal('a', newSeal), 'secret')
  })

  test('one that has been taken away verifies and opens nothing any more', () => {
    assert.equal(fresh.verify('access', old.sign('access', claims, now, 60), now), undefined)
    assert.throws(() => fresh.unseal('a', old.seal('a', 'secret')))
  })

  test('what a former one sealed is sealed anew by the first, once', () => {
    const resealed = both.reseal('a', old.seal('a', 'secret'))!

    assert.equal(fresh.unseal('a', resealed), 'secret')
    assert.equal(both.reseal('a', resealed), undefined)
    assert.throws(() => fresh.reseal('a', old.seal('a', 'secret')))
  })
})

describe('a token', () => {
  const keys = makeKeys([current])
  const key = Buffer.from(hkdfSync('sha256', current, 'deskline', 'tokens', 32))

  test('that was issued by the library of before is genuine still', () => {
    const issued =
      'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzZXNzaW9uIjoxLCJwb3B1bGF0aW9uIjoiY2xpZW50IiwiYWNjb3VudCI6Nywia2luZCI6ImFjY2VzcyIsImV4cCI6MTc5NTE2MzM3MSwianRpIjoiQUFFQ0F3UUZCZ2NJIn0.Mxd3gSqpWlvrcb9g48685NHS2UgX7MFC7bA6Yef4d98'

    const known = keys.verify('access', issued, now)

    assert.deepEqual([known?.session, known?.population, known?.account], [1, 'client', 7])
  })

  test('is written in one way: other letters for the same bytes, more parts, other ends are none', () => {
    const token = keys.sign('access', claims, now, 60)
    const [header, body, signature] = token.split('.') as [string, string, string]
    const last = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'.indexOf(signature.at(-1)!)
    const same = `${signature.slice(0, -1)}${'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'[last ^ 1]}`
    const hostile = [
      `${header}.${body}.${same}`,
      `${token}=`,
      `${token}.`,
      ` ${token}`,
      `${token}.${signature}`,
      `${header}.${body}`,
      `.${body}.${signature}`,
      `${header}..${signature}`,
      '',
      '.',
      '..',
      'x'.repeat(10_000),
      `${header}.${body}.${signature}${'A'.repeat(5_000)}`,
      ...[null, 7, [], { kind: 'access' }, { exp: 9e12 }, { kind: 1, exp: 9e12 }].map(body =>
        signed({ alg: 'HS256', typ: 'JWT' }, body as object, key)
      )
    ]

    assert.deepEqual(Buffer.from(same, 'base64url'), Buffer.from(signature, 'base64url'))
    for (const token of hostile) assert.equal(keys.verify('access', token, now), undefined, token.slice(0, 300))
  })

  test('of one kind is none of another', () => {
    const tokens = [
      keys.sign('access', claims, now, 60),
      keys.sign('challenge', { challenge: 1 }, now, 60),
      keys.sign('reset', { reset: 1 }, now, 60)
    ]

    assert.deepEqual(
      (['access', 'challenge', 'reset'] as const).map(kind =>
        tokens.map(token => keys.verify(kind, token, now) !== undefined)
      ),
      [
        [true, false, false],
        [false, true, false],
        [false, false, true]
      ]
    )
  })

  test('is over at its second, not later', () => {
    const token = keys.sign('access', claims, now, 60)

    assert.ok(keys.verify('access', token, new Date(now.getTime() + 59_999)))
    assert.equal(keys.verify('access', token, new Date(now.getTime() + 60_000)), undefined)
  })

  test('is believed under HS256 with our key alone, whatever its header says', () => {
    const body = { ...claims, kind: 'access', exp: now.getTime() / 1000 + 60 }

    assert.ok(keys.verify('access', signed({ alg: 'HS256', typ: 'JWT' }, body, key), now))
    for (const header of [
      { alg: 'none' },
      { alg: 'None' },
      { alg: 'HS512' },
      { alg: 'RS256' },
      { alg: 'HS256', crit: ['b64'], b64: false },
      {}
    ]) {
      const alg = header.alg === 'HS512' ? 'sha512' : 'sha256'
      const token = signed(header, body, key, alg)
      if (header.alg !== 'HS256') assert.equal(keys.verify('access', token, now), undefined, JSON.stringify(header))
      assert.equal(keys.verify('access', token.replace(/[^.]*$/, ''), now), undefined, JSON.stringify(header))
    }
    assert.equal(keys.verify('access', signed({ alg: 'HS256' }, body, Buffer.from(current)), now), undefined)
    assert.equal(keys.verify('access', signed({ alg: 'HS256' }, body, Buffer.alloc(0)), now), undefined)
  })

  test('with one letter changed anywhere is none', () => {
    const token = keys.sign('access', claims, now, 60)

    for (let at = 0; at < token.length - 1; at++) {
      const other = token[at] === 'A' ? 'B' : 'A'
      const changed = token.slice(0, at) + other + token.slice(at + 1)
      assert.equal(keys.verify('access', changed, now), undefined, String(at))
    }
  })
})

test('what is sealed opens for its purpose alone, and not when a bit of it has changed or is missing', () => {
  const keys = makeKeys([current])
  const sealed = keys.seal('client 7', 'secret')
  const bytes = Buffer.from(sealed, 'base64url')

  assert.throws(() => keys.unseal('staff 7', sealed))
  assert.notEqual(keys.seal('client 7', 'secret'), sealed)
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes)
    changed[at]! ^= 1
    assert.throws(() => keys.unseal('client 7', changed.toString('base64url')), /does not open/)
  }
  for (const end of [12, 16, 24, -12, -1]) {
    const cut = bytes.subarray(0, end).toString('base64url')
    assert.throws(() => keys.unseal('client 7', cut), /does not open/, `without what follows ${end}`)
  }
  for (const nonsense of ['', 'x', 'AAAA']) assert.throws(() => keys.unseal('client 7', nonsense), /does not open/)
})

function signed(header: object, body: object, key: Buffer, algorithm = 'sha256'): string {
  const [head, payload] = [header, body].map(part => Buffer.from(JSON.stringify(part)).toString('base64url'))
  return `${head}.${payload}.${createHmac(algorithm, key).update(`${head}.${payload}`).digest('base64url')}`
}
