import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import nodemailer from 'nodemailer'
import { Webhook } from 'standardwebhooks'
import { readMail } from '../src/platform/mail-reading/read-mail.ts'
import { freePort } from '../test/support/free-port.ts'
import type { Bench } from './against-floor.ts'
import { memoryOf, processTree } from './process-usage.ts'
import { environmentOf, inboundSecret, root, type Server, serve } from './servers.ts'
import { summary } from './statistics.ts'
import { copiesOf, templateOf } from './testbed.ts'

const atOnce = 8
const senders = 50
const megabyte = 1024 * 1024
const readSeconds = 1

/**
 * Measures how many e-mails become tickets per second on databases of each size, compared with only parsing them; how the time grows with
 * the size of an e-mail; and how much memory an e-mail of 40 MB takes.
 */
export async function costOfMail(bench: Bench): Promise<void> {
  const { databases, options, dataDir, results, say } = bench
  const add = (name: string, unit: string, values: number[], mark?: { atMost: number } | { atLeast: number }) =>
    results.costs.push({ name, unit, value: summary(values), mark })
  const database = 'bench_mail'
  const taken: number[] = []
  for (const tickets of options.sizes) {
    await copiesOf(databases, await templateOf(databases, tickets, () => {}), [database])
    const folder = join(dataDir, 'mail')
    const url = databases.url(database)
    const lmtpPort = await freePort()
    const settings = { MAIL_LISTEN: `lmtp://127.0.0.1:${lmtpPort}` }
    const server = await serve({ dataDir: folder, url, settings })
    try {
      await takeIn(server, senders)
      const rates: number[] = []
      for (let round = 0; round < options.rounds; round++) rates.push(await takeIn(server, options.isShort ? 50 : 300))
      taken.push(summary(rates).median)
      add(`e-mails taken in, on ${tickets.toLocaleString('en-US')} tickets`, '/s', rates, { atLeast: 30 })
      if (tickets === options.sizes[0]) {
        const count = options.isShort ? 20 : 100
        add('e-mails taken by LMTP', '/s', [await takeByLmtp(lmtpPort, 3 * count)], { atLeast: 30 })
        const piped = await takeByPipe(folder, url, count)
        add('e-mails taken by deskline receive', '/s', [piped.perSecond], { atLeast: 30 })
        add('CPU of deskline receive for an e-mail', 's', [piped.cpuSeconds], { atMost: 0.5 })
        say(`e-mails by the pipe: ${piped.perSecond.toFixed(0)} a second, ${piped.cpuSeconds.toFixed(3)} s of CPU each`)
        const added = await addedBy(server, aMail(0, 40 * megabyte))
        add('memory above rest while an e-mail of 40 MB comes in', 'MB', [added], { atMost: 150 })
      }
      say(`e-mails on ${tickets.toLocaleString('en-US')} tickets: ${taken.at(-1)!.toFixed(0)} a second`)
    } finally {
      await server.stop()
      await databases.drop(database)
    }
  }
  const alone = Array.from({ length: options.rounds }, () => readRate(aMail(0)))
  add('e-mails read, by the reader alone', '/s', alone)
  if (taken.length > 1)
    add('taking in an e-mail on the most tickets, beside the fewest', 'times', [taken[0]! / taken.at(-1)!], {
      atMost: 1.5
    })
  const [small, large] = [megabyte, 16 * megabyte].map(size => 1 / readRate(aMail(0, size)) / (size / megabyte))
  add('reading a megabyte of an e-mail of 16 MB, beside one of 1 MB', 'times', [large! / small!], { atMost: 1.5 })
}

/** Delivers this many e-mails, several at once, and returns how many were received per second. */
async function takeIn(server: Server, count: number): Promise<number> {
  let left = count
  const startedAt = performance.now()
  const one = async () => {
    while (left-- > 0) await handOver(server, aMail(left))
  }
  await Promise.all(Array.from({ length: atOnce }, one))
  return count / ((performance.now() - startedAt) / 1_000)
}

/** The same by LMTP, as a mail server does, which is told of each that it is stored. Returns how many were per second. */
async function takeByLmtp(port: number, count: number): Promise<number> {
  const transport = nodemailer.createTransport({
    host: '127.0.0.1',
    port,
    lmtp: true,
    ignoreTLS: true,
    pool: true,
    maxConnections: atOnce
  } as object)
  const startedAt = performance.now()
  const envelope = { from: 'sender@bench.example', to: 'support@bench.example' }
  await Promise.all(Array.from({ length: count }, (_, at) => transport.sendMail({ raw: aMail(at), envelope })))
  transport.close()
  return count / ((performance.now() - startedAt) / 1_000)
}

