import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { aRule, bootRulesDesk, runRules } from '../../../test/support/rules.ts'
import { aWebhookReceiver } from '../../../test/support/webhook-receivers.ts'
import { aWebhook, localReceivers } from '../../../test/support/webhooks.ts'
import { keepDelivering } from '../../outward/webhooks/keep-delivering.ts'

const { desk, admin, opened, outcomes } = await bootRulesDesk({ config: localReceivers })

test('a webhook that hangs holds up no rule: the one that calls it, the next one and those of later tickets run', async () => {
  const hanging = await aWebhookReceiver()
  hanging.answer = () => {}
  const { id: webhook } = await aWebhook(desk, admin, { url: hanging.url, kinds: ['ticket.purged'] })
  const calls = await aRule(desk, admin, { name: 'Tell the warehouse', actions: [{ webhook }] })
  const next = await aRule(desk, admin, { name: 'Urgent first', actions: [{ set_priority: 'High' }] })
  const stopping = new AbortController()
  after(() => stopping.abort())
  const done = [
    [calls.id, 'ran', 0],
    [next.id, 'ran', 0]
  ]

  const first = await opened()
  await runRules(desk)
  const delivering = keepDelivering(desk.services, stopping.signal)
  // From here on its receiver has a call that it does not answer.
  await hanging.got(1)
  const second = await opened()
  await runRules(desk)
  const whileItHangs = [await outcomes(first), await outcomes(second)]
  const unanswered = hanging.requests.length
  stopping.abort()
  await delivering

  assert.deepEqual(whileItHangs, [done, done])
  assert.ok(unanswered >= 1)
  const { data } = await desk.post('/api/admin/tickets/detail', admin, { id: second })
  assert.equal(data.ticket.priority, 'High')
})
