import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { keepFetching } from '../../src/intake/mailbox/keep-fetching.ts'
import { checkMailbox } from '../../src/intake/mailbox/test-mailbox.ts'
import { imapAddresses } from '../../src/platform/mail/imap-address.ts'
import { bootDesk } from '../support/desk.ts'
import { dovecot, whyNoDovecot } from '../support/dovecot.ts'
import { certificatePath } from '../support/mail-server.ts'
import { aMail } from '../support/mails.ts'
import { until } from '../support/until.ts'

test('a real Dovecot, by TLS, by STARTTLS and as it is: mails are taken as they arrive, and marked, moved or deleted there', async context => {
  const reason = whyNoDovecot()
  if (reason) return context.skip(reason)
  setDefaultCACertificates([...getCACertificates('default'), await readFile(certificatePath, 'utf8')])
  const { port, securePort, deliver, filesOf, log } = await dovecot()
  const desk = await bootDesk({ connections: 6 })
  const IMAP_URL = imapAddresses(
    `imaps://seen:s3cret@localhost:${securePort}/INBOX,
     imap://move:s3cret@localhost:${port}/INBOX?taken=move:Taken&tls=required,
     imap://delete:s3cret@127.0.0.1:${port}/INBOX?taken=delete`
  )
  const services = { ...desk.services, config: { ...desk.services.config, IMAP_URL, IMAP_POLL_SECONDS: 3_600 } }
  const end = new AbortController()
  await deliver('seen', aMail({ From: 'before@dovecot.example' }))
  const { isUsable, sentence } = await checkMailbox(services.config, IMAP_URL[0]!, undefined)
  assert.deepEqual(
    [isUsable, sentence],
    [true, 'localhost lets seen in: INBOX holds 1 mails, of which 1 are unread'],
    await log()
  )
  const fetching = keepFetching(services, end.signal)
  after(async () => {
    end.abort()
    await fetching
  })
  const taken = async () =>
    (await desk.db.selectFrom('inbound_mails').where('state', '=', 'ticket').select('sender').execute())
      .map(({ sender }) => sender!.split('@')[0])
      .toSorted()
  const looked = async () =>
    (await desk.db.selectFrom('mailboxes').where('looked_at', 'is not', null).select('id').execute()).length

  await until(async () => (await looked()) === 3 && (await taken()).length === 1, log)
  // They idle now: what arrives is told at once, an hour before the next look.
  for (const user of ['seen', 'move', 'delete']) await deliver(user, aMail({ From: `${user}@dovecot.example` }))
  await until(async () => (await taken()).length === 4, log)

  assert.deepEqual(await taken(), ['before', 'delete', 'move', 'seen'])
  await until(async () => (await filesOf('seen', 'cur')).filter(name => name.endsWith('S')).length === 2, log)
  await until(async () => (await filesOf('delete', 'cur', 'new')).length === 0, log)
  await until(async () => (await filesOf('move', 'cur', 'new')).length === 0, log)
  assert.equal((await filesOf('move', '.Taken/cur', '.Taken/new')).length, 1)
  // Which of them came encrypted, by the word of the server.
  const logins = (await log()).split('\n').filter(line => line.includes('Login: user=<move>'))
  assert.ok(logins.length > 0 && logins.every(line => line.includes(', TLS')), await log())
})
