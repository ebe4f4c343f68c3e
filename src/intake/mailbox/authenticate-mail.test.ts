import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { sealMessage } from 'mailauth'
import { bootDesk } from '../../../test/support/desk.ts'
import { aMail } from '../../../test/support/mails.ts'
import { nameServer } from '../../../test/support/name-server.ts'
import { aClient, anAdmin } from '../../../test/support/people.ts'
import { dkimRecord, signed, signingKey } from '../../../test/support/signed-mails.ts'
import { mailReader } from '../../platform/mail-reading/mail-reader.ts'
import { receiveMail } from './receive-mail.ts'
import type { Incoming } from './store-mail.ts'

const names = await nameServer(
  {
    'TXT k._domainkey.signed.example': dkimRecord,
    'TXT k._domainkey.sealer.example': dkimRecord,
    'TXT k._domainkey.desk.example': dkimRecord,
    'TXT _dmarc.signed.example': 'v=DMARC1; p=reject',
    'TXT signed.example': 'v=spf1 ip4:8.8.8.8 -all',
    'TXT plain.example': 'v=spf1 ip4:8.8.8.8 -all',
    'TXT elsewhere.example': 'v=spf1 ip4:9.9.9.9 -all'
  },
  ['_dmarc.failing.example', 'failing.example', 'k._domainkey.failing.example']
)
const desk = await bootDesk({
  connections: 6,
  config: { NOTIFICATION_DELAY_SECONDS: 0, MAIL_DNS_SERVERS: [names.address] }
})
const reader = mailReader()
after(() => reader.close())
const admin = await anAdmin(desk)
await desk.post('/api/admin/settings/update', admin, { mail_addresses: { 'support@desk.example': 1 } })

async function receive(raw: string, envelope: Partial<Incoming> = {}) {
  const receipt = await receiveMail(
    { ...desk.services, mailReader: reader },
    { raw: Readable.from([Buffer.from(raw)]), via: 'smtp', ...envelope }
  )
  const mails = desk.db.selectFrom('inbound_mails').selectAll()
  const { authentication } = await mails.orderBy('id', 'desc').executeTakeFirstOrThrow()
  return { ...receipt, authentication: authentication! }
}

const from = (domain: string, address = '8.8.8.8') => ({
  peer: { address, name: `mx.${domain}` },
  sender: `ada@${domain}`
})

test('a mail that its author’s domain has signed is verified, by whatever way it came, and staff alone are told', async () => {
  const client = await aClient(desk, { email: 'ada@signed.example', is_email_verified: true })
  const told = await receive(await signed(aMail({ From: client.email })), { via: 'lmtp' })

  const { messages } = (await desk.post('/api/admin/tickets/detail', admin, { id: told.ticket_id })).data
  const seen = await desk.post('/api/tickets/detail', client, { id: told.ticket_id })

  assert.equal(told.outcome, 'ticket')
  assert.deepEqual(messages[0].email.authentication, {
    verdict: 'pass',
    reason: 'dmarc',
    checked_by: 'deskline',
    spf: null,
    dkim: { result: 'pass', domain: 'signed.example', reason: null },
    dmarc: { result: 'pass', domain: 'signed.example', reason: 'p=reject' },
    arc: null
  })
  assert.doesNotMatch(JSON.stringify(seen.data), /authentication|deskline|reject/)
})

test('a forged answer in the name of a third party is held, and comes into no side conversation', async () => {
  const client = await aClient(desk)
  const { data } = await desk.post('/api/tickets/create', client, { deptid: 1, subject: 'Mine', message: 'Please' })
  const partner = 'partner@signed.example'
  const forward = { id: data.ticket_id, to: [partner], subject: 'Is it safe?', message: 'x' }
  const begun = await desk.post('/api/admin/tickets/forward', admin, forward)
  assert.equal(begun.status, 201, begun.body.message)
  await desk.deliver()
  const { replyTo } = desk.outbox.emails.find(({ to }) => to === partner)!

  const forged = await receive(aMail({ From: partner, To: replyTo! }), from('elsewhere.example', '9.9.9.9'))
  const own = await receive(await signed(aMail({ From: partner, To: replyTo! })), { via: 'lmtp' })

  assert.deepEqual([forged.outcome, forged.reason], ['held', 'sender_not_authentic'])
  assert.equal(own.outcome, 'reply')
  const id = begun.data.conversation.id
  const { conversation } = (await desk.post('/api/admin/tickets/conversations/detail', admin, { id })).data
  assert.equal(conversation.messages.length, 2)
})

