import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { describe, test } from 'node:test'
import { smsGateway } from '../../../test/support/sms-gateway.ts'
import { PermanentFailure } from '../permanent-failure.ts'
import { signedRequest } from './signed-request.ts'
import { type SmsOptions, smsTexts } from './sms.ts'
import { smsAddress } from './sms-address.ts'

const secret = 'a secret of thirty-two characters, at least'
const now = new Date('2026-11-20T08:30:00Z')
const message = {
  reference: 'message-8.xyz',
  to: '+49 (30) 123 456',
  text: 'Your code is 123456 – keep it.',
  date: new Date('2026-11-20T08:28:31Z')
}

function textsTo(address: string, options: Partial<SmsOptions> = {}) {
  return smsTexts({ address: smsAddress(address), secret, clock: { now: () => now }, ...options })
}

describe('a gateway of the signed protocol', () => {
  test('it gets the text as JSON to a number in E.164, signed, with the reference as its key against repeats', async () => {
    const gateway = await smsGateway()

    const answer = await textsTo(`http://${gateway.host}/texts?tenant=7`).send(message)

    const [{ method, path, headers, body }] = gateway.requests as [(typeof gateway.requests)[0]]
    const timestamp = headers['x-deskline-timestamp']
    assert.deepEqual([method, path, headers['content-type']], ['POST', '/texts?tenant=7', 'application/json'])
    assert.deepEqual(JSON.parse(body), { to: '+4930123456', text: message.text, reference: 'message-8.xyz' })
    assert.equal(headers['idempotency-key'], 'message-8.xyz')
    assert.equal(timestamp, '1795163400')
    assert.equal(
      headers['x-deskline-signature'],
      `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`
    )
    assert.equal(answer, '202 queued')
  })

  test('the signature in the documents is what we send', async () => {
    const page = await readFile(new URL('../../../docs/decisions/003-outgoing-messages.md', import.meta.url), 'utf8')
    const shown = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(page)?.[1]
    const [body] = /^\{"to".*\}$/m.exec(page)!

    const request = signedRequest(JSON.parse(body), {
      secret: shown('SMS_SECRET')!,
      now: new Date(Number(shown('X-Deskline-Timestamp')) * 1000)
    })

    assert.equal(request.body, body)
    for (const [name, value] of Object.entries(request.headers)) assert.equal(shown(name), value, name)
  })
})

describe("a gateway of Twilio's protocol", () => {
  test('it gets the form that the Messages resource wants, with the account as the login', async () => {
    const gateway = await smsGateway()
    gateway.answer = response => void response.writeHead(201).end('{"sid":"SM1","status":"queued"}')

    const answer = await textsTo(`twilio://AC7:t0ken@${gateway.host}?from=+15550100`).send(message)

    const [{ method, path, headers, body }] = gateway.requests as [(typeof gateway.requests)[0]]
    assert.deepEqual([method, path], ['POST', '/2010-04-01/Accounts/AC7/Messages.json'])
    assert.equal(headers.authorization, `Basic ${btoa('AC7:t0ken')}`)
    assert.equal(headers['content-type'], 'application/x-www-form-urlencoded')
    assert.deepEqual(Object.fromEntries(new URLSearchParams(body)), {
      To: '+4930123456',
      From: '+15550100',
      Body: message.text
    })
    assert.equal(answer, '201 {"sid":"SM1","status":"queued"}')
  })

  test('a messaging service is named as such', async () => {
    const gateway = await smsGateway()
    const service = `MG${'0a'.repeat(16)}`

    await textsTo(`twilio://AC7:t0ken@${gateway.host}?from=${service}`).send(message)

    const form = new URLSearchParams(gateway.requests[0]!.body)
    assert.deepEqual([form.get('MessagingServiceSid'), form.get('From')], [service, null])
  })
})

