import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { aScanScript, eicar, startClamd } from '../../../test/support/scanners.ts'
import { clamdAddress, clamdScanner } from './clamd.ts'
import { commandScanner } from './command.ts'
import { ScanFailed, type Scanner } from './scanner.ts'

const folder = await mkdtemp(join(tmpdir(), 'deskline-scanner-'))
const script = await aScanScript()
const overPort = await startClamd()
const overSocket = await startClamd(join(folder, 'clamd.sock'))
after(async () => {
  await Promise.all([script.remove(), overPort.stop(), overSocket.stop()])
  await rm(folder, { recursive: true })
})

const environment = { PATH: process.env.PATH }
const byCommand = (command: [string, ...string[]], timeoutSeconds = 60) =>
  commandScanner({ command, timeoutSeconds, environment })
const scanners: [string, Scanner][] = [
  ['a command', byCommand(script.command)],
  ['clamd on a port', clamdScanner(overPort.address, 60)],
  ['clamd on a socket', clamdScanner(overSocket.address, 60)]
]

function content(...parts: string[]): Readable {
  return Readable.from(
    parts.map(part => Buffer.from(part)),
    { objectMode: false }
  )
}

for (const [kind, scanner] of scanners) {
  test(`${kind} tells the clean from the infected, wherever in the file and between which bytes it is`, async () => {
    const filler = 'x'.repeat(3_000_000)

    const clean = await scanner.scan(content(filler, 'harmless'))
    const found = await scanner.scan(content(filler, '', eicar.slice(0, 30), '', eicar.slice(30), filler))
    const empty = await scanner.scan(content())

    assert.equal(clean.isClean, true)
    assert.equal(found.isClean, false)
    assert.match(found.answer, /^Eicar-Test-Signature/)
    assert.equal(empty.isClean, true)
  })

  test(`${kind} gives no verdict on a file that breaks off`, async () => {
    const broken = Readable.from(
      (async function* () {
        yield Buffer.alloc(100_000)
        throw new Error('the store went away')
      })()
    )

    await assert.rejects(scanner.scan(broken), ScanFailed)
  })
}

test('clamd gets every byte', async () => {
  overPort.sizes.length = 0

  await clamdScanner(overPort.address, 60).scan(content('x'.repeat(100_000), '', 'y'.repeat(33)))

  assert.deepEqual(overPort.sizes, [100_033])
})

test('a clamd that is not there, hangs up, says something else, or finds the file too large gives no verdict', async () => {
  const gone = await startClamd()
  await gone.stop()
  await assert.rejects(clamdScanner(gone.address, 60).scan(content('x')), /^ScanFailed: clamd: connect ECONNREFUSED/)

  const clamd = await startClamd()
  const scanner = clamdScanner(clamd.address, 60)
  for (const behaviour of ['hanging up', 'confused'] as const) {
    clamd.behaves(behaviour)
    await assert.rejects(scanner.scan(content('x'.repeat(5_000_000))), ScanFailed)
  }
  clamd.behaves('well')
  clamd.limit(1_000)
  await assert.rejects(scanner.scan(content('x'.repeat(1_001))), /INSTREAM size limit exceeded/)
  await clamd.stop()
})