test('a forged mail in the name of a known client is held and told of to nobody; so is that of a stranger', async () => {
  const client = await aClient(desk, { email: 'bob@signed.example' })
  const { data } = await desk.post('/api/tickets/create', client, { deptid: 1, subject: 'Mine', message: 'Please' })
  await desk.deliver()
  desk.outbox.emails.length = 0
  const Subject = `Re: [${data.ticket_number}] Mine`

  const forged = await receive(aMail({ From: client.email, Subject }), from('elsewhere.example', '9.9.9.9'))
  const stranger = await receive(aMail({ From: 'new@signed.example' }), from('elsewhere.example', '9.9.9.9'))
  const denied = await receive(aMail({ From: 'ada@plain.example' }), from('plain.example', '7.7.7.7'))

  for (const { outcome, reason, ticket_id } of [forged, stranger, denied])
    assert.deepEqual([outcome, reason, ticket_id], ['held', 'sender_not_authentic', undefined])
  const { mails } = (await desk.post('/api/admin/mail/held/list', admin, { limit: 1 })).data
  const { mail } = (await desk.post('/api/admin/mail/held/detail', admin, { id: mails[0].id })).data
  assert.deepEqual([mail.authentication, mail.authentication.verdict], [denied.authentication, 'fail'])
  assert.deepEqual(
    [forged, denied].map(({ authentication }) => [
      authentication.verdict,
      authentication.reason,
      authentication.spf?.result
    ]),
    [
      ['fail', 'dmarc', 'pass'],
      ['fail', 'spf', 'fail']
    ]
  )
  assert.equal((await desk.post('/api/admin/tickets/detail', admin, { id: data.ticket_id })).data.messages.length, 1)
  assert.deepEqual(
    (await desk.deliver()).emails.filter(({ to }) => to !== admin.email),
    []
  )
})

test('a mail that somebody has sent before it under its Message-ID, sender and date is not passed over for that', async () => {
  const named = (domain: string) => ({ From: `ada@${domain}`, 'Message-ID': `<seen-by-others@${domain}>` })
  const forged = aMail(named('signed.example'), 'Pay to another account.\n')
  const genuine = await signed(aMail(named('signed.example')))

  const held = await receive(forged, from('elsewhere.example', '9.9.9.9'))
  const [taken, again] = [await receive(genuine), await receive(`Received: from a list\r\n${genuine}`)]
  assert.deepEqual([held.reason, taken.outcome, again.outcome], ['sender_not_authentic', 'ticket', 'duplicate'])

  // The same words of a forger, whom the checks find out, keep nobody's from coming either.
  const copied = aMail({ ...named('signed.example'), 'Message-ID': '<copied@signed.example>' })
  const [copy, own] = [await receive(copied, from('elsewhere.example', '9.9.9.9')), await receive(await signed(copied))]
  assert.deepEqual([copy.outcome, own.outcome], ['held', 'ticket'])

  // Nobody knows who wrote these: another text is another mail, and the same text is not.
  const other = (body: string) => aMail(named('unchecked.example'), body)
  const outcomes = [
    await receive(other('One\n')),
    await receive(other('Two\n')),
    await receive(`X-Way: 2\r\n${other('Two\n')}`),
    await receive(`X-Way: 3\r\n${other('Two\n')} \r\n`.replaceAll('\r\n', '\n'))
  ]
  assert.deepEqual(
    outcomes.map(({ outcome }) => outcome),
    ['ticket', 'ticket', 'duplicate', 'duplicate']
  )
})