for (const scheme of ['http://', 'twilio://AC7:t0ken@'] as const) {
  describe(`refusals of ${scheme}`, () => {
    const failing = async (answer: (response: ServerResponse) => void, options: Partial<SmsOptions> = {}) => {
      const gateway = await smsGateway()
      gateway.answer = answer
      const texts = textsTo(`${scheme}${gateway.host}${scheme === 'http://' ? '/' : '?from=Desk'}`, options)
      const error = await texts.send(message).then(
        () => assert.fail('it was sent'),
        (error: Error) => error
      )
      return { error, gateway }
    }

    test('a text that the gateway does not want is refused for good, in its own words', async () => {
      for (const status of [400, 410, 413, 422]) {
        const { error } = await failing(response => void response.writeHead(status).end('{"message":"No such number"}'))

        assert.ok(error instanceof PermanentFailure)
        assert.equal(error.message, `${status} {"message":"No such number"}`)
      }
    })

    test('what the operator or time can mend is no refusal', async () => {
      for (const status of [401, 403, 404, 408, 429, 500, 502, 503]) {
        const { error } = await failing(response => void response.writeHead(status).end('Later'))

        assert.ok(!(error instanceof PermanentFailure), String(status))
        assert.equal(error.message, `${status} Later`)
      }
    })

    test('a redirect is not followed, for the text and the credentials are for nobody else', async () => {
      const elsewhere = await smsGateway()

      const { error } = await failing(response => {
        response.writeHead(307, { location: `http://${elsewhere.host}/` }).end()
      })

      assert.ok(!(error instanceof PermanentFailure))
      assert.equal(error.message, '307')
      assert.equal(elsewhere.requests.length, 0)
    })

    test('a gateway that does not answer, or that nobody runs, is given up in time', async () => {
      const silent = await failing(() => {}, { timeoutMilliseconds: 200 })
      const gone = await failing(response => void response.destroy())

      assert.match(silent.error.message, /took more than 0\.2 seconds/)
      assert.match(gone.error.message, /cannot be reached: /)
      assert.ok([silent.error, gone.error].every(error => !(error instanceof PermanentFailure)))
    })

    test('an endless answer is read only as far as it can be kept', async () => {
      const { error } = await failing(response => {
        response.writeHead(400)
        const more = () => {
          while (!response.destroyed && response.write('x'.repeat(65_536)));
        }
        response.on('drain', more)
        more()
      })

      assert.ok(error.message.length <= 2100)
    })
  })
}

test('a text that was taken is sent, though the rest of the answer got lost', async () => {
  const gateway = await smsGateway()
  gateway.answer = response => {
    response.writeHead(202, { 'content-length': 100 }).write('take', () => response.destroy())
  }

  assert.match(await textsTo(`http://${gateway.host}/`).send(message), /^202/)
})

describe('phone numbers', () => {
  test('they go out in E.164, those without a country code as they are dialled in DEFAULT_COUNTRY', async () => {
    const gateway = await smsGateway()
    const texts = textsTo(`http://${gateway.host}/`, { defaultCountry: 'NL' })

    for (const to of ['020 555 1001', '0031 20 555-1001', '+31 (0)20 5551001', '+1 415.555.2671']) {
      await texts.send({ ...message, to })
    }

    const numbers = gateway.requests.map(({ body }) => JSON.parse(body).to)
    assert.deepEqual(numbers, ['+31205551001', '+31205551001', '+31205551001', '+14155552671'])
  })

  test('one that no text can reach is known before, and is refused for good without asking the gateway', async () => {
    const gateway = await smsGateway()
    const texts = textsTo(`http://${gateway.host}/`)

    for (const to of ['020 555 1001', '112', '+1 555 0100', 'ask my secretary', '1'.repeat(30), '+999 123 4567']) {
      assert.equal(texts.reaches(to), false, to)
      await assert.rejects(texts.send({ ...message, to }), PermanentFailure)
    }
    assert.equal(texts.reaches('+31 20 555 1001'), true)
    assert.equal(gateway.requests.length, 0)
  })
})
