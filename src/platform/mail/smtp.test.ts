import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { after, describe, test } from 'node:test'
import type { SMTPServerSession } from 'smtp-server'
import { type MailServer, mailServer, saying } from '../../../test/support/mail-server.ts'
import { PermanentFailure } from '../permanent-failure.ts'
import type { MailMessage } from './mail.ts'
import { type SmtpOptions, smtpMail } from './smtp.ts'
import { smtpAddress } from './smtp-address.ts'

const message: MailMessage = {
  messageId: '<message-7.abc@desk.example>',
  from: 'Desk <desk@desk.example>',
  to: 'anna@example.com',
  subject: 'Your code: Grüße',
  text: 'The code is 123456.\n.\nA line of one dot is above.\n',
  html: '<p>The code is 123456.</p>\n',
  headers: { 'Auto-Submitted': 'auto-generated', 'X-Request-Id': 'request-1' },
  date: new Date('2026-11-20T08:28:31Z')
}

/** The sender under test; `login` and `query` complete the URL. */
function mailTo({ port }: { port: number }, { login = '', query = '', ...options }: Partial<SmtpOptions> & Extra = {}) {
  const mail = smtpMail({ address: smtpAddress(`smtp://${login}127.0.0.1:${port}${query}`), ...options })
  after(() => mail.close())
  return mail
}
type Extra = { login?: string; query?: string }

describe('e-mails by SMTP', () => {
  test('an e-mail arrives with its headers and both its parts, and the answer is kept', async () => {
    const server = await mailServer()

    const answer = await mailTo(server).send({ ...message, replyTo: 'Help <help@desk.example>' })

    const [{ email, from, to, raw }] = server.emails as [MailServer['emails'][0]]
    const header = (name: string) => email.headers.find(each => each.key === name)?.value
    assert.match(answer, /^250 2\.0\.0 Ok: kept as 1/)
    assert.deepEqual([from, to], ['desk@desk.example', ['anna@example.com']])
    assert.deepEqual(email.from, { name: 'Desk', address: 'desk@desk.example' })
    assert.deepEqual(email.replyTo, [{ name: 'Help', address: 'help@desk.example' }])
    assert.equal(email.subject, message.subject)
    assert.equal(email.text?.trimEnd(), message.text.trimEnd())
    assert.equal(email.html?.trimEnd(), message.html.trimEnd())
    assert.equal(email.messageId, message.messageId)
    assert.equal(email.date, '2026-11-20T08:28:31.000Z')
    assert.equal(header('auto-submitted'), 'auto-generated')
    assert.equal(header('x-request-id'), 'request-1')
    assert.doesNotMatch(raw.toString(), /nodemailer/i)
  })

  test('nothing in an address or a subject adds a recipient or a header on the wire', async () => {
    const server = await mailServer()
    const mail = mailTo(server)

    await mail.send({ ...message, subject: 'Hello\r\nBcc: evil@example.com\r\n\r\nBody' })
    await assert.rejects(mail.send({ ...message, to: 'a@b.example, evil@example.com' }), PermanentFailure)
    await assert.rejects(mail.send({ ...message, to: 'a@b.example>\r\nRCPT TO:<evil@example.com' }), PermanentFailure)

    assert.equal(server.emails.length, 1)
    assert.deepEqual([server.emails[0]!.to, server.emails[0]!.email.bcc], [['anna@example.com'], undefined])
  })

  test('many e-mails share a few connections, which end with close', async () => {
    const server = await mailServer()
    const mail = mailTo(server)

    await Promise.all(
      Array.from({ length: 40 }, (_, at) => mail.send({ ...message, messageId: `<${at}@desk.example>` }))
    )
    mail.close()

    assert.equal(new Set(server.emails.map(message => message.email.messageId)).size, 40)
    assert.ok(new Set(server.emails.map(message => message.connection)).size <= 5)
    await assert.rejects(mail.send(message), /closed/)
  })

  test('a server that ended an idle connection still gets the next e-mail, once', async () => {
    const server = await mailServer()
    const mail = mailTo(server)

    await mail.send(message)
    server.hangUp()
    await mail.send(message)

    assert.equal(server.emails.length, 2)
  })

  test('it logs in, and the operator can ask whether that works', async () => {
    const server = await mailServer({ authOptional: false, allowInsecureAuth: true, hideSTARTTLS: true })

    await mailTo(server, { login: 'desk:s3cret@' }).verify()
    await mailTo(server, { login: 'desk:s3cret@' }).send(message)

    assert.equal(server.emails[0]!.user, 'desk')
    await assert.rejects(mailTo(server, { login: 'desk:wrong@' }).verify(), /535 5\.7\.8/)
  })
})

