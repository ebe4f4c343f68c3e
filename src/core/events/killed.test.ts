import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { databaseUrl } from '../../../test/support/database.ts'
import { bootDesk } from '../../../test/support/desk.ts'
import { verifyAudit } from '../audit/verify-audit.ts'
import { readEvents, sequence } from './read-events.ts'

const desk = await bootDesk({ connections: 3 })
const url = databaseUrl(desk.connection)

/** A process that writes an audited event and is killed where the code says so. */
async function killed(id: number, where: 'before the commit' | 'after the commit' | 'in the pass'): Promise<void> {
  const at = (name: string) => JSON.stringify(new URL(name, import.meta.url).href)
  const code = `
    const { openDatabase } = await import(${at('../../platform/db/open.ts')})
    const { transaction } = await import(${at('../db.ts')})
    const { insertEvents } = await import(${at('./insert-events.ts')})
    const { sequenceBatch } = await import(${at('./sequencer.ts')})
    const { db } = openDatabase({ connection: ${JSON.stringify(url)}, maxConnections: 2,
      statementTimeoutMilliseconds: 10000, connectTimeoutMilliseconds: 10000, onIdleError() {} })
    const by = { type: 'staff', id: 7, name: 'Grace Hopper', ip: null, requestId: null }
    const event = { kind: 'two_factor.enabled', subject: { type: 'staff', id: ${id} }, by }
    const die = async () => { process.kill(process.pid, 'SIGKILL'); await new Promise(() => {}) }
    const where = ${JSON.stringify(where)}
    await transaction(db, async db => {
      await insertEvents(db, [event], new Date())
      if (where === 'before the commit') await die()
    })
    if (where === 'after the commit') await die()
    await sequenceBatch(db, die, { wait: true })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'ignore', 'inherit'] })
  const [, signal] = await once(child, 'exit')
  assert.equal(signal, 'SIGKILL')
}

test('a process that is killed between its write and the place of it loses neither the place nor the audit row, and doubles none', async () => {
  await killed(1, 'after the commit')
  await killed(2, 'before the commit')
  await killed(3, 'in the pass')

  await sequence(desk.services)

  const events = await readEvents(desk.db, { after: 0, limit: 100 })
  const audited = await desk.db.selectFrom('audit_log').select('target_id').orderBy('id').execute()
  assert.deepEqual(
    events.map(({ id, subject_id }) => [id, subject_id]),
    [
      [1, 1],
      [2, 3]
    ]
  )
  assert.deepEqual(
    audited.map(({ target_id }) => target_id),
    [1, 3]
  )
  assert.ok((await verifyAudit(desk.services)).isIntact)
})
