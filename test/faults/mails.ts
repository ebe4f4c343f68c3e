import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import nodemailer from 'nodemailer'
import { freePort } from '../support/free-port.ts'
import { eventually } from './eventually.ts'
import { type InstallationFactory, rowsOf, type TestInstallation } from './installations.ts'
import { receive } from './receive.ts'
import { type Service, startService } from './service.ts'
import { mountSmallDisk, type SmallDisk } from './small-disk.ts'
import { verifyConsistent } from './verify.ts'
import { withInstallation } from './with-installation.ts'
import { nothingAcknowledged } from './write-load.ts'

const connections = 8
const senders = 20
const mailsARound = 200
const settledWithinSeconds = 300

/**
 * A mail server hands mails over to a service of two workers, and tries again whatever was not acknowledged, while the service or its database is
 * killed at random moments. In the end each mail is one ticket.
 */
export async function mailsAndKills(factory: InstallationFactory, rounds: number): Promise<string> {
  return await withInstallation(factory, async installation => {
    const port = await freePort()
    const mails = Array.from({ length: rounds * mailsARound }, (_, at) => aMail(at))
    const done = { acknowledged: 0, again: 0 }
    let service = await start(installation, port)
    const sent = sendAll(port, mails, done)
    for (let round = 1; round <= rounds; round++) {
      const enough = eventually(settledWithinSeconds, 'more mails', async () =>
        assert.ok(done.acknowledged >= (round - 0.7) * mailsARound, `${done.acknowledged} are acknowledged`)
      )
      await Promise.race([enough, sent])
      await pause(Math.random() * 200)
      if (round % 2 === 0) {
        await installation.killDatabase()
        await pause(Math.random() * 500)
        await installation.reviveDatabase()
      } else {
        await service.kill()
        service = await start(installation, port)
      }
    }
    await sent
    const tickets = await eventually(settledWithinSeconds, 'a decision on each mail', () =>
      settled(installation, mails.length)
    )
    assert.deepEqual(tickets, {
      rows: mails.length,
      tickets: mails.length,
      subjects: mails.length,
      messages: mails.length
    })
    await verifyConsistent(installation, nothingAcknowledged())
    assert.equal(await service.stop(), 0)
    return `${mails.length} mails, ${rounds} kills, ${done.again} times sent again: each is one ticket`
  })
}

/** The disk of the uploads is full: a mail server, and who runs `receive`, are to try again, and nothing is half there. With room again all is taken. */
export async function mailsAndFullDisk(factory: InstallationFactory): Promise<string> {
  let disk: SmallDisk | undefined
  const prepare = async (dataDir: string) => {
    disk = await mountSmallDisk(join(dataDir, 'uploads'), 16)
    return disk.unmount
  }
  return await withInstallation(
    factory,
    async installation => {
      const port = await freePort()
      const service = await start(installation, port)
      const large = aMail(1, randomBytes(1_000_000).toString('base64'))
      await disk!.fill(200_000)

      const refused = await handOver(port, large).then(
        () => 'taken',
        (error: { responseCode?: number }) => error.responseCode
      )
      const piped = await receive(installation, aMail(2, randomBytes(1_000_000).toString('base64')))
      const small = await handOver(port, aMail(3))
      const between = await eventually(settledWithinSeconds, 'the small mail', () => settled(installation, 1))
      await disk!.free()
      await handOver(port, large)
      const after = await eventually(settledWithinSeconds, 'a decision on each mail', () => settled(installation, 2))

      assert.deepEqual([refused, piped.code], [451, 75], piped.output)
      assert.match(String(small.response), /^250/)
      assert.deepEqual([between.rows, after.tickets], [1, 2])
      await verifyConsistent(installation, nothingAcknowledged())
      assert.equal(await service.stop(), 0)
      return 'answered 451 and 75, nothing half, all taken with room again'
    },
    { prepare }
  )
}

async function start(installation: TestInstallation, port: number): Promise<Service> {
  return await startService(
    installation,
    { MAIL_LISTEN: `lmtp://127.0.0.1:${port}`, MAIL_DNS_SERVERS: 'off' },
    { workers: 2 }
  )
}

function aMail(at: number, body = 'The printer is on fire.'): string {
  return [
    `From: Sender <sender-${at % senders}@example.com>`,
    'To: support@desk.example',
    `Subject: Mail ${at}`,
    `Message-ID: <mail-${at}.${randomBytes(6).toString('hex')}@example.com>`,
    'Date: Fri, 20 Nov 2026 08:28:31 +0000',
    '',
    body.replace(/.{76}/g, '$&\r\n'),
    ''
  ].join('\r\n')
}

/** As a mail server does: each until it is acknowledged. */
async function sendAll(port: number, mails: readonly string[], done: { acknowledged: number; again: number }) {
  const left = mails.values()
  const send = async () => {
    for (const mail of left) {
      for (let isTaken = false; !isTaken; ) {
        isTaken = await handOver(port, mail).then(
          () => true,
          (error: { responseCode?: number; message: string }) => {
            assert.ok((error.responseCode ?? 400) < 500, error.message)
            return false
          }
        )
        if (!isTaken) {
          done.again++
          await pause(100)
        }
      }
      done.acknowledged++
    }
  }
  await Promise.all(Array.from({ length: connections }, send))
}

async function handOver(port: number, raw: string) {
  const transport = nodemailer.createTransport({ host: '127.0.0.1', port, lmtp: true, ignoreTLS: true } as object)
  try {
    const told = await transport.sendMail({ raw, envelope: { from: 'mta@example.com', to: 'support@desk.example' } })
    // By LMTP each recipient is answered for.
    const [refused] = (told as { rejectedErrors?: Error[] }).rejectedErrors ?? []
    if (refused) throw refused
    return told
  } finally {
    transport.close()
  }
}

/** How many mails, tickets and messages there are, once no mail waits any more. */
async function settled(
  installation: TestInstallation,
  mails: number
): Promise<Record<'rows' | 'tickets' | 'subjects' | 'messages', number>> {
  const [row] = await rowsOf(
    installation,
    `select (select count(*)::int from inbound_mails where state = 'ticket') as rows, (select count(*)::int from tickets) as tickets,
         (select count(distinct subject)::int from tickets) as subjects, (select count(*)::int from ticket_messages) as messages`
  )
  assert.ok(row.rows >= mails, `${row.rows} of ${mails} mails are tickets`)
  return row
}