describe('encryption', () => {
  test('neither an e-mail nor a password goes to a server without STARTTLS, or with a certificate that nobody signed', async () => {
    for (const server of [await mailServer({ hideSTARTTLS: true, allowInsecureAuth: true }), await mailServer()]) {
      const mail = mailTo(server, { login: 'desk:s3cret@', query: '?tls=required' })

      const error = await errorOf(mail.send(message))

      assert.ok(!(error instanceof PermanentFailure))
      assert.match(error.message, /STARTTLS|self-signed certificate/)
      assert.deepEqual([server.emails, server.logins], [[], []])
    }
  })

  test('smtps:// wants a certificate that fits as well', async () => {
    const server = await mailServer({ secure: true })
    const mail = smtpMail({ address: smtpAddress(`smtps://127.0.0.1:${server.port}`) })

    await assert.rejects(mail.send(message), /self-signed certificate/)

    assert.equal(server.emails.length, 0)
  })
})

describe('refusals', () => {
  const refusing = (name: 'onConnect' | 'onMailFrom' | 'onRcptTo', error: Error) => {
    const answer = (...words: unknown[]) => (words.at(-1) as (error: Error) => void)(error)
    return mailServer({ [name]: answer })
  }

  const refusingContent = async (error: Error) => {
    const server = await mailServer()
    server.onEmail = () => {
      throw error
    }
    return server
  }

  test('what a server has for good against the recipient or the content is a refusal for good, in its own words', async () => {
    const unknown = await errorOf(mailTo(await refusing('onRcptTo', saying(550, '5.1.1 No such user'))).send(message))
    const spam = await errorOf(mailTo(await refusingContent(saying(554, '5.7.1 Looks like spam'))).send(message))

    assert.ok(unknown instanceof PermanentFailure)
    assert.match(unknown.message, /550 5\.1\.1 No such user/)
    assert.ok(spam instanceof PermanentFailure)
    assert.match(spam.message, /554 5\.7\.1 Looks like spam/)
  })

  test('what it puts off, and what it has against us, is none: the operator can mend that while the e-mail waits', async () => {
    const others = [
      [await refusing('onRcptTo', saying(451, '4.7.1 Greylisted')), /451 4\.7\.1 Greylisted/],
      [await refusingContent(saying(452, '4.3.1 No room')), /452 4\.3\.1 No room/],
      [await refusing('onMailFrom', saying(553, '5.7.1 Not your address')), /553 5\.7\.1 Not your address/],
      [await refusing('onConnect', saying(554, '5.7.1 No service for you')), /554 5\.7\.1 No service/],
      [await refusing('onRcptTo', saying(530, '5.7.0 Log in first')), /530 5\.7\.0 Log in first/]
    ] as const

    for (const [server, words] of others) {
      const error = await errorOf(mailTo(server).send(message))

      assert.ok(!(error instanceof PermanentFailure), String(words))
      assert.match(error.message, words)
    }
    const wrong = await mailServer({ authOptional: false, allowInsecureAuth: true, hideSTARTTLS: true })
    const error = await errorOf(mailTo(wrong, { login: 'desk:wrong@' }).send(message))
    assert.ok(!(error instanceof PermanentFailure))
    assert.match(error.message, /535 5\.7\.8/)
    assert.doesNotMatch(error.message, /wrong/)
  })

  test('a server that does not let us send from the signed return address gets the other one, at whatever step it refuses', async () => {
    const [returnPath, otherReturnPath] = ['support+e7-0123456789abcdef0123@desk.example', 'support@desk.example']
    const signed = { ...message, returnPath, otherReturnPath, wantsReport: true }
    const isSigned = (session: SMTPServerSession) =>
      session.envelope.mailFrom && session.envelope.mailFrom.address === returnPath
    const servers = [
      await mailServer({
        onMailFrom: ({ address }, _session, answer) =>
          address === returnPath ? answer(saying(553, '5.7.1 Sender address rejected')) : answer()
      }),
      await mailServer({
        onRcptTo: (_address, session, answer) =>
          isSigned(session) ? answer(saying(553, '5.7.1 Sender address rejected: not owned by user desk')) : answer()
      }),
      await mailServer()
    ]
    servers[2]!.onEmail = ({ from }) => {
      if (from === returnPath) throw saying(550, '5.7.60 SMTP; Client does not have permissions to send as this sender')
    }
    for (const server of servers) {
      await mailTo(server).send(signed)
      assert.deepEqual(
        server.emails.map(({ from, email }) => [from, email.messageId]),
        [[otherReturnPath, message.messageId]]
      )
    }

    const taking = await mailServer()
    await mailTo(taking).send(signed)
    assert.equal(taking.emails[0]!.from, returnPath)
    let asked = 0
    const unknowing = await mailServer({
      onRcptTo(_address, _session, answer) {
        asked++
        answer(saying(550, '5.1.1 No such user'))
      }
    })
    assert.ok((await errorOf(mailTo(unknowing).send(signed))) instanceof PermanentFailure)
    assert.equal(asked, 1)
  })

  test('a refused e-mail leaves the connection to the next one', async () => {
    let refused = 0
    const server = await mailServer({
      onRcptTo: ({ address }, _session, answer) =>
        address === 'nobody@example.com' && ++refused ? answer(saying(550, 'No such user')) : answer()
    })
    const mail = mailTo(server)

    await assert.rejects(mail.send({ ...message, to: 'nobody@example.com' }), PermanentFailure)
    await mail.send(message)

    assert.deepEqual([refused, server.emails.length], [1, 1])
  })
})

