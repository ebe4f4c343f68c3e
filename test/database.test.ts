import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from './support/database.ts'

const { pool } = await testDatabase()

test('one e-mail opens one account in each population, whatever its case', async () => {
  const email = `${unique()}@example.com`
  await aClientRow({ email })
  await aStaffRow({ email })

  await assert.rejects(aClientRow({ email: email.toUpperCase() }), { code: uniqueViolation })
  await assert.rejects(aStaffRow({ email: email.toUpperCase() }), { code: uniqueViolation })
})

test('ticket numbers, public department ids, slugs, refresh tokens, file paths and grants are unique', async () => {
  const staff = await aStaffRow()
  const thread = await aThread()
  await insert('staff_permissions', { staff_id: staff, permission_slug: 'staff.view' })
  const twice: [string, object][] = [
    ['tickets', { ...thread.ticketRow, ticket_number: thread.ticketNumber }],
    ['departments', { deptid: 4, name: 'Billing again' }],
    ['permissions', { slug: 'staff.view', name: 'View', description: 'View', category: 'Staff' }],
    ['refresh_tokens', thread.refreshTokenRow],
    ['ticket_attachments', thread.attachmentRow],
    ['staff_permissions', { staff_id: staff, permission_slug: 'staff.view' }]
  ]

  for (const [table, row] of twice) {
    await assert.rejects(insert(table, row), { code: uniqueViolation }, table)
  }
})

test('the database itself refuses what is not one of the allowed values', async () => {
  const { ticketRow, messageRow, attachmentRow, refreshTokenRow, client } = await aThread()
  const code = { client_id: client, target: 'x', code: 'x', expires_at: new Date() }
  const refused: [string, object][] = [
    ['clients', { ...person(), first_name: '' }],
    ['clients', { ...person(), last_name: '' }],
    ['clients', { ...person(), email: '' }],
    ['clients', { ...person(), two_factor_enabled: true }],
    ['staff', { ...person(), role: 'owner' }],
    ['staff', { ...person(), two_factor_enabled: true }],
    ['refresh_tokens', { ...refreshTokenRow, token: unique(), user_type: 'robot' }],
    ['verification_codes', { ...code, type: 'fax' }],
    ['departments', { deptid: 0, name: 'Nothing' }],
    ['departments', { deptid: 77, name: '' }],
    ['tickets', { ...ticketRow, subject: '' }],
    ['tickets', { ...ticketRow, priority: 'Urgent' }],
    ['tickets', { ...ticketRow, status: 'Lost' }],
    ['ticket_messages', { ...messageRow, sender_type: 'customer' }],
    ['ticket_attachments', { ...attachmentRow, file_path: unique(), file_name: '' }],
    ['ticket_attachments', { ...attachmentRow, file_path: unique(), file_size: -1 }],
    // A file belongs to a ticket or to a note.
    ['ticket_attachments', { ...attachmentRow, file_path: unique(), ticket_id: null }],
    ['ticket_attachments', { ...attachmentRow, file_path: unique(), note_id: 1 }]
  ]

  for (const [table, row] of refused) {
    await assert.rejects(insert(table, row), { code: checkViolation }, `${table} ${JSON.stringify(row)}`)
  }
})

test('each allowed value of the contract is allowed by the database', async () => {
  const { ticketRow, messageRow, client } = await aThread()

  for (const priority of ['Low', 'Medium', 'High', 'Critical']) await insert('tickets', { ...ticketRow, priority })
  for (const status of ['Open', 'In Progress', 'Answered', 'Customer-Reply', 'Closed']) {
    await insert('tickets', { ...ticketRow, status })
  }
  for (const sender_type of ['client', 'support', 'admin']) {
    await insert('ticket_messages', { ...messageRow, sender_type })
  }
  for (const type of ['email', 'phone']) {
    await insert('verification_codes', { client_id: client, type, target: 'x', code: 'x', expires_at: new Date() })
  }
})

