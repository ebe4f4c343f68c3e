import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bootDesk } from '../../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter } from '../../../../test/support/people.ts'
import { staffResetPage } from '../../credentials/reset-page.ts'

const desk = await bootDesk({ config: { DISCLOSE_CODES: true, MAX_RESET_MAILS: 3 } })
const path = '/api/admin/auth/forgot-password'

test('a member of staff gets an e-mail with a link, and the answer tells nothing of it, though codes are disclosed', async () => {
  const grace = await aSupporter(desk)

  const { status, body } = await desk.post(path, undefined, { email: grace.email.toUpperCase() })

  assert.equal(status, 200)
  assert.deepEqual(Object.keys(body), ['status', 'code', 'message'])
  const { emails } = await desk.deliver()
  const message = emails.find(each => each.to === grace.email)!
  const link = new URL(message.text.match(/https?:\S+/)![0])
  assert.equal(message.subject, 'Choose a new password')
  assert.equal(link.origin + link.pathname, desk.services.config.RESET_URL)
  assert.deepEqual([link.searchParams.get('population'), link.searchParams.get('email')], ['staff', grace.email])
  assert.match(link.searchParams.get('token')!, /^[\w-]+\.[\w-]+\.[\w-]+$/)
})

test('an unknown address, a client’s and a deactivated member’s get the same answer, and no e-mail', async () => {
  const [grace, ada, gone] = [await aSupporter(desk), await aClient(desk), await aSupporter(desk)]
  await desk.post('/api/admin/staff/update', await anAdmin(desk), { id: gone.id, is_active: 0 })
  const known = await desk.post(path, undefined, { email: grace.email })
  const sent = (await desk.deliver()).emails.length

  for (const email of ['nobody@example.com', ada.email, gone.email]) {
    const { status, body } = await desk.post(path, undefined, { email })

    assert.deepEqual([status, body], [known.status, known.body], email)
  }
  assert.equal((await desk.deliver()).emails.length, sent)
})

test('asked for too often, it is a 429 for any address alike, until the time is over', async () => {
  const grace = await aSupporter(desk)

  for (const email of [grace.email, 'noone@example.com']) {
    const statuses = []
    for (let time = 0; time < 4; time++) statuses.push((await desk.post(path, undefined, { email })).status)

    assert.deepEqual(statuses, [200, 200, 200, 429], email)
  }
  desk.clock.turn(desk.services.config.GUESS_WINDOW_SECONDS + 1)
  assert.equal((await desk.post(path, undefined, { email: grace.email })).status, 200)
})

test('the link leads to STAFF_RESET_URL, or to RESET_URL with what is in its query', () => {
  const RESET_URL = 'https://desk.example.com/reset?lang=en#form'

  const own = staffResetPage({ RESET_URL, STAFF_RESET_URL: 'https://staff.example.com/reset' })
  const shared = staffResetPage({ RESET_URL, STAFF_RESET_URL: '' })

  assert.equal(own.href, 'https://staff.example.com/reset')
  assert.equal(shared.href, 'https://desk.example.com/reset?lang=en&population=staff#form')
})
