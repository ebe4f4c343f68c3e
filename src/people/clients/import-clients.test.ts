import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { codeAt } from '../../../test/support/authenticator.ts'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient } from '../../../test/support/people.ts'
import { sealPurpose } from '../auth/second-factor.ts'
import { type ImportCounts, importClients } from './import-clients.ts'
import { requiredColumns } from './import-fields.ts'
import { ImportFault, tableRows } from './import-rows.ts'

const desk = await bootDesk({ connections: 2 })
const folder = await mkdtemp(join(tmpdir(), 'deskline-import-'))
after(() => rm(folder, { recursive: true, force: true }))

const password = 'correct horse'
const digest = createHash('sha256').update(password).digest('hex')
let serial = 0

describe('an imported table', () => {
  test('brings everything it says of its clients, who log in with the password they had', async () => {
    const file = await aTable(
      'csv',
      'id,Email,first_name,last_name,password,phone_number,company_name,city,is_active,is_email_verified,created_at',
      `7,Ada@Csv.example,Ada,"Lovelace, Countess",${digest.toUpperCase()},+14155550123,"Analytical ""Engines""",London,1,true,2020-02-29 12:00:00`,
      `8,idle@csv.example,Charles,Babbage,${digest},,,,no,0,2020-02-29T12:00:00+02:00`
    )

    const { tally } = await imported(file)
    const login = await desk.post('/api/auth/login', undefined, { email: 'ada@csv.example', password })
    const wrong = await desk.post('/api/auth/login', undefined, { email: 'ada@csv.example', password: digest })
    const idle = await desk.post('/api/auth/login', undefined, { email: 'idle@csv.example', password })
    const ada = await clientOf('Ada@Csv.example')

    assert.deepEqual([tally.imported, tally.thereAlready, tally.refused, [...tally.ignored]], [2, 0, 0, ['id']])
    assert.deepEqual([login.status, wrong.status, idle.status], [200, 401, 403])
    assert.match(ada.password, /^\$argon2id\$/)
    assert.deepEqual(
      [ada.last_name, ada.phone_number, ada.company_name, ada.city, ada.is_email_verified, ada.is_phone_verified],
      ['Lovelace, Countess', '+14155550123', 'Analytical "Engines"', 'London', true, false]
    )
    assert.equal(ada.created_at.toISOString(), '2020-02-29T12:00:00.000Z')
    assert.equal((await clientOf('idle@csv.example')).created_at.toISOString(), '2020-02-29T10:00:00.000Z')
  })

  test('may be objects, one a line, and keeps a second factor sealed and in force', async () => {
    const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
    const factor = { two_factor_enabled: true, two_factor_secret: secret.toLowerCase() }
    const file = await aTable(
      'jsonl',
      JSON.stringify({ ...person('factor@jsonl.example'), password: digest, ...factor }),
      '',
      JSON.stringify({ ...person('none@jsonl.example'), phone_number: null, is_active: 1 })
    )

    const { tally } = await imported(file)
    const login = { email: 'factor@jsonl.example', password }
    const challenge = await desk.post('/api/auth/login', undefined, login)
    const code = codeAt(secret, desk.clock.now())
    const opened = await desk.post('/api/auth/login', undefined, { ...login, two_factor_code: code })
    const stored = await clientOf('factor@jsonl.example')

    assert.equal(tally.imported, 2)
    assert.equal(challenge.data.requires_2fa, 1)
    assert.equal(opened.status, 200)
    assert.ok(!stored.two_factor_secret!.includes(secret))
  })

  test('brings people without a password, who choose one by a reset e-mail', async () => {
    const file = await aTable('csv', 'email,first_name,last_name,password', 'unknown@csv.example,Ada,Lovelace,')

    await imported(file)
    const login = await desk.post('/api/auth/login', undefined, { email: 'unknown@csv.example', password: '' })
    const forgot = await desk.post('/api/auth/forgot-password', undefined, { email: 'unknown@csv.example' })
    const reset = { token: forgot.data.reset_token, new_password: 'battery staple' }
    await desk.post('/api/auth/reset-password', undefined, reset)
    const chosen = { email: 'unknown@csv.example', password: 'battery staple' }

    assert.equal(login.status, 400)
    assert.equal((await desk.post('/api/auth/login', undefined, chosen)).status, 200)
  })

  test('that is run again, or names somebody twice or in other case, makes nobody twice and changes nobody', async () => {
    const known = await aClient(desk)
    const rows = Array.from({ length: 230 }, (_, at) => `again${at}@csv.example,Ada,Lovelace`)
    const doubles = ['AGAIN0@csv.example,Ada,Double', `${known.email.toUpperCase()},Ada,Double`]
    const file = await aTable('csv', 'email,first_name,last_name', ...rows, ...doubles)

    const first = await imported(file)
    const second = await imported(file)

    assert.deepEqual([first.tally.imported, first.tally.thereAlready], [230, 2])
    assert.deepEqual([second.tally.imported, second.tally.thereAlready], [0, 232])
    assert.equal((await clientOf(known.email)).last_name, known.last_name)
    const { rows: counted } = await sql`
      select (select sum(clients) from client_counts) = (select count(*) from clients) as agrees`.execute(desk.db)
    assert.deepEqual(counted, [{ agrees: true }])
  })
})