test('nothing can name what is not there', async () => {
  const nobody = 9_000_000_000
  const staff = await aStaffRow()
  const { ticketRow, messageRow, attachmentRow } = await aThread()
  const refused: [string, object][] = [
    ['tickets', { ...ticketRow, client_id: nobody }],
    ['tickets', { ...ticketRow, department_id: nobody }],
    ['tickets', { ...ticketRow, assigned_staff_id: nobody }],
    ['ticket_messages', { ...messageRow, ticket_id: nobody }],
    ['ticket_attachments', { ...attachmentRow, file_path: unique(), ticket_id: nobody }],
    ['ticket_attachments', { ...attachmentRow, file_path: unique(), message_id: nobody }],
    ['staff_permissions', { staff_id: nobody, permission_slug: 'staff.view' }],
    ['staff_permissions', { staff_id: staff, permission_slug: 'staff.everything' }],
    ['verification_codes', { client_id: nobody, type: 'email', target: 'x', code: 'x', expires_at: new Date() }],
    ['sessions', { user_type: 'client', user_id: nobody }],
    ['sessions', { user_type: 'staff', user_id: nobody }]
  ]

  for (const [table, row] of refused) {
    await assert.rejects(insert(table, row), { code: foreignKeyViolation }, `${table} ${JSON.stringify(row)}`)
  }
  await assert.rejects(query('delete from departments where id = $1', [ticketRow.department_id]), {
    code: foreignKeyViolation
  })
})

test('a deleted client takes tickets, messages, attachments, codes and every session along, and nobody else', async () => {
  const gone = await aThread()
  const kept = await aThread()
  for (const { client } of [gone, kept]) {
    await insert('verification_codes', {
      client_id: client,
      type: 'email',
      target: 'x',
      code: 'x',
      expires_at: new Date()
    })
    await insert('reset_tokens', { client_id: client, email: 'x', expires_at: new Date() })
    await insert('login_challenges', { user_type: 'client', user_id: client, password: 'x', expires_at: new Date() })
  }

  await query('delete from clients where id = $1', [gone.client])

  assert.deepEqual(await belongings(gone), [0, 0, 0, 0, 0, 0, 0, 0])
  assert.deepEqual(await belongings(kept), [1, 1, 1, 1, 1, 1, 1, 1])
})

test('a deleted member of staff loses grants and sessions; tickets stay, unassigned, with what was written', async () => {
  const [gone, other] = [await aStaffRow(), await aStaffRow()]
  const { ticket, messageRow } = await aThread()
  await query('update tickets set assigned_staff_id = $1 where id = $2', [gone, ticket])
  await insert('ticket_messages', { ...messageRow, client_id: null, staff_id: gone, sender_type: 'support' })
  await insert('staff_permissions', { staff_id: gone, permission_slug: 'staff.view' })
  await insert('staff_permissions', { staff_id: other, permission_slug: 'staff.view', granted_by: gone })
  await insert('sessions', { user_type: 'staff', user_id: gone })

  await query('delete from staff where id = $1', [gone])

  assert.deepEqual(await query('select assigned_staff_id from tickets where id = $1', [ticket]), [
    { assigned_staff_id: null }
  ])
  assert.equal((await query('select from ticket_messages where ticket_id = $1', [ticket])).length, 2)
  assert.deepEqual(await query('select granted_by from staff_permissions where staff_id in ($1, $2)', [gone, other]), [
    { granted_by: null }
  ])
  assert.deepEqual(await query('select from sessions where staff_id = $1', [gone]), [])
})

test('attachments go with their message, and both go with their ticket', async () => {
  const [first, second] = [await aThread(), await aThread()]

  await query('delete from ticket_messages where id = $1', [first.message])
  await query('delete from tickets where id = $1', [second.ticket])

  assert.deepEqual((await belongings(first)).slice(0, 3), [1, 0, 0])
  assert.deepEqual((await belongings(second)).slice(0, 3), [0, 0, 0])
})

test('the number of clients is kept, whatever is added and deleted', async () => {
  const added = [await aClientRow(), await aClientRow(), await aClientRow()]
  await query('delete from clients where id = any($1)', [added.slice(1)])

  const [{ kept, counted }] = await query(
    'select (select sum(clients) from client_counts) as kept, (select count(*) from clients) as counted'
  )

  assert.equal(kept, counted)
})