/** As many commands at once as the lines for Postfix in the operations page allow. */
const pipesAtOnce = 4

/** Starts `deskline receive` for each e-mail, beside the server. Returns how many were taken per second, and the CPU time of one command. */
async function takeByPipe(dataDir: string, url: string, count: number) {
  const env = environmentOf(dataDir, url)
  const words = `"${process.execPath}" "${join(root, 'bin/deskline.js')}" receive --recipient support@bench.example`
  let left = count
  let cpuSeconds = 0
  const startedAt = performance.now()
  const one = async () => {
    while (left-- > 0) {
      const shell = spawn('/bin/sh', ['-c', `${words} && times`], { env, stdio: ['pipe', 'pipe', 'inherit'] })
      shell.stdin.end(aMail(left))
      const said = await text(shell.stdout)
      if (!said.includes('"outcome":"ticket"')) throw new Error(`A mail was not taken: ${said}`)
      const ofCommand = said.trim().split('\n').at(-1)!
      for (const [, minutes, seconds] of ofCommand.matchAll(/(\d+)m([\d.]+)s/g))
        cpuSeconds += Number(minutes) * 60 + Number(seconds)
    }
  }
  await Promise.all(Array.from({ length: pipesAtOnce }, one))
  return { perSecond: count / ((performance.now() - startedAt) / 1_000), cpuSeconds: cpuSeconds / count }
}

async function handOver({ port }: Server, raw: string): Promise<void> {
  const [id, now] = [`bench_${randomBytes(8).toString('hex')}`, new Date()]
  const response = await fetch(`http://127.0.0.1:${port}/api/mail/inbound?recipient=support@bench.example`, {
    method: 'POST',
    headers: {
      'content-type': 'message/rfc822',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
      'webhook-signature': new Webhook(inboundSecret).sign(id, now, raw)
    },
    body: raw
  })
  const answer = (await response.json()) as { data?: { outcome: string } }
  if (answer.data?.outcome !== 'ticket') throw new Error(`A mail was not taken: ${JSON.stringify(answer)}`)
}

/** The memory in MB that receiving an e-mail adds to that of the idle server. */
async function addedBy(server: Server, raw: string): Promise<number> {
  const memory = async () => (await memoryOf(await processTree(server.pid))).rss
  const atRest = await memory()
  let most = atRest
  const watching = setInterval(() => void memory().then(now => (most = Math.max(most, now))), 20)
  try {
    await handOver(server, raw)
  } finally {
    clearInterval(watching)
  }
  return most - atRest
}

function readRate(raw: string): number {
  const bytes = Buffer.from(raw, 'latin1')
  let count = 0
  const startedAt = performance.now()
  for (; performance.now() - startedAt < readSeconds * 1_000; count++)
    readMail(bytes, { sender: undefined, recipient: undefined })
  return count / ((performance.now() - startedAt) / 1_000)
}

/** A typical reply with a quote and HTML, and with an attachment if it is to be large. */
function aMail(at: number, fileBytes = 0): string {
  const text = `The printer is on fire.\r\n\r\nOn Mon, Nov 16, 2026 at 10:00 Support <support@bench.example> wrote:\r\n${'> Have you tried water?\r\n'.repeat(20)}`
  const file = `--m\r\nContent-Type: application/pdf; name=a.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n${randomBytes(
    (fileBytes * 3) >> 2
  )
    .toString('base64')
    .replace(/.{76}/g, '$&\r\n')}\r\n`
  return [
    `From: Sender <sender-${at % senders}@bench.example>`,
    'To: support@bench.example',
    `Subject: Mail ${at}`,
    `Message-ID: <mail-${randomBytes(8).toString('hex')}@bench.example>`,
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=m',
    '',
    '--m\r\nContent-Type: multipart/alternative; boundary=a\r\n',
    `--a\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${text}`,
    `--a\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<div>${text.replaceAll('\r\n', '<br>\r\n')}</div>`,
    '--a--',
    `${fileBytes > 0 ? file : ''}--m--\r\n`
  ].join('\r\n')
}
