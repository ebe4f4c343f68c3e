import assert from 'node:assert/strict'
import { test } from 'node:test'
import { permissionSlugs } from '../src/core/permissions.ts'
import { testDatabase } from './support/database.ts'

const { pool } = await testDatabase()

// Every field of the contract's resource tables, in its order.
const contract: Record<string, Record<string, string>> = {
  clients: {
    id: 'bigint generated',
    first_name: 'varchar(100)',
    last_name: 'varchar(100)',
    email: 'varchar(255)',
    phone_number: "varchar(30) default ''",
    company_name: "varchar(150) default ''",
    street_address: "varchar(255) default ''",
    street_address_2: "varchar(255) default ''",
    city: "varchar(100) default ''",
    state: "varchar(100) default ''",
    postcode: "varchar(20) default ''",
    password: 'varchar(255)',
    is_active: 'boolean default true',
    two_factor_enabled: 'boolean default false',
    two_factor_secret: 'varchar(255) null',
    profile_picture: 'varchar(255) null',
    is_email_verified: 'boolean default false',
    is_phone_verified: 'boolean default false',
    created_at: 'timestamptz default now()',
    updated_at: 'timestamptz default now()'
  },
  staff: {
    id: 'bigint generated',
    first_name: 'varchar(100)',
    last_name: 'varchar(100)',
    email: 'varchar(255)',
    phone_number: 'varchar(30) null',
    password: 'varchar(255)',
    role: "text default 'supporter'",
    is_active: 'boolean default true',
    two_factor_enabled: 'boolean default false',
    two_factor_secret: 'varchar(255) null',
    profile_picture: 'varchar(255) null',
    created_at: 'timestamptz default now()',
    updated_at: 'timestamptz default now()'
  },
  refresh_tokens: {
    id: 'bigint generated',
    user_id: 'bigint',
    user_type: "text default 'client'",
    token: 'text',
    expires_at: 'timestamptz',
    is_revoked: 'boolean default false',
    user_agent: 'varchar(255) null',
    ip_address: 'varchar(45) null',
    created_at: 'timestamptz default now()',
    updated_at: 'timestamptz default now()'
  },
  verification_codes: {
    id: 'bigint generated',
    client_id: 'bigint',
    type: 'text',
    target: 'varchar(255)',
    code: 'varchar(20)',
    expires_at: 'timestamptz',
    is_used: 'boolean default false',
    created_at: 'timestamptz default now()',
    updated_at: 'timestamptz default now()'
  },
  departments: {
    id: 'bigint generated',
    deptid: 'bigint',
    name: 'varchar(100)',
    description: 'varchar(255) null',
    is_active: 'boolean default true',
    created_at: 'timestamptz default now()'
  },
  tickets: {
    id: 'bigint generated',
    ticket_number: "varchar(30) default ticket_number(nextval('ticket_numbers'))",
    client_id: 'bigint',
    department_id: 'bigint',
    assigned_staff_id: 'bigint null',
    subject: 'varchar(255)',
    priority: "text default 'Medium'",
    status: "text default 'Open'",
    created_at: 'timestamptz default now()',
    updated_at: 'timestamptz default now()'
  },
  ticket_messages: {
    id: 'bigint generated',
    ticket_id: 'bigint',
    client_id: 'bigint null',
    staff_id: 'bigint null',
    sender_type: "text default 'client'",
    message: 'text',
    created_at: 'timestamptz default now()'
  },
  ticket_attachments: {
    id: 'bigint generated',
    // Files of notes have none: they are not the contract's attachments of tickets, each of which has one.
    ticket_id: 'bigint null',
    message_id: 'bigint null',
    file_name: 'varchar(255)',
    file_path: 'varchar(500)',
    file_type: 'varchar(100)',
    file_size: 'bigint default 0',
    created_at: 'timestamptz default now()'
  },
  permissions: {
    id: 'bigint generated',
    slug: 'varchar(100)',
    name: 'varchar(150)',
    description: 'varchar(255)',
    category: 'varchar(50)',
    created_at: 'timestamptz default now()'
  },
  staff_permissions: {
    id: 'bigint generated',
    staff_id: 'bigint',
    permission_slug: 'varchar(100)',
    granted_by: 'bigint null',
    created_at: 'timestamptz default now()'
  }
}

for (const [table, fields] of Object.entries(contract)) {
  test(`${table} has every field of the contract with its length, default and nullability`, async () => {
    const rows = await query(
      `select attname as name, format_type(atttypid, atttypmod) as type, attnotnull as is_needed,
         attidentity <> '' as is_generated, pg_get_expr(adbin, adrelid) as fallback
       from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
       where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
      [table]
    )

    const found = Object.fromEntries(rows.map(row => [row.name, described(row)]))

    assert.deepEqual(Object.fromEntries(Object.keys(fields).map(name => [name, found[name]])), fields)
  })
}

test('the four departments of the contract are there, each with a description', async () => {
  const departments = await query(
    'select id, deptid, name, is_active, description from departments order by deptid limit 4'
  )

  assert.deepEqual(
    departments.map(({ id, deptid, name, is_active }) => [id, deptid, name, is_active]),
    [
      [1, 1, 'Technical Support', true],
      [4, 4, 'Billing Department', true],
      [5, 5, 'Sales & Pre Sales Department', true],
      [6, 6, 'Abuse Department', true]
    ]
  )
  assert.ok(departments.every(({ description }) => description?.length > 10))
  const [later] = await query("insert into departments (deptid, name) values (900, 'Later') returning id")
  assert.ok(later.id > 6)
})

test('the catalogue holds the twelve permissions of the contract by category', async () => {
  const rows = await query('select slug, category from permissions order by id')

  assert.deepEqual(
    rows.map(({ slug }) => slug),
    permissionSlugs
  )
  assert.equal(rows.length, 12)
  for (const { slug, category } of rows) assert.equal(category.toLowerCase(), slug.split('.')[0])
})

// biome-ignore lint/suspicious/noExplicitAny: rows of every shape.
async function query(text: string, values: unknown[] = []): Promise<any[]> {
  return (await pool.query(text, values)).rows
}

function described(row: { type: string; is_needed: boolean; is_generated: boolean; fallback: string | null }): string {
  const type = row.type.replace('character varying', 'varchar').replace('timestamp with time zone', 'timestamptz')
  if (row.is_generated) return `${type} generated`
  const fallback = row.fallback?.replaceAll(/::(regclass|text|character varying|bigint)/g, '')
  return `${type}${row.is_needed ? '' : ' null'}${fallback ? ` default ${fallback}` : ''}`
}