test('ticket numbers are TIC- and six digits, differ, and do not tell how many there are', async () => {
  const [{ all, distinct, shaped }] = await query(
    `select count(*) as all, count(distinct number) as distinct, count(*) filter (where number ~ '^TIC-\\d{6}$') as shaped
     from (select ticket_number(n) as number from generate_series(1, 20000) as n) numbers`
  )
  const numbers = await query(`select substr(ticket_number(n), 5)::int as number from generate_series(1, 50) as n`)
  const [{ seven }] = await query('select ticket_number(1000001) as seven')

  assert.deepEqual([distinct, shaped], [all, all])
  assert.ok(numbers.every(({ number }, at) => at === 0 || Math.abs(number - numbers[at - 1].number) > 1))
  assert.match(seven, /^TIC-\d{7}$/)
})

test('every reference to another table can be followed backwards by an index', async () => {
  const bare = await query(
    `select conrelid::regclass || '.' || attname as reference
     from pg_constraint join pg_attribute on attrelid = conrelid and attnum = conkey[1]
     where contype = 'f' and connamespace = 'public'::regnamespace
       and not exists (select from pg_index where indrelid = conrelid and indkey[0] = conkey[1])`
  )

  // Nothing is ever removed from the catalogue.
  assert.deepEqual(bare, [{ reference: 'staff_permissions.permission_slug' }])
})

const uniqueViolation = '23505'
const checkViolation = '23514'
const foreignKeyViolation = '23503'
let serial = 0

function unique(): string {
  return `row.${++serial}`
}

// biome-ignore lint/suspicious/noExplicitAny: rows of every shape.
async function query(text: string, values: unknown[] = []): Promise<any[]> {
  return (await pool.query(text, values)).rows
}

/** Inserts a row and answers its id. */
async function insert(table: string, row: object): Promise<number> {
  const places = Object.keys(row).map((_, at) => `$${at + 1}`)
  const text = `insert into ${table} (${Object.keys(row).join(', ')}) values (${places.join(', ')}) returning id`
  return (await query(text, Object.values(row)))[0].id
}

function person(): object {
  return { first_name: 'Ada', last_name: 'Lovelace', email: `${unique()}@example.com`, password: 'x' }
}

async function aClientRow(given: object = {}): Promise<number> {
  return await insert('clients', { ...person(), ...given })
}

async function aStaffRow(given: object = {}): Promise<number> {
  return await insert('staff', { ...person(), ...given })
}

/** A client with a session, and a ticket with a message and a file; the rows as they were inserted. */
async function aThread() {
  const client = await aClientRow()
  const ticketRow = { client_id: client, department_id: 4, subject: 'Invoice' }
  const ticket = await insert('tickets', ticketRow)
  const messageRow = {
    ticket_id: ticket,
    client_id: client,
    sender_first_name: 'Ada',
    sender_last_name: 'Lovelace',
    message: 'Twice'
  }
  const message = await insert('ticket_messages', messageRow)
  const attachmentRow = {
    ticket_id: ticket,
    message_id: message,
    file_name: 'invoice.pdf',
    file_path: unique(),
    file_type: 'application/pdf',
    sha256: 'f'.repeat(64)
  }
  await insert('ticket_attachments', attachmentRow)
  const session = await insert('sessions', { user_type: 'client', user_id: client })
  const refreshTokenRow = { session_id: session, user_id: client, token: unique(), expires_at: new Date() }
  await insert('refresh_tokens', refreshTokenRow)
  const [{ ticket_number: ticketNumber }] = await query('select ticket_number from tickets where id = $1', [ticket])
  return { client, ticket, ticketNumber, message, session, ticketRow, messageRow, attachmentRow, refreshTokenRow }
}

/** The numbers of tickets, messages, attachments, codes, reset tokens, challenges, sessions and refresh tokens. */
async function belongings(thread: { client: number; ticket: number; session: number }): Promise<number[]> {
  const [counts] = await query(
    `select (select count(*) from tickets where id = $2), (select count(*) from ticket_messages where ticket_id = $2) as m,
       (select count(*) from ticket_attachments where ticket_id = $2) as a,
       (select count(*) from verification_codes where client_id = $1) as v,
       (select count(*) from reset_tokens where client_id = $1) as r,
       (select count(*) from login_challenges where client_id = $1) as l,
       (select count(*) from sessions where client_id = $1) as s,
       (select count(*) from refresh_tokens where session_id = $3) as t`,
    [thread.client, thread.ticket, thread.session]
  )
  return Object.values(counts)
}
