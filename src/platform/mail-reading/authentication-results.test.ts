import assert from 'node:assert/strict'
import { test } from 'node:test'
import { authenticationResultsIn } from './authentication-results.ts'
import { headersOf } from './headers.ts'

function read(block: string) {
  return authenticationResultsIn(headersOf(block))
}

test('what servers have checked is read with comments, folds, quotes, versions and blanks in all places', () => {
  const [found, ...others] = read(
    'Authentication-Results: "MX.example.com" 1;\r\n' +
      ' (a (nested) comment; dmarc=pass) spf=pass (good; really) reason="sent by \\"us\\"; truly"\r\n\tsmtp.mailfrom=a@b.example ;\r\n' +
      ' dkim/1 = fail (bad = signature)  header.d = b.example header.b=ab/c==; DMARC=FAIL (p=REJECT) header.from=b.example policy.dmarc=reject;\r\n'
  )

  assert.deepEqual(others, [])
  assert.deepEqual(
    { ...found, results: found!.results.map(({ properties, ...rest }) => ({ ...rest, ...properties })) },
    {
      hop: 0,
      host: 'mx.example.com',
      results: [
        { method: 'spf', result: 'pass', reason: 'sent by "us"; truly', 'smtp.mailfrom': 'a@b.example' },
        { method: 'dkim', result: 'fail', reason: undefined, 'header.d': 'b.example', 'header.b': 'ab/c==' },
        { method: 'dmarc', result: 'fail', reason: undefined, 'header.from': 'b.example', 'policy.dmarc': 'reject' }
      ]
    }
  )
})

test('it is told between which servers a header stands; what names no server, or says nothing, is nothing', () => {
  const found = read(
    'Authentication-Results: a.example; none\nReceived: by x\nReceived: by y\nAuthentication-Results: b.example; spf=pass\n' +
      'Authentication-Results: spf=pass smtp.mailfrom=c.example; dmarc=pass\nAuthentication-Results: (only a comment'
  )

  assert.deepEqual(
    found.map(({ hop, host, results }) => [hop, host, results.length]),
    [
      [0, 'a.example', 0],
      [2, 'b.example', 1]
    ]
  )
})

test('whatever stands in it is read in time, and the first of two that say the same thing stands', () => {
  const hostile = ['(', '"', '\\', '=', ';', 'a=', '((a)', '"\\"'].map(piece => piece.repeat(50_000))

  for (const value of hostile) assert.ok(read(`Authentication-Results: a.example; spf=pass ${value}`).length <= 1)
  const [{ results }] = read(
    'Authentication-Results: a; dmarc=fail header.from=a.example header.from=b.example __proto__=x'
  ) as [ReturnType<typeof read>[number]]
  assert.equal(results[0]!.properties['header.from'], 'a.example')
})