test('a clamd that calls a file clean and hangs up before it has all of it gives no verdict', {
  timeout: 60_000
}, async t => {
  const hungUp = Promise.withResolvers<void>()
  const server = createServer(socket => {
    socket.once('close', hungUp.resolve).once('data', () => socket.end('stream: OK\0'))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => server.close())
  const slow = Readable.from(
    (async function* () {
      yield Buffer.alloc(10)
      await hungUp.promise
      yield Buffer.alloc(10)
    })()
  )

  const { port } = server.address() as AddressInfo
  await assert.rejects(clamdScanner({ host: '127.0.0.1', port }, 600).scan(slow), ScanFailed)
})

test('a scanner that never answers is given up after its time, and lets go of the file', async () => {
  const clamd = await startClamd()
  clamd.behaves('silent')
  const slow = [clamdScanner(clamd.address, 0.1), byCommand(['/bin/sh', '-c', 'exec sleep 60'], 0.1)]

  for (const scanner of slow) {
    const endless = new Readable({
      read() {
        this.push(Buffer.alloc(65_536))
      }
    })
    await assert.rejects(scanner.scan(endless), ScanFailed)
    assert.equal(endless.destroyed, true)
  }
  await clamd.stop()
})

test('a command that is not there, fails, is killed, or has not read all that it calls clean gives no verdict', async () => {
  const large = () => content('x'.repeat(3_000_000))

  await assert.rejects(byCommand([join(folder, 'nothing')]).scan(large()), /could not be run: .*ENOENT/)
  await assert.rejects(
    byCommand(['/bin/sh', '-c', 'cat > /dev/null; echo no signatures >&2; exit 2']).scan(large()),
    /sh ended with 2: no signatures/
  )
  await assert.rejects(byCommand(['/bin/sh', '-c', 'kill -9 $$']).scan(large()), /ended with SIGKILL/)
  await assert.rejects(byCommand(['/bin/sh', '-c', 'exit 0']).scan(large()), /was not given all of the file/)
})

test('a command that has seen enough need not read on to call a file infected', async () => {
  const verdict = await byCommand(['/bin/sh', '-c', 'head -c 10 > /dev/null; echo seen; exit 1']).scan(
    content('x'.repeat(3_000_000))
  )

  assert.deepEqual(verdict, { isClean: false, answer: 'seen' })
})

test('a command sees nothing of our environment but what it is given', async () => {
  const { answer } = await byCommand(['/bin/sh', '-c', 'cat > /dev/null; env | grep -v "^_\\|^PWD\\|^SHLVL"']).scan(
    content('x')
  )

  assert.match(answer, /^PATH=/)
})

test('clamd is named by host and port or by its socket, and by nothing else', () => {
  assert.deepEqual(clamdAddress('/run/clamav/clamd.ctl'), { path: '/run/clamav/clamd.ctl' })
  assert.deepEqual(clamdAddress('clamav:3310'), { host: 'clamav', port: 3310 })
  assert.deepEqual(clamdAddress('[::1]:3310'), { host: '::1', port: 3310 })
  for (const wrong of ['clamav', 'clamav:0', 'clamav:70000', 'http://clamav:3310', '::1:3310', 'run/clamd.ctl']) {
    assert.throws(() => clamdAddress(wrong), /must be host:port or the path of a socket/, wrong)
  }
})

test('the clamd of Debian tells the clean from the infected', async t => {
  if (!existsSync('/usr/sbin/clamd')) return t.skip('clamd is not installed (clamav-daemon)')
  const place = await mkdtemp(join(tmpdir(), 'deskline-clamd-'))
  t.after(() => rm(place, { recursive: true }))
  await chmod(place, 0o777)
  const socket = join(place, 'clamd.sock')
  // The signature of EICAR, by its hexadecimal digits: name, any kind of file, anywhere.
  await writeFile(join(place, 'test.ndb'), `Eicar-Test-Signature:0:*:${Buffer.from(eicar).toString('hex')}\n`)
  await writeFile(
    join(place, 'clamd.conf'),
    `LocalSocket ${socket}\nDatabaseDirectory ${place}\nForeground yes\nOfficialDatabaseOnly no\nStreamMaxLength 5M\n`
  )
  const clamd = spawn('/usr/sbin/clamd', ['-c', join(place, 'clamd.conf')], { stdio: ['ignore', 'pipe', 'pipe'] })
  t.after(async () => {
    clamd.kill('SIGKILL')
    await once(clamd, 'close')
  })
  let said = ''
  for (const output of [clamd.stdout, clamd.stderr]) output.on('data', text => (said += text))
  for (const deadline = Date.now() + 60_000; !existsSync(socket); await pause(50)) {
    assert.ok(Date.now() < deadline && clamd.exitCode === null, `clamd started: ${said}`)
  }
  t.diagnostic(execFileSync('/usr/sbin/clamd', ['--version'], { encoding: 'utf8' }).trim())
  const scanner = clamdScanner({ path: socket }, 60)

  const clean = await scanner.scan(content('x'.repeat(2_000_000), 'harmless'))
  const found = await scanner.scan(content(eicar))

  assert.deepEqual(clean, { isClean: true, answer: 'OK' })
  assert.match(found.answer, /Eicar-Test-Signature.* FOUND$/)
  await assert.rejects(scanner.scan(content('x'.repeat(6_000_000))), ScanFailed)
})
