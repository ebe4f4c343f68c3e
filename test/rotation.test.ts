import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { buildApp } from '../src/app.ts'
import { makeKeys } from '../src/core/keys.ts'
import { resealWidgetSecrets, widgetSecrets } from '../src/help/widget/secrets.ts'
import { jobHandlers } from '../src/job-handlers.ts'
import { resealWebhookSecrets } from '../src/outward/webhooks/reseal-webhook-secrets.ts'
import { signedHeaders } from '../src/outward/webhooks/secrets.ts'
import { resealSecrets } from '../src/people/auth/reseal-secrets.ts'
import { canOpenSecrets } from '../src/people/auth/sealed-secrets.ts'
import { codeAt, turnTwoFactorOn } from './support/authenticator.ts'
import { bootDesk } from './support/desk.ts'
import { aClient, anAdmin } from './support/people.ts'
import { type Poster, poster } from './support/requests.ts'
import { aFile, aTicket } from './support/tickets.ts'

const [former, current] = ['the former secret of this installation', 'the current secret of this installation']
const desk = await bootDesk({ services: { keys: makeKeys([former]) } })
const both = makeKeys([current, former])

test('whatever was given out or stored before a rotation of APP_SECRET works after it', async () => {
  const client = await aClient(desk)
  const secret = await turnTwoFactorOn(desk, client)
  const credentials = { email: client.email, password: client.password }
  const { temp_token } = (await desk.post('/api/auth/login', undefined, credentials)).data
  const { reset_token } = (await desk.post('/api/auth/forgot-password', undefined, { email: client.email })).data
  const { code } = (await desk.post('/api/auth/send-email-verification', client)).data
  const { attachments } = await aTicket(desk, client, {}, [aFile('a.txt')])
  const { url } = (await desk.post('/api/tickets/attachment-link', client, { id: attachments[0].id })).data
  const rotated = await servedWith(both)

  const list = await rotated.post('/api/tickets/list', client)
  const refreshed = await rotated.post('/api/auth/refresh', undefined, { refresh_token: client.refresh_token })
  const verified = await rotated.post('/api/auth/verify-email', client, { code })
  const loggedIn = await rotated.post('/api/auth/2fa/verify-login', undefined, {
    temp_token,
    code: codeAt(secret, desk.clock.now(), 1)
  })
  const download = await fetch(rotated.url + new URL(url).pathname + new URL(url).search)
  const reset = await rotated.post('/api/auth/reset-password', undefined, {
    token: reset_token,
    new_password: 'battery staple'
  })

  assert.deepEqual(
    [list, refreshed, verified, loggedIn, download, reset].map(({ status }) => status),
    [200, 200, 200, 200, 200, 200]
  )
  await rotated.drain()
  // The code, the link, and that the password was changed.
  assert.equal(desk.outbox.emails.length, 3)
})

test('after a rotation the new secret alone signs, and once resealed the former one can go', async () => {
  const [client, admin] = [await aClient(desk), await anAdmin(desk)]
  const [clientSecret, adminSecret] = [await turnTwoFactorOn(desk, client), await turnTwoFactorOn(desk, admin)]
  const pending = (await desk.post('/api/auth/2fa/setup', await aClient(desk))).data.secret
  const { webhook } = (await desk.post('/api/admin/webhooks/create', admin, { url: 'https://192.0.3.1/' })).data
  const { secret: widgetSecret } = (await desk.post('/api/admin/widget/rotate', admin)).data
  const services = { ...desk.services, keys: both }

  const resealed = await resealSecrets(services)
  const again = await resealSecrets(services)
  const webhooks = [await resealWebhookSecrets(services), await resealWebhookSecrets(services)]
  const widget = [await resealWidgetSecrets(services), await resealWidgetSecrets(services)]
  const alone = await servedWith(makeKeys([current]))
  const logIn = (path: string, { email, password }: typeof client, two_factor_code: string) =>
    alone.post(path, undefined, { email, password, two_factor_code })

  // Those of this test, and the one of the test before.
  assert.deepEqual([resealed, again], [4, 0])
  assert.deepEqual(webhooks, [1, 0])
  assert.deepEqual(widget, [1, 0])
  const onlyCurrent = { db: desk.db, keys: makeKeys([current]) }
  assert.deepEqual(await widgetSecrets(onlyCurrent, desk.clock.now()), [widgetSecret])
  const message = { webhookId: webhook.id, messageId: '1', body: '{}', now: desk.clock.now() }
  assert.match((await signedHeaders(makeKeys([current]), desk.db, message))['webhook-signature']!, /^v1,/)
  await assert.rejects(signedHeaders(makeKeys([former]), desk.db, message), /does not open/)
  assert.ok(pending)
  assert.equal(await canOpenSecrets({ db: desk.db, keys: makeKeys([current]) }), true)
  const code = (secret: string) => codeAt(secret, desk.clock.now(), 1)
  assert.equal((await logIn('/api/auth/login', client, code(clientSecret))).status, 200)
  assert.equal((await logIn('/api/admin/auth/login', admin, code(adminSecret))).status, 200)
  assert.equal((await alone.post('/api/tickets/list', client)).status, 401)
})

/** The same installation served with other keys. */
async function servedWith(
  keys: ReturnType<typeof makeKeys>
): Promise<{ url: string; post: Poster; drain(): Promise<void> }> {
  const services = { ...desk.services, keys }
  const app = await buildApp(services)
  await app.listen({ port: 0, host: '127.0.0.1' })
  after(async () => {
    app.server.closeAllConnections()
    await app.close()
  })
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const jobs = desk.services.jobs as unknown as { drain(...of: unknown[]): Promise<void> }
  return { url, post: poster(url), drain: () => jobs.drain(desk.db, jobHandlers(services), { early: false }) }
}
