import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deskWithClaims } from './support/claims.ts'
import { aTicket } from './support/tickets.ts'

const {
  desk,
  admin,
  editor,
  newAddress,
  password,
  post,
  mailsTo,
  logIn,
  signUp,
  typeCode,
  resetByEmail,
  changeOwn,
  changeAsStaff,
  mail,
  meets
} = await deskWithClaims()

let count = 0

for (const by of ['staff', 'the client'] as const) {
  test(`while an address changed by ${by} is a claim, e-mails go to the former one, and mail from the new one is a stranger’s`, async () => {
    const account = await typeCode(await signUp())
    const former = account.email
    const { ticket_id: id, ticket_number } = await aTicket(desk, account)
    await desk.deliver()
    const changed = await (by === 'staff' ? changeAsStaff(account) : changeOwn(account))
    const claimed = changed.email
    const detail = () => post('/api/admin/tickets/detail', admin, { id })

    const fromClaimed = await mail(claimed, { subject: `Re: ${ticket_number}` })
    const fromFormer = await mail(former, { subject: `Re: ${ticket_number}` })
    const answer = `The whole thread ${++count}.`
    await post('/api/admin/tickets/reply', admin, { id, message: answer })
    const { emails } = await desk.deliver()

    assert.deepEqual([fromFormer.outcome, fromFormer.ticket_id], ['reply', id])
    assert.notEqual(fromClaimed.ticket_id, id)
    assert.equal(fromClaimed.outcome, by === 'staff' ? 'held' : 'ticket')
    const told = emails.filter(({ text }) => text.includes(answer))
    assert.deepEqual(
      told.map(({ to }) => to),
      [former]
    )
    assert.doesNotMatch(JSON.stringify(emails.filter(({ to }) => to === claimed)), /whole thread|Please hurry/)
    assert.equal((await detail()).client_email.email, former)
    // Our signed address lets anybody in, under their own name.
    const signed = await mail(claimed, { to: told[0]!.replyTo! })
    const { messages } = await detail()
    assert.deepEqual([signed.ticket_id, messages.at(-1).first_name], [id, 'Someone'])
  })
}

test('staff cannot make an address that is a claim the owner of a held mail, but may say whose it is', async () => {
  const account = await changeAsStaff(await typeCode(await signUp()))
  await mail(account.email)
  const { mails } = await post('/api/admin/mail/held/list', admin)
  const held = mails.find((each: { sender: { email: string } }) => JSON.stringify(each).includes(account.email)).id
  const release = (body: object) => desk.post('/api/admin/mail/held/release', admin, { id: held, ...body })

  const unsaid = await release({})
  const said = await release({ client_id: account.id })

  assert.deepEqual([unsaid.status, unsaid.body.reason], [409, 'email_unconfirmed'])
  assert.equal(said.status, 200)
})

test('nobody gets a former address while the new one is a claim: it can be confirmed or taken back', async () => {
  const account = await typeCode(await signUp())
  const former = account.email
  await changeOwn(account)
  const person = { first_name: 'Sly', last_name: 'Fox', email: former.toUpperCase(), password }

  const reply = await desk.post('/api/auth/signup', undefined, person)

  assert.deepEqual([reply.status, reply.body.reason], [409, 'email_taken'])
  assert.equal(
    (await desk.post('/api/admin/clients/update', editor, { id: (await signUp()).id, email: former })).status,
    409
  )
  await typeCode(await logIn((await post('/api/account/profile', account)).profile.email))
  await signUp(former)
})

for (const by of ['staff', 'a thief with the password'] as const) {
  test(`the owner of a proven address takes the account back that ${by} gave another one, whatever is done with that`, async () => {
    const account = await typeCode(await signUp())
    const former = account.email
    const changed = by === 'staff' ? await changeAsStaff(account) : await changeOwn(account)
    const notice = (await mailsTo(former)).find(({ subject }) => subject === 'Your e-mail address was changed')!
    const link = new URL(/^https?:\S+token=\S+email=\S+$/m.exec(notice.text)![0])
    const thief = by === 'staff' ? changed : await typeCode(changed)
    if (by !== 'staff') {
      await post('/api/account/password', thief, { current_password: password, new_password: 'not theirs' })
      await post('/api/auth/forgot-password', undefined, { email: changed.email })
    }

    const token = link.searchParams.get('token')!
    const known = await post('/api/auth/verify-reset-token', undefined, { token })
    await post('/api/auth/reset-password', undefined, { token, new_password: 'my own words' })

    assert.deepEqual([known.email, link.searchParams.get('email')], [former, former])
    const owner = await logIn(former, 'my own words')
    assert.equal(owner.id, account.id)
    assert.equal((await desk.post('/api/tickets/list', thief)).status, 401)
    assert.equal((await post('/api/account/profile', owner)).profile.is_email_verified, 1)
    assert.equal(
      (await desk.post('/api/auth/reset-password', undefined, { token, new_password: password })).status,
      401
    )
    assert.ok((await meets(owner, (await mail(former)).ticket_id!)).detail)
  })
}

test('whoever sets the password by e-mail at the new address ends the link that was sent to the former one', async () => {
  const account = await typeCode(await signUp())
  const { email } = await changeOwn(account)
  const notice = (await mailsTo(account.email)).find(({ subject }) => subject === 'Your e-mail address was changed')!
  const token = new URL(/^https?:\S+token=\S+email=\S+$/m.exec(notice.text)![0]).searchParams.get('token')!

  await resetByEmail(email)

  assert.equal((await desk.post('/api/auth/verify-reset-token', undefined, { token })).status, 401)
})

test('an address that was never proven takes nothing back: it may have been mistyped', async () => {
  const account = await signUp()
  const mistyped = account.email
  const changed = await changeOwn(account)

  const notice = (await mailsTo(mistyped)).find(({ subject }) => subject === 'Your e-mail address was changed')!

  assert.doesNotMatch(notice.text, /token=/)
  const { ticket_id: id } = await aTicket(desk, changed)
  assert.equal((await post('/api/admin/tickets/detail', admin, { id })).client_email.email, changed.email)
})

test('whoever gets an e-mail about a sign-up or a change that was not theirs reads how to take the address back', async () => {
  const account = await signUp()
  await post('/api/auth/send-email-verification', account, { email: account.email })
  await aTicket(desk, account)
  await desk.post('/api/tickets/open', undefined, {
    ...{ name: 'Vera Victim', email: account.email, department_id: 1, subject: 'Lost key', message: 'My words.' }
  })
  await desk.deliver()
  const other = newAddress()
  await post('/api/admin/clients/update', admin, { id: account.id, email: other })

  const told = await mailsTo(account.email)
  const toldOther = await mailsTo(other)

  const forgot = told.filter(({ text }) => text.includes(`${desk.services.config.BASE_URL}/forgot`))
  assert.deepEqual(forgot.map(({ subject }) => subject.replace(/TIC-\d+/, 'TIC')).toSorted(), [
    'Confirm your ticket',
    'Your verification code',
    '[TIC] Your support ticket'
  ])
  assert.ok(toldOther.at(-1)!.text.includes(`${desk.services.config.BASE_URL}/forgot`))
})
