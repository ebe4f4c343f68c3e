import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { aTemporaryFolder, runQuery } from '../support/backups.ts'
import { databaseUrl, testDatabase } from '../support/database.ts'
import { run } from '../support/program.ts'

async function anInstallation() {
  const folder = await aTemporaryFolder()
  const url = databaseUrl((await testDatabase()).connection)
  return { folder, url, env: { DATA_DIR: join(folder, 'data'), DATABASE_URL: url } }
}

const file = {
  tags: [{ name: 'vip', color: '#112233' }],
  calendars: [{ name: 'Berlin', time_zone: 'Europe/Berlin', weeks: [{ hours: { mon: [['09:00', '17:00']] } }] }],
  sla_policies: [
    {
      name: 'Vip',
      conditions: { all: [{ any: [{ field: 'tags', op: 'has_any', value: ['vip'] }] }] },
      targets: [{ metric: 'resolution', priority: 'High', minutes: 480, calendar_id: 'Berlin' }]
    }
  ],
  views: [{ name: 'Vip', query: { tag: 'vip' } }]
}

test('deskline config takes definitions from one installation to another, as the system', async () => {
  const [staging, production] = [await anInstallation(), await anInstallation()]
  const [first, second] = ['first.json', 'second.json'].map(name => join(staging.folder, name)) as [string, string]
  await writeFile(first, JSON.stringify(file))

  const made = await run(['config', 'import', first], staging.env)
  const exported = await run(['config', 'export'], staging.env)
  await writeFile(second, exported.output)
  const dry = await run(['config', 'import', second, '--dry-run'], production.env)
  const between = await runQuery(production.url, 'select count(*)::int as count from tags')
  const done = await run(['config', 'import', second], production.env)
  const views = { ...JSON.parse(exported.output), views: [{ name: 'Vip', query: { tag: 'vip', status: ['Open'] } }] }
  await writeFile(second, JSON.stringify(views))
  const again = await run(['config', 'import', second], production.env)

  const told =
    'created tag vip\ncreated calendar Berlin\ncreated sla_policy Vip\ncreated view Vip\n4 created, 0 updated, '
  assert.deepEqual([made.code, made.output], [0, `${told}0 unchanged, 0 refused.\n`])
  assert.deepEqual([dry.code, dry.output], [0, `${told}6 unchanged, 0 refused; nothing was written.\n`])
  assert.deepEqual(between, [{ count: 0 }])
  assert.deepEqual([done.code, done.output], [0, `${told}6 unchanged, 0 refused.\n`])
  assert.match(again.output, /^updated view Vip\n0 created, 1 updated, 9 unchanged, 0 refused\.$/m)
  const actors = `select distinct actor_type, actor_id from events where kind in ('tag.created', 'view.created', 'view.updated')`
  assert.deepEqual(await runQuery(production.url, actors), [{ actor_type: 'system', actor_id: null }])
})

test('deskline config import ends with 1 where something is refused, or the file cannot be read', async () => {
  const { folder, env } = await anInstallation()
  const path = join(folder, 'config.json')
  const imported = async (text: string) => {
    await writeFile(path, text)
    return await run(['config', 'import', path], env)
  }

  const refused = await imported(JSON.stringify({ ...file, calendars: [] }))
  const broken = await imported('{"tags": [')
  const unknown = await imported('{"webhooks": []}')

  assert.equal(refused.code, 1)
  assert.match(refused.output, /^refused sla_policy Vip: There is no calendar “Berlin” here$/m)
  assert.match(refused.output, /^2 created, 0 updated, 0 unchanged, 1 refused\.$/m)
  assert.equal(broken.code, 1)
  assert.match(broken.output, /config\.json is not valid JSON: /)
  assert.deepEqual([unknown.code, unknown.output], [1, 'config has no field webhooks\n'])
})
