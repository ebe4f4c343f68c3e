import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anApiToken } from '../../../test/support/api-tokens.ts'
import { bootDesk } from '../../../test/support/desk.ts'
import { aClient, anAdmin, aSupporter, type Person } from '../../../test/support/people.ts'
import { notifyOfEnds } from './notify-of-ends.ts'

const desk = await bootDesk({ connections: 5 })
const day = 86_400

async function aToken(owner: Person, name: string, days?: number) {
  const expires_at = days && new Date(desk.clock.now().getTime() + days * day * 1000).toISOString()
  const { api_token, token } = await anApiToken(desk, owner, { name, ...(days ? { expires_at } : {}) })
  return { id: api_token.id, token }
}

/** Those who were told, with the texts. */
async function told() {
  await notifyOfEnds(desk.services)
  const { emails } = await desk.deliver()
  return emails.filter(({ text }) => /last characters|API-Schlüssel bei/.test(text))
}

test('a token is renamed by its owner alone, and goes on; a name that another one has is refused', async () => {
  const [owner, other] = [await aClient(desk), await aClient(desk)]
  const [{ id, token }] = [await aToken(owner, 'Export'), await aToken(owner, 'Import')]
  const rename = (person: Person, body: object) => desk.post('/api/account/tokens/rename', person, { id, ...body })

  const renamed = await rename(owner, { name: 'Export at night' })
  const taken = await rename(owner, { name: 'Import' })
  const stranger = await rename(other, { name: 'Mine' })

  assert.deepEqual([renamed.status, renamed.data.api_token.name], [200, 'Export at night'])
  assert.deepEqual([taken.status, taken.body.errors], [409, ['name']])
  assert.deepEqual([stranger.status, stranger.body.reason], [404, 'token_not_found'])
  assert.equal((await desk.post('/api/account/profile', { token })).status, 200)
  const { api_tokens } = (await desk.post('/api/account/tokens/list', owner)).data
  assert.deepEqual(
    api_tokens.map(({ name }: { name: string }) => name),
    ['Import', 'Export at night']
  )
})

test('a token’s owner is told once, two weeks before its end; of one of a service account, whoever made it', async () => {
  const [client, supporter, admin] = [await aClient(desk), await aSupporter(desk), await anAdmin(desk)]
  await desk.post('/api/account/profile/update', client, { language: 'de' })
  const own = await aToken(client, 'Buy now at evil.example', 30)
  await aToken(supporter, 'of staff', 30)
  await aToken(client, 'short', 3)
  await aToken(client, 'for ever')
  const revoked = await aToken(client, 'revoked', 30)
  await desk.post('/api/account/tokens/revoke', client, { id: revoked.id })
  const made = await desk.post('/api/admin/service-accounts/create', admin, { name: 'Shop' })
  const expires_at = new Date(desk.clock.now().getTime() + 30 * day * 1000).toISOString()
  const body = { id: made.data.service_account.id, name: 'Orders', expires_at }
  assert.equal((await desk.post('/api/admin/service-accounts/tokens/create', admin, body)).status, 201)

  assert.deepEqual(await told(), [])
  desk.clock.turn(17 * day)
  const emails = await told()

  assert.deepEqual(emails.map(({ to }) => to).toSorted(), [client.email, supporter.email, admin.email].toSorted())
  const toClient = emails.find(({ to }) => to === client.email)!
  assert.match(toClient.text, new RegExp(`auf ${own.token.slice(-4)} endet, gilt noch 13\\s+Tage`))
  assert.doesNotMatch(toClient.text, /evil/)
  assert.match(emails.find(({ to }) => to === admin.email)!.text, /\/desk\/api-access/)
  assert.equal((await told()).length, 3)
  desk.clock.turn(-17 * day)
})
