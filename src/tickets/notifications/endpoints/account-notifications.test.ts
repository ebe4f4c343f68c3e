import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, aSupporter } from '../../../../test/support/people.ts'
import { sequencedDatabase } from '../../../../test/support/sequenced-database.ts'

const desk = await bootDesk()
const path = '/api/account/notifications'

test('everybody gets every e-mail until they say otherwise, and what they say is kept and recorded', async () => {
  const ada = await aClient(desk)
  const grace = await aSupporter(desk)
  const initially = [await desk.post(path, ada), await desk.post(path, grace)]

  await desk.post(path, ada, { ticket_emails: 0 })
  await desk.post(path, grace, { mention_emails: 0 })

  const all = { assignment_emails: 1, mention_emails: 1, customer_reply_emails: 1 }
  assert.deepEqual(
    initially.map(({ data }) => data),
    [{ ticket_emails: 1, automatic_emails: 1, rating_emails: 1 }, all]
  )
  assert.deepEqual((await desk.post(path, ada)).data, { ticket_emails: 0, automatic_emails: 1, rating_emails: 1 })
  assert.deepEqual((await desk.post(path, grace)).data, { ...all, mention_emails: 0 })
  const recorded = await (await sequencedDatabase(desk))
    .selectFrom('audit_log')
    .select(['action', 'before', 'after'])
    .orderBy('id')
    .execute()
  assert.deepEqual(recorded, [
    { action: 'notifications.changed', before: { ticket_emails: 1 }, after: { ticket_emails: 0 } },
    { action: 'notifications.changed', before: { mention_emails: 1 }, after: { mention_emails: 0 } }
  ])
})

test('what is so already is no change, and the e-mails of others are refused by name', async () => {
  const ada = await aClient(desk)
  const before = await desk.rowCounts()

  const same = await desk.post(path, ada, { ticket_emails: 1 })
  const foreign = await desk.post(path, ada, { ticket_emails: 0, mention_emails: 0 })

  assert.deepEqual([same.status, foreign.status, foreign.body.errors], [200, 400, ['mention_emails']])
  assert.deepEqual((await desk.post(path, ada)).data, { ticket_emails: 1, automatic_emails: 1, rating_emails: 1 })
  assert.deepEqual(await desk.rowCounts(), before)
})