test('a text that was changed on its way fails where its owner forbids that; a signature of a part proves nothing', async () => {
  const raw = await signed(aMail({ From: 'eve@signed.example' }))
  const changed = await receive(`${raw}More.\r\n`, { via: 'lmtp' })
  const part = await receive(await signed(aMail({ From: 'eve@signed.example' }), undefined, 4), { via: 'lmtp' })

  assert.deepEqual([changed.outcome, changed.authentication.dkim?.result], ['held', 'fail'])
  assert.deepEqual([part.authentication.verdict, part.authentication.dkim?.result], ['unknown', 'policy'])
})

test('who handed it over vouches where the author’s domain says so; a server of ours vouches for nobody', async () => {
  const direct = await receive(aMail({ From: 'ada@plain.example' }), from('plain.example'))
  const relayed = await receive(aMail({ From: 'ada@plain.example' }), from('plain.example', '10.1.2.3'))
  const nobody = await receive(aMail({ From: 'ada@nothing.example' }), from('nothing.example'))

  assert.deepEqual(
    [direct, relayed, nobody].map(({ outcome, authentication: { verdict, reason, checked_by } }) => [
      outcome,
      verdict,
      reason,
      checked_by
    ]),
    [
      ['ticket', 'pass', 'spf', 'deskline'],
      ['ticket', 'unknown', 'not_checked', null],
      ['ticket', 'none', 'nothing_said', 'deskline']
    ]
  )
})

test('a name server that is out of order is no pass, no fail and no reason to lose the mail', async () => {
  const raw = await signed(aMail({ From: 'ada@failing.example' }), 'failing.example')

  const { outcome, authentication } = await receive(raw, { via: 'lmtp' })

  assert.deepEqual([outcome, authentication.verdict, authentication.reason], ['ticket', 'unknown', 'no_answer'])
})

test('a mail with two authors, or one that asks for the answer to go to another, is verified by no check of its From', async () => {
  const two = await receive(await signed(aMail({ From: 'ada@signed.example, eve@elsewhere.example' })), { via: 'lmtp' })
  const form = await receive(
    await signed(aMail({ From: 'support@desk.example', 'Reply-To': 'visitor@signed.example' }), 'desk.example')
  )

  assert.notEqual(two.authentication.verdict, 'pass')
  assert.deepEqual(
    [form.outcome, form.sender, form.authentication.verdict],
    ['ticket', 'visitor@signed.example', 'none']
  )
})

test('hundreds of signatures cost a few questions, and a head of megabytes none; both mails are taken', async () => {
  names.asked.length = 0
  const bogus = (n: number) =>
    `DKIM-Signature: v=1; a=ed25519-sha256; d=d${n}.elsewhere.example; s=s; h=from; bh=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=; b=AAAA\r\n`
  const many = Array.from({ length: 500 }, (_, n) => bogus(n)).join('')

  const signatures = await receive(many + aMail({ From: 'ada@elsewhere.example' }, ''), { via: 'lmtp' })
  const questions = names.asked.length
  const head = await receive(bogus(1) + aMail({ 'X-Long': 'x\r\n '.repeat(400_000), From: 'ada@elsewhere.example' }), {
    via: 'lmtp'
  })

  assert.deepEqual([signatures.outcome, head.outcome, head.authentication.reason], ['ticket', 'ticket', 'too_much'])
  assert.ok(questions <= 25, `${questions} questions`)
})

