import assert from 'node:assert/strict'
import { test } from 'node:test'
import { authenticationResultsIn } from '../../platform/mail-reading/authentication-results.ts'
import type { Checks } from '../../platform/mail-reading/check-authenticity.ts'
import { headersOf } from '../../platform/mail-reading/headers.ts'
import { trustedResults, verdictOfOwnChecks, verdictOfTrustedHost } from './authentication.ts'

const nothing: Checks = { spf: null, signatures: [], dmarc: null, arc: null }
const own = { domain: 'a.example', reason: null, isAligned: true }
const others = { domain: 'b.example', reason: null, isAligned: false }
const dmarc = (result: string, policy: string | null = 'none') => ({
  result,
  policy,
  domain: 'a.example',
  reason: null
})

test('our checks say pass, fail, none or unknown, each by one rule', () => {
  const cases: [string, Partial<Checks>, string][] = [
    ['DMARC passes', { spf: { ...own, result: 'pass' }, dmarc: dmarc('pass') }, 'pass dmarc'],
    [
      'DMARC fails, whatever its owner wants done',
      { spf: { ...others, result: 'pass' }, dmarc: dmarc('fail') },
      'fail dmarc'
    ],
    [
      'the key is not to be had now',
      { spf: { ...others, result: 'pass' }, signatures: [{ ...own, result: 'temperror' }], dmarc: dmarc('fail') },
      'unknown no_answer'
    ],
    [
      'another one’s key is not to be had',
      { spf: { ...others, result: 'pass' }, signatures: [{ ...others, result: 'temperror' }], dmarc: dmarc('fail') },
      'fail dmarc'
    ],
    ['DMARC cannot be asked for', { spf: { ...own, result: 'pass' }, dmarc: dmarc('temperror') }, 'unknown no_answer'],
    ['unsigned, and nobody knows where it came from', { dmarc: dmarc('fail', 'reject') }, 'unknown not_checked'],
    [
      'a broken signature where that is forbidden',
      { signatures: [{ ...own, result: 'fail' }], dmarc: dmarc('fail', 'reject') },
      'fail dkim'
    ],
    [
      'a broken signature where that is allowed',
      { signatures: [{ ...own, result: 'fail' }], dmarc: dmarc('fail') },
      'unknown not_checked'
    ],
    [
      'without DMARC the author’s signature',
      {
        signatures: [
          { ...others, result: 'pass' },
          { ...own, result: 'pass' }
        ],
        dmarc: dmarc('none')
      },
      'pass dkim'
    ],
    ['without DMARC the author’s server', { spf: { ...own, result: 'pass' }, dmarc: dmarc('none') }, 'pass spf'],
    [
      'without DMARC a server that the author denies',
      { spf: { ...own, result: 'fail' }, dmarc: dmarc('none') },
      'fail spf'
    ],
    [
      'a server that the author is not sure of',
      { spf: { ...own, result: 'softfail' }, dmarc: dmarc('none') },
      'none nothing_said'
    ],
    [
      'others vouch for themselves',
      { spf: { ...others, result: 'pass' }, signatures: [{ ...others, result: 'pass' }], dmarc: dmarc('none') },
      'none nothing_said'
    ],
    [
      'a weak key is no proof',
      { signatures: [{ ...own, result: 'policy' }], dmarc: dmarc('none') },
      'none nothing_said'
    ],
    [
      'sealed by somebody believed',
      { arc: { ...others, result: 'pass', told: 'pass' }, spf: { ...others, result: 'pass' }, dmarc: dmarc('fail') },
      'pass arc'
    ],
    [
      'sealed by anybody',
      {
        arc: { ...others, domain: 'c.example', result: 'pass', told: 'pass' },
        spf: { ...others, result: 'pass' },
        dmarc: dmarc('fail')
      },
      'fail dmarc'
    ],
    [
      'a broken seal',
      { arc: { ...others, result: 'fail', told: 'pass' }, spf: { ...others, result: 'pass' }, dmarc: dmarc('fail') },
      'fail dmarc'
    ]
  ]

  for (const [name, checks, expected] of cases) {
    const { verdict, reason, checked_by } = verdictOfOwnChecks({ ...nothing, ...checks }, { trusted: ['mx.b.example'] })
    assert.deepEqual([`${verdict} ${reason}`, checked_by], [expected, 'deskline'], name)
  }
})

test('a server that is believed says pass, fail, none or unknown of the author, and nothing by what it says of others', () => {
  const cases: [string, string][] = [
    ['dmarc=pass header.from=a.example', 'pass dmarc'],
    ['dmarc=fail (p=NONE) header.from=a.example; dkim=pass header.d=b.example', 'fail dmarc'],
    ['dmarc=pass header.from=b.example', 'none nothing_said'],
    ['dmarc=pass header.from=a.example; dmarc=fail header.from=a.example', 'fail dmarc'],
    ['dkim=pass header.i=@a.example; spf=fail smtp.mailfrom=x@b.example', 'pass dkim'],
    ['dkim=pass header.d=mail.a.example', 'pass dkim'],
    ['dkim=pass header.d=nota.example', 'none nothing_said'],
    ['dkim=pass', 'none nothing_said'],
    ['spf=pass smtp.mailfrom=bounce@a.example; dmarc=none', 'pass spf'],
    ['spf=fail smtp.mailfrom=x@a.example', 'fail spf'],
    ['spf=softfail smtp.mailfrom=x@a.example', 'none nothing_said'],
    ['dkim=fail header.d=a.example', 'fail dkim'],
    ['dkim=fail header.d=a.example; dkim=pass header.d=a.example', 'pass dkim'],
    ['dkim=temperror header.d=a.example', 'unknown no_answer'],
    ['none', 'none nothing_said']
  ]

  for (const [value, expected] of cases) {
    const told = trustedResults(authenticationResultsIn(headersOf(`Authentication-Results: mx.example; ${value}`)), [
      'mx.example'
    ])
    const { verdict, reason, checked_by } = verdictOfTrustedHost(told!, 'Ada@A.example')
    assert.deepEqual([`${verdict} ${reason}`, checked_by], [expected, 'mx.example'], value)
  }
})

test('of a server that is believed only the topmost headers count; of others none', () => {
  const results = authenticationResultsIn(
    headersOf(
      'Authentication-Results: evil.example; dmarc=pass\nReceived: 1\nAuthentication-Results: MX.example; spf=fail\nDKIM-Filter: x\n' +
        'Authentication-Results: mx.example; dkim=fail\nReceived: 2\nAuthentication-Results: mx.example; dmarc=pass\n'
    )
  )

  const told = trustedResults(results, ['other.example', 'mx.example'])

  assert.deepEqual(
    told?.results.map(({ method, result }) => `${method}=${result}`),
    ['spf=fail', 'dkim=fail']
  )
  assert.equal(trustedResults(results, ['mx.example.org']), undefined)
})