describe('a row that does not fit', () => {
  test('is refused with its line and the reason, and the others are taken in', async () => {
    const file = await aTable(
      'csv',
      'email,first_name,last_name,password,is_active,two_factor_enabled,created_at',
      'no-address,Ada,Lovelace,,,,',
      'good@bad.example,Ada,Lovelace,,,,',
      ',Ada,,,,,',
      `long@bad.example,${'x'.repeat(101)},Lovelace,,,,`,
      'plain@bad.example,Ada,Lovelace,hunter2,,,',
      'foreign@bad.example,Ada,Lovelace,$2b$10$abcdefghijklmnopqrstuv,,,',
      'flag@bad.example,Ada,Lovelace,,maybe,,',
      'factor@bad.example,Ada,Lovelace,,,1,',
      'day@bad.example,Ada,Lovelace,,,,2021-02-31 10:00:00',
      'short@bad.example,Ada',
      Buffer.from('latin@bad.example,M\xfcller,L,,,,', 'latin1')
    )

    const { tally, refused } = await imported(file)

    assert.deepEqual([tally.imported, tally.refused], [1, 10])
    assert.deepEqual(refused, [
      'line 2: Invalid e-mail format',
      'line 4: Missing required fields: last_name, email',
      'line 5: first_name must be at most 100 characters long',
      'line 6: password must be a SHA-256 digest (64 hex digits), or a hash that Deskline has made',
      'line 7: password must be a SHA-256 digest (64 hex digits), or a hash that Deskline has made',
      'line 8: is_active must be a whole number',
      'line 9: two_factor_enabled needs a two_factor_secret',
      'line 10: created_at must be a time such as 2026-11-20 08:28:31',
      'line 11: 2 values, where the header has 7 columns',
      'line 12: first_name is not valid UTF-8'
    ])
  })

  test('of another shape than an object is refused', async () => {
    const file = await aTable(
      'jsonl',
      '[1]',
      '{',
      JSON.stringify({ ...person('x@y.example'), city: { name: 'London' } })
    )

    const { refused } = await imported(file)

    assert.deepEqual(refused, ['line 1: not a JSON object', 'line 2: not valid JSON', 'line 3: city must be text'])
  })

  test('whose quote is never closed ends the reading, and says so', async () => {
    const file = await aTable(
      'csv',
      'email,first_name,last_name',
      'before@quote.example,Ada,Lovelace',
      'a@b.example,"Ada,L'
    )

    const { tally, refused } = await imported(file)

    assert.equal(tally.imported, 1)
    assert.match(refused.join(), /^line 3: not read, nor anything after it: Quote Not Closed/)
  })
})

test('a file that is no table is refused in one sentence', async () => {
  const sentences = [
    [await aTable('csv', 'email,first_name', 'a@b.example,Ada'), /has no column last_name in its first line\.$/],
    [await aTable('csv', 'email,email,first_name,last_name'), /has two columns email\.$/],
    [await aTable('csv'), /is empty\.$/],
    [await aTable('xls', 'x'), /must be a \.csv or a \.jsonl file\.$/],
    [join(folder, 'gone.csv'), /^There is no file \S+gone\.csv\.$/],
    [join(folder, 'gone.jsonl'), /^There is no file \S+gone\.jsonl\.$/]
  ] as const

  for (const [file, message] of sentences) {
    await assert.rejects(imported(file), error => error instanceof ImportFault && message.test(error.message))
  }
})

async function imported(file: string): Promise<{ tally: ImportCounts; refused: string[] }> {
  const { keys } = desk.services
  const refused: string[] = []
  const tally = await importClients(desk.services, tableRows(file, requiredColumns), {
    sealFactor: (id, secret) => keys.seal(sealPurpose({ population: 'client', id }), secret),
    refused: (line, reason) => refused.push(`line ${line}: ${reason}`)
  })
  return { tally, refused }
}

async function aTable(ending: string, ...lines: (string | Buffer)[]): Promise<string> {
  const path = join(folder, `${++serial}.${ending}`)
  await writeFile(path, Buffer.concat(lines.flatMap(line => [Buffer.from(line), Buffer.from('\n')])))
  return path
}

function person(email: string) {
  return { email, first_name: 'Ada', last_name: 'Lovelace' }
}

function clientOf(email: string) {
  return desk.db.selectFrom('clients').where('email', '=', email).selectAll().executeTakeFirstOrThrow()
}
