import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { testDatabase } from '../../../test/support/database.ts'

const { db } = await testDatabase()

async function ticketNumbers(from: number, to: number): Promise<string[]> {
  const { rows } = await sql<{ ticket_number: string }>`
    select ticket_number(place) from generate_series(${from}::bigint, ${to}::bigint) as place`.execute(db)
  return rows.map(row => row.ticket_number)
}

test('up to a million, ticket numbers are TIC- and six digits, all distinct', async () => {
  const numbers = [...(await ticketNumbers(1, 5000)), ...(await ticketNumbers(995_001, 1_000_000))]

  assert.equal(new Set(numbers).size, 10_000)
  assert.ok(numbers.every(number => /^TIC-\d{6}$/.test(number)))
})

test('past a million and past ten millions there are seven and eight digits, still distinct, and none comes again', async () => {
  const ranges = [
    { from: 1_000_001, to: 1_005_000, shape: /^TIC-[1-9]\d{6}$/ },
    { from: 9_995_001, to: 10_000_000, shape: /^TIC-[1-9]\d{6}$/ },
    { from: 10_000_001, to: 10_005_000, shape: /^TIC-[1-9]\d{7}$/ },
    { from: 99_995_001, to: 100_000_000, shape: /^TIC-[1-9]\d{7}$/ }
  ]
  const all = new Set<string>()

  for (const { from, to, shape } of ranges) {
    const numbers = await ticketNumbers(from, to)
    assert.ok(
      numbers.every(number => shape.test(number)),
      `${from}: ${numbers.find(number => !shape.test(number))}`
    )
    for (const number of numbers) all.add(number)
  }

  assert.equal(all.size, 20_000)
})

test('ticket numbers do not tell how many tickets there are', async () => {
  const numbers = (await ticketNumbers(1, 1000)).map(number => Number(number.slice(4)))

  const ascents = numbers.slice(1).filter((number, at) => number > numbers[at]!).length
  const smallSteps = numbers.slice(1).filter((number, at) => Math.abs(number - numbers[at]!) < 1000).length

  assert.ok(ascents > 400 && ascents < 600, `${ascents} of 999 are larger than the one before`)
  assert.ok(smallSteps < 20, `${smallSteps} of 999 lie close to the one before`)
})
