import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventKinds } from './catalogue.ts'

test('clients read of tickets alone, and never of notes, assignments, tags or who watches', () => {
  const forClients = Object.entries(eventKinds).flatMap(([kind, { readers }]) => (readers === 'client' ? [kind] : []))

  assert.deepEqual(forClients.toSorted(), [
    'ticket.created',
    'ticket.merged',
    'ticket.replied',
    'ticket.status_changed',
    'ticket.unmerged'
  ])
})
