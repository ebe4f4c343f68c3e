import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { testDatabase } from '../../../test/support/database.ts'
import { parseTimestamp } from './parse-timestamp.ts'

const ofPg = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ) as (text: string) => Date | number

test('moments are read as pg reads them, whatever the database writes for them', async () => {
  const { db } = await testDatabase()
  const { rows } = await sql<{ text: string }>`
    select moment::text as text from (values ('epoch'::timestamptz), ('infinity'), ('-infinity'), ('0044-03-15 12:00 BC'),
      ('0099-12-31 23:59:59.9'), ('12026-11-20 08:28:31'), ('9999-12-31 23:59:59.999999')) as rare (moment)
    union all select ('2026-02-28 23:59:59'::timestamptz + n * interval '13 hours 7 minutes 1.000457 seconds')::text
    from generate_series(-3000, 3000) as n
    union all select ('2024-02-29 00:00:00'::timestamptz + n * interval '0.01 seconds')::text from generate_series(0, 120) as n
    `.execute(db)

  for (const { text } of rows) assert.equal(Number(parseTimestamp(text)), Number(ofPg(text)), text)
  assert.equal(Number(parseTimestamp('2026-11-20 08:28:31.5+05:30')), Date.parse('2026-11-20T02:58:31.500Z'))
  assert.equal(rows.length, 6129)
})