describe('servers that do not answer', () => {
  test('one that nobody runs, one that says nothing, and one that says nothing after the e-mail are given up in time', async () => {
    const silent = await rawServer(() => {})
    const late = await rawServer(socket => {
      let taken = false
      socket.write('220 late.example\r\n')
      socket.on('data', data => {
        const words = data.toString()
        if (taken) return
        if (words.startsWith('EHLO')) socket.write('250 late.example\r\n')
        else if (/^(MAIL|RCPT)/.test(words)) socket.write('250 Ok\r\n')
        else if (words.startsWith('DATA')) taken = socket.write('354 Go on\r\n')
      })
    })
    const closed = await rawServer(() => {})
    closed.close()

    for (const [server, words] of [
      [silent, /cannot be used: (Greeting|Timeout)|took more/],
      [late, /cannot be used: Timeout|took more/],
      [closed, /ECONNREFUSED/]
    ] as const) {
      const error = await errorOf(mailTo(server, { timeoutMilliseconds: 400 }).send(message))

      assert.ok(!(error instanceof PermanentFailure))
      assert.match(error.message, words)
    }
  })

  test('one that answers drop by drop is given up in time as well', async () => {
    const dripping = await rawServer(socket => {
      const timer = setInterval(() => socket.write('220-and so on\r\n'), 20)
      socket.on('close', () => clearInterval(timer))
    })

    const error = await errorOf(mailTo(dripping, { timeoutMilliseconds: 300 }).send(message))

    assert.match(error.message, /took more than 0\.3 seconds|greeting/i)
  })

  test('one that hangs up each time is given up, and the e-mail is not refused for good', async () => {
    const rude = await rawServer(socket => socket.destroy())

    const error = await errorOf(mailTo(rude, { timeoutMilliseconds: 500 }).send(message))

    assert.ok(!(error instanceof PermanentFailure))
  })
})

async function errorOf(sending: Promise<unknown>): Promise<Error> {
  return await sending.then(
    () => assert.fail('it was sent'),
    error => error
  )
}

async function rawServer(talk: (socket: Socket) => void) {
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => {})
    talk(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  after(close)
  return { port: (server.address() as AddressInfo).port, close }
}
