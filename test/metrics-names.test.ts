import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { watchMails } from '../src/intake/mailbox/watch-mails.ts'
import { watchMailboxes } from '../src/intake/mailbox-setup/watch-mailboxes.ts'
import { watchOutbox } from '../src/mail/outbox/watch-outbox.ts'
import { watchReaders } from '../src/operation/health/watch-readers.ts'
import { watchTickets } from '../src/operation/health/watch-tickets.ts'
import { watchWebhooks } from '../src/outward/webhooks/watch-webhooks.ts'
import { watchPool, watchProcess } from '../src/platform/metrics/metrics.ts'
import { watchFiles } from '../src/tickets/attachments/watch-files.ts'
import { bootDesk } from './support/desk.ts'

const desk = await bootDesk({ connections: 2 })
const { services } = desk
watchPool(services.metrics, services.pool)
watchOutbox(services)
watchFiles(services)
watchWebhooks(services)
watchReaders(services)
watchTickets(services)
watchMails(services)
watchMailboxes(services)
watchProcess(services.metrics, { version: '1', node: '24' })
const text = await services.metrics.registry.metrics()

test('metrics are named as Prometheus wants them: counters end in _total and nothing else does, each is explained, units are whole', () => {
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => ({ name: name!, type: type! }))

  assert.ok(types.length > 20)
  const faults = types.flatMap(({ name, type }) => [
    ...((type === 'counter') === name.endsWith('_total') ? [] : [`${name} is a ${type}`]),
    ...(new RegExp(`^# HELP ${name} \\S`, 'm').test(text) ? [] : [`${name} is not explained`]),
    ...(/_(milliseconds|ms|minutes|hours|kilobytes|megabytes|percent)(_|$)/.test(name)
      ? [`${name} has a unit of parts`]
      : []),
    ...(/_(gauge|counter|histogram|summary)(_|$)/.test(name) ? [`${name} has its type in its name`] : []),
    ...(/^[a-z_][a-z0-9_]*$/.test(name) ? [] : [`${name} has other letters`])
  ])
  assert.deepEqual(faults, [])
})

// A file of that name may be anything: only one that says that it is promtool is asked.
const isInstalled = /^promtool, version /.test(spawnSync('promtool', ['--version'], { encoding: 'utf8' }).stdout ?? '')
const skip = isInstalled ? false : 'promtool is not installed'

function promtool(args: string[], input?: string): string {
  const { status, stdout, stderr } = spawnSync('promtool', args, { input, encoding: 'utf8' })
  return status === 0 ? '' : `${stdout} ${stderr}`
}

test('promtool finds nothing wrong with them', { skip }, () => {
  assert.equal(promtool(['check', 'metrics'], text), '')
})

const rulesPath = join(import.meta.dirname, '../packaging/prometheus-alerts.yml')

test('alerts ask for metrics that there are', () => {
  const { groups } = parse(readFileSync(rulesPath, 'utf8')) as {
    groups: { rules: { alert: string; expr: string }[] }[]
  }
  const rules = groups.flatMap(group => group.rules)

  assert.ok(rules.length > 5)
  for (const { alert, expr } of rules) {
    const names = [...expr.matchAll(/\bdeskline_\w+/g)].map(([name]) => name)
    assert.ok(names.length > 0, alert)
    for (const name of names) assert.match(text, new RegExp(`^# TYPE ${name} `, 'm'), alert)
  }
})

test('there is an alert for 5xx, the database, its pool, files and the backlog', () => {
  const text = readFileSync(rulesPath, 'utf8')
  const alerts = ['ServerErrors', 'DatabaseDown', 'PoolExhausted', 'StorageFull', 'BacklogGrows']

  assert.deepEqual(
    alerts.filter(name => !text.includes(`alert: Deskline${name}\n`)),
    []
  )
})

test('the section of the documents to which the alerts refer is there', async () => {
  const [, page, section] = /(docs\/\S+\.md), "([^"]+)"/.exec(readFileSync(rulesPath, 'utf8'))!
  const text = readFileSync(join(import.meta.dirname, '..', page!), 'utf8')

  assert.match(text, new RegExp(`^#+ ${section}$`, 'm'))
})

test('promtool finds nothing wrong with the alerts', { skip }, () => {
  assert.equal(promtool(['check', 'rules', rulesPath]), '')
})

const dashboardPath = join(import.meta.dirname, '../packaging/grafana-dashboard.json')

function dashboardQueries(): string[] {
  const { panels } = JSON.parse(readFileSync(dashboardPath, 'utf8')) as { panels: { targets: { expr: string }[] }[] }
  return panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
}

test('the sample dashboard asks for metrics that there are', () => {
  const names = dashboardQueries().flatMap(expr => [...expr.matchAll(/\bdeskline_\w+/g)].map(([name]) => name))

  assert.ok(names.length > 10)
  assert.deepEqual(
    names.filter(name => !text.includes(`# TYPE ${name.replace(/_bucket$/, '')} `)),
    []
  )
})

test('promtool understands each query of the dashboard', { skip }, () => {
  const rules = dashboardQueries().map((expr, at) => ({ record: `query:${at}`, expr }))
  const path = join(desk.dataDir, 'dashboard-rules.json')
  writeFileSync(path, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }))

  assert.equal(promtool(['check', 'rules', path]), '')
})