test('the word of a server that is believed stands for our own checks; what others have written in its name counts for nothing', async () => {
  const { MAIL_TRUSTED_AUTH_HOSTS } = desk.services.config
  Object.assign(desk.services.config, { MAIL_TRUSTED_AUTH_HOSTS: ['mx.desk.example'] })
  const header = (host: string, result: string) =>
    `Authentication-Results: ${host};\r\n dmarc=${result} (p=NONE) header.from=known.example\r\n`
  const hop = 'Received: from a by b\r\n'
  const client = await aClient(desk, { email: 'carl@known.example' })
  const mail = () => aMail({ From: client.email })

  const failed = await receive(
    `${hop}${header('mx.desk.example', 'fail')}${hop}${header('mx.desk.example', 'pass')}${mail()}`
  )
  const passed = await receive(`${header('mx.desk.example', 'pass')}${mail()}`)
  const others = await receive(`${header('mx.evil.example', 'fail')}${mail()}`)
  Object.assign(desk.services.config, { MAIL_TRUSTED_AUTH_HOSTS })
  const untrusted = await receive(`${header('mx.desk.example', 'fail')}${mail()}`)

  assert.deepEqual(
    [failed, passed, others, untrusted].map(({ outcome, authentication: { verdict, checked_by } }) => [
      outcome,
      verdict,
      checked_by
    ]),
    [
      ['held', 'fail', 'mx.desk.example'],
      ['ticket', 'pass', 'mx.desk.example'],
      ['ticket', 'unknown', null],
      ['ticket', 'unknown', null]
    ]
  )
})

test('a mail that somebody believed has sealed after checking it passes, though its way has broken the signature', async () => {
  const { MAIL_TRUSTED_AUTH_HOSTS } = desk.services.config
  const raw = `${await signed(aMail({ From: 'ada@signed.example' }))}A footer of the list.\r\n`
  const seal = await sealMessage(raw, {
    signingDomain: 'sealer.example',
    selector: 'k',
    privateKey: signingKey,
    cv: 'none',
    authResults: 'mx.sealer.example; dmarc=pass header.from=signed.example'
  })
  const sealed = () => `Received: ${Math.random()}\r\n${seal}${raw}`

  Object.assign(desk.services.config, { MAIL_TRUSTED_AUTH_HOSTS: ['mx.sealer.example'] })
  const believed = await receive(sealed(), { via: 'lmtp' })
  Object.assign(desk.services.config, { MAIL_TRUSTED_AUTH_HOSTS })

  assert.deepEqual(
    [
      believed.outcome,
      believed.authentication.verdict,
      believed.authentication.reason,
      believed.authentication.arc?.domain
    ],
    ['ticket', 'pass', 'arc', 'sealer.example']
  )
})

test('whose mails have been proven brings nobody into a new ticket by one that is not; staff see by what mail a follower came', async () => {
  const [known, plain] = [await aClient(desk, { email: 'kay@signed.example' }), await aClient(desk)]
  const Cc = 'friend@far.example'
  const followersOf = async (id: number | undefined) =>
    (await desk.post('/api/admin/tickets/detail', admin, { id })).data.followers.map(
      (each: Record<string, string>) => `${each.email} ${each.sender_verdict}`
    )

  const first = await receive(aMail({ From: known.email, Cc }), { via: 'command' })
  const proven = await receive(await signed(aMail({ From: known.email, Cc })), { via: 'lmtp' })
  const forged = await receive(aMail({ From: known.email, Cc: 'eve@far.example' }), { via: 'command' })
  const ordinary = await receive(aMail({ From: plain.email, Cc }), { via: 'command' })

  assert.deepEqual(
    [first, proven, forged, ordinary].map(({ outcome }) => outcome),
    Array(4).fill('ticket')
  )
  assert.deepEqual(await followersOf(proven.ticket_id), [`${Cc} pass`])
  assert.deepEqual(await followersOf(forged.ticket_id), [])
  for (const { ticket_id, authentication } of [first, ordinary])
    assert.deepEqual(await followersOf(ticket_id), [`${Cc} ${authentication.verdict}`])
  const { messages } = (await desk.post('/api/admin/tickets/detail', admin, { id: forged.ticket_id })).data
  assert.deepEqual(messages[0].email.cc, [{ name: '', email: 'eve@far.example' }])
})
