import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { aField } from './support/fields.ts'
import { aRule, bootRulesDesk, runRules } from './support/rules.ts'

const page = await readFile(join(import.meta.dirname, '../docs/rules-by-example.md'), 'utf8')
const examples = page
  .split(/^## /m)
  .slice(1)
  .map(section => ({
    title: section.slice(0, section.indexOf('\n')),
    blocks: Object.fromEntries(
      [...section.matchAll(/^```json (\w+)\n(.*?)^```/gms)].map(([, name, text]) => [name, text])
    )
  }))
  .filter(({ blocks }) => blocks.rule !== undefined)

const { desk, ada, admin, grace, runsOf } = await bootRulesDesk({ config: { TEST_CLOCK: true } })
const sent = async (path: string, body: object) => {
  const reply = await desk.post(path, path.startsWith('/api/tickets/') ? ada : admin, body)
  assert.ok(reply.status < 300, `${path}: ${reply.body.message}`)
  return reply.data
}

await sent('/api/test/clock', { now: '2030-03-11T09:00:00Z' })
await sent('/api/admin/departments/create', { name: 'Billing', deptid: 2 })
await sent('/api/admin/departments/members', { id: 1, staff_ids: [grace.id] })
await sent('/api/admin/organisations/create', { name: 'Acme' })
await sent('/api/admin/clients/update', { id: ada.id, organisation_id: 1 })
await sent('/api/admin/tags/create', { name: 'vip' })
await aField(desk, admin, { key: 'contract_end', kind: 'date', client_access: 'read' })

for (const { title, blocks } of examples) {
  test(`the example does what the page says: ${title}`, async () => {
    const rule = await aRule(desk, admin, JSON.parse(blocks.rule!))
    let ticket = 0
    for (const [path, body] of Object.entries<object>(JSON.parse(blocks.when!))) {
      ticket = (await sent(path, 'id' in body ? { ...body, id: ticket } : body)).ticket_id ?? ticket
      await runRules(desk)
    }
    const runs = await runsOf(ticket)
    await sent('/api/admin/rules/delete', { id: rule.id })

    assert.deepEqual(
      runs.map(({ outcome, detail: { actions } }) => ({ outcome, actions: actions.map(withoutNumber) })),
      [JSON.parse(blocks.run!)]
    )
  })
}

/** The number of a new ticket is another one each time. */
function withoutNumber(action: { split_off?: string; to: unknown }) {
  return action.split_off ? { ...action, to: 'TKT-000000' } : action
}

test('the page has its examples', () => {
  assert.equal(examples.length, 10)
})
