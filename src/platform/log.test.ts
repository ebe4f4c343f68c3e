import assert from 'node:assert/strict'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { makeLog } from './log.ts'

test('a logged error says what and where, without the data and the connection that hang on it', async t => {
  const path = join(tmpdir(), `deskline-log-${process.pid}`)
  t.after(() => rm(path, { force: true }))
  const error = Object.assign(new pg.DatabaseError('duplicate key value', 10, 'error'), {
    code: '23505',
    detail: 'Key (email)=(ada@example.com) already exists.',
    client: { connectionParameters: { user: 'deskline' } }
  })

  makeLog('info', path).error({ err: error, password: 'correct horse' }, 'Failed')

  const line = await readFile(path, 'utf8')
  assert.match(line, /duplicate key value/)
  assert.match(line, /"errorCode":"23505"/)
  assert.doesNotMatch(line, /ada@example|connectionParameters|correct horse/)
})
