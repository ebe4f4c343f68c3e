import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mentionsIn } from './mentions.ts'

const anna = { first_name: 'Änna', last_name: 'van Dijk', email: 'anna@desk.example' }

test('a note mentions somebody by their names or their e-mail address, in capitals or not, whatever follows', () => {
  for (const note of [
    '@änna.van.dijk',
    'See @Änna.Van.Dijk.',
    '(@ANNA@desk.example)',
    'Ask @anna@desk.example, please'
  ])
    assert.ok(mentionsIn(note)(anna), note)
})

test('an address, a part of a name and a longer name mention nobody', () => {
  for (const note of ['anna@desk.example', 'x@änna.van.dijk', '@änna', '@änna.van.dijkstra', '@anna@desk.example.org'])
    assert.ok(!mentionsIn(note)(anna), note)
})
