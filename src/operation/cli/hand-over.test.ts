import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { after, test } from 'node:test'
import { bootDesk } from '../../../test/support/desk.ts'
import { aMail } from '../../../test/support/mails.ts'
import { deskline } from '../../../test/support/program.ts'
import { handOverSocket } from '../../intake/mailbox/hand-over-socket.ts'
import { removeHandOverSocket, takeHandedOver } from '../../intake/mailbox/take-handed-over.ts'

const desk = await bootDesk({ connections: 4 })
const { DATA_DIR } = desk.services.config

/** Runs the command with settings that it refuses itself: only the service can take the e-mail. */
async function receive(raw: string, words: string[] = []) {
  const program = deskline(['receive', ...words], { DATA_DIR, DATABASE_URL: 'nonsense' })
  program.child.stdin!.end(raw)
  return { code: await program.ended, output: program.output() }
}

test('a service that runs takes what deskline receive was given, which opens no database of its own', async () => {
  const taking = await takeHandedOver(desk.services)
  after(() => taking!.stop())

  const taken = await receive(aMail({ Subject: 'Handed over' }), [
    '--recipient',
    'support@desk.example',
    '--sender',
    ''
  ])
  const none = await receive('hello\n')

  assert.equal(taken.code, 0, taken.output)
  const { outcome, ticket_id, reason } = JSON.parse(taken.output)
  const [mail] = await desk.db
    .selectFrom('inbound_mails')
    .select(['ticket_id', 'via', 'envelope_recipient as to', 'envelope_sender as from'])
    .execute()
  assert.deepEqual([outcome, reason], ['ticket', 'null_sender'])
  assert.deepEqual(mail, { ticket_id, via: 'command', to: 'support@desk.example', from: '' })
  assert.deepEqual([none.code, none.output], [65, 'This is no message: it has no header.\n'])
})

test('a service that breaks off lets the mail server try again; the socket of one that was killed is no obstacle', async () => {
  await removeHandOverSocket(desk.services)
  const breaking = createServer(socket => socket.once('data', () => socket.destroy()))
  breaking.listen(handOverSocket(DATA_DIR))
  const broken = await receive(aMail())
  await new Promise(resolve => breaking.close(resolve))
  // Nobody listens: the command opens the installation itself.
  const alone = await receive(aMail())

  assert.deepEqual([broken.code, alone.code], [75, 75])
  assert.match(broken.output, /^The service broke off: /)
  assert.match(alone.output, /DATABASE_URL/)
})
