import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deliveryReasonOf, reasonIn } from './bounce-reasons.ts'

test('the status and the words of the other side become one word, whether they are kept shortened or as they were', () => {
  const said: [status: string | null, reason: string, word: string][] = [
    [null, 'mailbox full', 'mailbox_full'],
    ['4.2.2', '452 4.2.2 The recipient is over quota', 'mailbox_full'],
    [null, 'no such domain', 'unknown_domain'],
    ['5.1.1', 'no such address', 'unknown_address'],
    [null, '550 5.1.1 Nobody here by that name', 'unknown_address'],
    ['5.2.1', 'whatever', 'mailbox_disabled'],
    [null, '552 5.3.4 Sorry', 'too_large'],
    ['5.7.1', reasonIn('5.7.1', '550 5.7.1 Looks like SPAM to us')!, 'spam'],
    ['5.7.26', 'refused by the other side', 'refused'],
    [null, '451 4.7.1 Greylisted by policy, come back later', 'temporary'],
    [null, '421 Too busy', 'temporary'],
    [null, 'mail server not reached', 'not_reached'],
    [null, 'not delivered in time', 'not_in_time'],
    [null, '554 Il fait trop chaud', 'other'],
    [null, 'not delivered', 'other']
  ]

  const words = said.map(([status, reason]) => [status, reason, deliveryReasonOf(status, reason)])

  assert.deepEqual(words, said)
})
