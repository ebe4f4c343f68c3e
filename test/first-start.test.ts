import assert from 'node:assert/strict'
import { once } from 'node:events'
import { access, mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { deskline, run, served } from './support/program.ts'
import { copyTemplateCluster } from './support/template-cluster.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'deskline-start-'))
})
after(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }))

test('a port that is taken is one sentence, and nothing is made, nor anything else said', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const dataDir = join(folder, 'port-taken')

  const { code, output } = await run(['serve'], { DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: String(port) })
  const workers = await run(['serve', '--workers', '1'], { DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: String(port) })
  other.close()

  const sentence = `PORT ${port} is taken by another program: stop that one, or set PORT to another number.\n`
  assert.deepEqual([code, output], [1, sentence])
  assert.deepEqual(workers, { code: 1, output: sentence })
  await assert.rejects(access(dataDir), { code: 'ENOENT' })
})

test('a setting with a typing error is told by a start and by doctor', async () => {
  const sentence = 'SMTP_ULR is not a setting of Deskline, and is ignored: it may be meant as SMTP_URL'
  const environment = { DATA_DIR: join(folder, 'misspelt'), SMTP_ULR: 'smtp://localhost' }
  await copyTemplateCluster(environment.DATA_DIR)

  const service = await served(environment)
  await service.stop()
  const doctor = await run(['doctor'], environment)

  assert.ok(service.output().includes(`"level":40`) && service.output().includes(sentence), service.output())
  assert.match(doctor.output, new RegExp(`^warn +settings: ${sentence}$`, 'm'))
})

test('a start that is interrupted while the database is made ends in order, and the next one makes it', async () => {
  const dataDir = join(folder, 'interrupted')
  const first = deskline(['serve'], { DATA_DIR: dataDir })
  await first.says(/Creating the embedded database/)

  const code = await first.stop('SIGINT')
  const second = await served({ DATA_DIR: dataDir })
  const stopped = await second.stop()

  assert.deepEqual([code, stopped], [0, 0])
  assert.deepEqual(
    levelsOf(first.output()).filter(level => level > 30),
    []
  )
  assert.equal(second.output().match(/Migrating the database/g)?.length, 1)
})

function levelsOf(output: string): number[] {
  return output
    .trimEnd()
    .split('\n')
    .map(line => (JSON.parse(line) as { level: number }).level)
}
