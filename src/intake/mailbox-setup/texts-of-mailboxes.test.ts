import assert from 'node:assert/strict'
import { test } from 'node:test'
import { imapServer } from '../../../test/support/imap-server.ts'
import { mailServer } from '../../../test/support/mail-server.ts'
import { aMailbox, receivesFrom, serverAt } from '../../../test/support/mailboxes.ts'
import { bootMailboxesDesk } from '../../../test/support/mailboxes-desk.ts'
import { aMail } from '../../../test/support/mails.ts'
import { aClient, aSupporter } from '../../../test/support/people.ts'
import { aTicket, form } from '../../../test/support/tickets.ts'
import { until } from '../../../test/support/until.ts'

const { desk, admin, operator, aProcess, isSettled, stateOf } = await bootMailboxesDesk()
const base = '/api/admin/mail/mailboxes'
const plain = { disabledCommands: ['STARTTLS'], allowInsecureAuth: true }

test('the acknowledgement of a mailbox says what its admin has written, in the language of the reader, and only for what came to it', async () => {
  const [imap, own] = [await imapServer(), await mailServer(plain)]
  const box = await aMailbox(desk, admin, {
    address: 'repairs@box.example',
    ...receivesFrom(imap),
    smtp: serverAt(own.port),
    acknowledgement: {
      en: 'The workshop has {{ticket.number}} on its bench.',
      de: 'Auf der Werkbank: {{ticket.number}}'
    }
  })
  const stop = aProcess()
  imap.deliver(aMail({ From: 'ann@people.example', To: 'repairs@box.example', Subject: 'A <b>broken</b> lamp' }))
  imap.deliver(
    aMail({ From: 'otto@people.example', To: 'repairs@box.example', Subject: 'Lampe', 'Content-Language': 'de' })
  )
  imap.deliver(aMail({ From: 'eve@people.example', To: 'other@box.example' }))
  await until(async () => (await isSettled('ann@people.example')) && (await isSettled('otto@people.example')))
  await stop()
  const { ticket_id: elsewhere } = await aTicket(desk, await aClient(desk, { is_email_verified: true }))
  await desk.deliver()

  const textTo = (person: string) => own.emails.find(({ to }) => to[0] === person)?.email.text ?? ''
  assert.match(textTo('ann@people.example'), /The workshop has TIC-\d+ on its bench\./)
  assert.match(textTo('otto@people.example'), /Auf der Werkbank: TIC-\d+/)
  assert.doesNotMatch(textTo('ann@people.example'), /We have received your message|broken/)
  assert.match(textTo('ann@people.example'), /You can answer this e-mail/)
  assert.ok(elsewhere)
  assert.ok(operator.emails.every(({ email }) => !email.text?.includes('workshop')))
  await desk.post(`${base}/delete`, admin, { id: box.id })
})

test('an acknowledgement or a signature that names what does not exist is refused, and the former stays', async () => {
  const box = await aMailbox(desk, admin, {
    address: 'refused@box.example',
    smtp: serverAt(1),
    signature: { en: 'Yours' }
  })

  const subject = await desk.post(`${base}/update`, admin, {
    id: box.id,
    acknowledgement: { en: '{{ticket.subject}}' }
  })
  const nested = await desk.post(`${base}/update`, admin, {
    id: box.id,
    acknowledgement: { de: '{{#closed}}x{{/closed}}' }
  })
  const signature = await desk.post(`${base}/update`, admin, { id: box.id, signature: { de: '{{staff.password}}' } })

  assert.deepEqual(
    [subject, nested, signature].map(({ status }) => status),
    [400, 400, 400]
  )
  assert.deepEqual(subject.body.errors, ['acknowledgement'])
  assert.match(subject.body.message, /^acknowledgement: \{\{ticket\.subject\}\} is unknown here/)
  assert.deepEqual(signature.body.errors, ['signature'])
  const kept = await stateOf(box.id)
  assert.deepEqual([kept.signature, kept.acknowledgement, kept.version], [{ en: 'Yours' }, {}, box.version])
  await desk.post(`${base}/delete`, admin, { id: box.id })
})

test('below an e-mail stands the signature of its writer and then that of the address, not in the thread, as the writer has chosen', async () => {
  const own = await mailServer(plain)
  const box = await aMailbox(desk, admin, {
    address: 'signed@box.example',
    smtp: serverAt(own.port),
    signature: { en: 'The Example Company\n1 Lamp Street', de: 'Die Beispielfirma' }
  })
  const [en, de] = [await aClient(desk, { is_email_verified: true }), await aClient(desk, { is_email_verified: true })]
  await desk.db.updateTable('clients').set({ language: 'de' }).where('id', '=', de.id).execute()
  const mira = await aSupporter(desk, 'tickets.view_all', 'tickets.reply')
  const from = 'signed@box.example'
  const answer = async (client: typeof en, more: object = {}) => {
    const { ticket_id: id } = await aTicket(desk, client)
    await desk.deliver()
    own.emails.length = 0
    const sent = await desk.post('/api/admin/tickets/reply', mira, form({ id, message: 'Try water.', from, ...more }))
    assert.equal(sent.status, 201, JSON.stringify(sent.body))
    await desk.deliver()
    const { data } = await desk.post('/api/admin/tickets/detail', mira, { id })
    assert.doesNotMatch(JSON.stringify(data.messages), /Lamp Street|Beispielfirma/)
    return own.emails.map(({ email }) => email.text!).find(text => text.includes('Try water.'))!
  }
  const name = `${mira.first_name} ${mira.last_name}`

  const unsigned = await answer(en)
  await desk.post('/api/account/signature/update', mira, {
    texts: { en: 'Yours, {{staff.first_name}}', de: 'Herzlich' }
  })
  const both = await answer(en)
  const german = await answer(de)
  const addressOnly = await answer(en, { signature: 'address' })
  const none = await answer(en, { signature: 'none' })
  await desk.post(`${base}/update`, admin, { id: box.id, signature: { en: '{{staff.first_name}} at Example' } })
  await desk.post('/api/account/signature/update', mira, { texts: {} })
  const named = await answer(en)

  assert.ok(unsigned.includes(`Try water.\n\n${name}\n\nThe Example Company\n1 Lamp Street\n`), unsigned)
  assert.ok(both.includes(`Try water.\n\nYours, ${mira.first_name}\n\nThe Example Company\n1 Lamp Street\n`), both)
  assert.ok(german.includes('Try water.\n\nHerzlich\n\nDie Beispielfirma\n'), german)
  assert.ok(addressOnly.includes('Try water.\n\nThe Example Company\n'), addressOnly)
  assert.ok(none.includes(`Try water.\n\n${name}\n`) && !none.includes('Lamp Street'), none)
  assert.ok(named.includes(`Try water.\n\n${mira.first_name} at Example\n`), named)
  await desk.post(`${base}/delete`, admin, { id: box.id })
})
