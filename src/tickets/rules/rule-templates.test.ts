import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootRulesDesk } from '../../../test/support/rules.ts'
import { ticketRow } from '../../../test/support/tickets.ts'

const { desk, admin, opened, outcomes, runsOf } = await bootRulesDesk({ config: { TEST_CLOCK: true } })

interface Template {
  key: string
  name: string
  rule: { name: string }
  needs: { kind: string; at: string }[]
}

const days = async (count: number) => {
  const reply = await desk.post('/api/test/clock', admin, { advance_seconds: count * 86_400 })
  assert.equal(reply.status, 200, reply.body.message)
}
const templates = async (): Promise<Template[]> => {
  const reply = await desk.post('/api/admin/rules/templates/list', admin)
  assert.equal(reply.status, 200, reply.body.message)
  return reply.data.templates
}

test('where a desk has neither tags nor organisations, each template is created as it is, and a tag with the one that names it', async () => {
  for (const { rule } of await templates()) {
    const reply = await desk.post('/api/admin/rules/create', admin, rule)
    assert.equal(reply.status, 201, `${rule.name}: ${reply.body.message}`)
    await desk.post('/api/admin/rules/delete', admin, { id: reply.data.rule.id })
  }
  const { tags } = (await desk.post('/api/admin/tags/list', admin)).data
  assert.deepEqual(
    tags.map(({ name }: { name: string }) => name),
    ['vip']
  )
})

test('a rule that names a tag that there is not is refused unless it asks for it, and creates it once', async () => {
  const rule = { name: 'Tags', trigger: { events: ['ticket.created'] }, actions: [{ add_tags: ['brand new', 'VIP'] }] }
  const refused = await desk.post('/api/admin/rules/create', admin, rule)
  assert.deepEqual([refused.status, refused.body.errors], [400, ['actions.0.add_tags']])
  const made = await desk.post('/api/admin/rules/create', admin, { ...rule, create_tags: 1 })
  assert.deepEqual(made.data.rule.actions, [{ add_tags: ['brand new', 'vip'] }])
  await desk.post('/api/admin/rules/delete', admin, { id: made.data.rule.id })
})

test('each template is created as it is, inactive, and tickets are closed after a warning', async () => {
  await desk.post('/api/admin/tags/create', admin, { name: 'gold' })
  const made = await desk.post('/api/admin/organisations/create', admin, { name: 'Acme' })
  assert.equal(made.status, 201, made.body.message)
  const rules = new Map<string, number>()
  for (const { key, rule, name } of await templates()) {
    const reply = await desk.post('/api/admin/rules/create', admin, rule)
    assert.equal(reply.status, 201, `${key}: ${reply.body.message}`)
    assert.deepEqual([reply.data.rule.name, reply.data.rule.is_active], [name, 0])
    rules.set(key, reply.data.rule.id)
  }
  const switchOn = async (...keys: string[]) => {
    for (const key of keys) {
      const reply = await desk.post('/api/admin/rules/update', admin, { id: rules.get(key), is_active: 1 })
      assert.equal(reply.status, 200, reply.body.message)
    }
  }
  await switchOn('warn_before_close', 'auto_close', 'keyword_to_department')
  const ticket = await opened()
  const answered = await desk.post('/api/admin/tickets/reply', admin, { id: ticket, message: 'An answer' })
  assert.equal(answered.status, 201, answered.body.message)

  await days(4)
  assert.deepEqual(await outcomes(ticket), [])
  await days(2)
  assert.deepEqual(await outcomes(ticket), [[rules.get('warn_before_close'), 'ran', 0]])
  assert.deepEqual((await runsOf(ticket))[0].detail.actions, [{ email_client: 'done', from: null, to: null }])
  assert.equal((await ticketRow(desk, ticket)).status, 'Answered')
  await days(2)
  assert.equal((await ticketRow(desk, ticket)).status, 'Closed')
})
