import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readServerLog } from './log.ts'

test('The log passes on trouble of the server and keeps what clients sent to itself', async () => {
  const told: string[] = []
  const tell = (level: string) => (details: object) =>
    told.push(`${level} ${(details as { postgres: string }).postgres}`)
  const { read } = readServerLog({ info: tell('info'), warn: tell('warn'), error: tell('error') })

  read('client backend|23505|ERROR:  duplicate key value violates unique constraint "clients_email"')
  read('client backend|00000|STATEMENT:  insert into clients values (')
  read("\t'secret')")
  read('client backend|57P01|FATAL:  terminating connection due to administrator command')
  read('postmaster|00000|LOG:  database system is ready to accept connections')
  assert.deepEqual(told, [])

  read('client backend|53100|ERROR:  could not extend file "base/5/2619": No space left on device')
  read('postmaster|00000|LOG:  client backend (PID 7) was terminated by signal 9: Killed')
  read('autovacuum worker|22003|ERROR:  out of range')
  assert.deepEqual(told, [
    'error could not extend file "base/5/2619": No space left on device',
    'warn client backend (PID 7) was terminated by signal 9: Killed',
    'error out of range'
  ])
})
