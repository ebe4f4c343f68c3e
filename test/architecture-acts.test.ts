import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

// Every write has one form: `act` (src/core/acts/act.ts) opens the transaction and writes what happened. What else opens one stands here with
// its reason. The list may become shorter, never longer.
const others: Record<string, string> = {
  'reads several things of one moment, or with settings of its own': `
    src/core/audit/verify-audit.ts src/operation/backup/back-up.ts src/operation/backup/move.ts src/operation/backup/restore.ts src/outward/erasure/export-client.ts src/tickets/queue/queue.ts
    src/insight/facts/reconcile-backlog.ts src/insight/reports/reports.ts
    src/tickets/search/search.ts`,
  'reads the log of events and does what follows from it': `
    src/core/events/sequencer.ts src/core/events/follow-log.ts src/tickets/notifications/send-notifications.ts src/outward/webhooks/queue-deliveries.ts
    src/outward/webhooks/record-attempt.ts`,
  'adds up what the log says': 'src/insight/facts/add-up-days.ts src/insight/facts/fill-facts.ts',
  'has several acts follow from one timer': 'src/tickets/rules/due-rules.ts',
  'keeps the books, of which nobody is told': `
    src/outward/erasure/scrub-erased.ts src/tickets/queue/recount-tickets.ts
    src/tickets/search/language.ts src/tickets/search/rebuild.ts src/core/sessions/rotate-session.ts`,
  'sends or uses up codes, links and warnings, of which there is no kind of event': `
    src/people/auth/log-in.ts src/people/auth/warn-of-attempts.ts src/people/auth/wrong-factors.ts src/people/tokens/notify-of-ends.ts src/people/reset/send-reset-link.ts src/people/reset/staff-reset.ts
    src/people/verification/codes.ts src/intake/mailbox-setup/notify-of-mailboxes.ts`,
  'fills a desk at the first start': 'src/people/staff/first-admin.ts'
}

// A write that is a single statement writes its event in it.
const statements = `
  src/people/departments/move-tickets.ts src/tickets/desk/set-status.ts src/tickets/threads/insert-ticket.ts src/tickets/threads/reply-to-ticket.ts`

const root = join(import.meta.dirname, '..')
const files = globSync('src/**/*.ts', { cwd: root })
  .filter(path => !path.endsWith('.test.ts'))
  .map(path => ({ path, text: readFileSync(join(root, path), 'utf8') }))

test('whoever opens a transaction is an act, or stands in a list with the reason', () => {
  const open = matching(/\btransaction(Once)?\(/).filter(path => !/^src\/(platform\/db|core\/acts)\//.test(path))

  assert.deepEqual(open, Object.values(others).flatMap(listed).toSorted())
})

// A reader of the log writes what follows in the transaction that moves its place.
const readers = 'src/tickets/sla/clock-reader.ts'

test('events are written by acts, by the statements that are a whole write, and by a reader of the log', () => {
  const writers = matching(/\bimport \{[^}]*\binsertEvents\b/)
  const inStatements = matching(/\binsertInto\('events'\)/)

  assert.deepEqual(
    writers.filter(path => !/^src\/core\/(acts|audit)\//.test(path)),
    listed(readers)
  )
  assert.deepEqual(
    inStatements.filter(path => !path.startsWith('src/core/events/')),
    listed(statements)
  )
})

test('work without a person is done by the system actor: nobody else makes one, or a sight of tickets that is no actor’s', () => {
  const actors = matching(/population: 'system'/).filter(path => path !== 'src/core/actor.ts')
  const visibilities = matching(/\bcolumn: (undefined|'client_id'|'assigned_staff_id')/)

  assert.deepEqual(actors, [])
  // The next ticket may be one that is not seen yet.
  assert.deepEqual(visibilities, ['src/tickets/desk/next-ticket.ts', 'src/tickets/ticket/visibility.ts'])
})

function matching(pattern: RegExp): string[] {
  return files.flatMap(({ path, text }) => (pattern.test(text) ? [path] : [])).toSorted()
}

function listed(paths: string): string[] {
  return paths.trim().split(/\s+/)
}
