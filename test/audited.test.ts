import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyAudit } from '../src/core/audit/verify-audit.ts'
import { endpoints } from '../src/endpoints.ts'
import { bootDesk } from './support/desk.ts'
import { aClient, anAdmin, aSupporter } from './support/people.ts'
import { sequencedDatabase } from './support/sequenced-database.ts'
import { secret, staffWrites } from './support/staff-writes.ts'

const desk = await bootDesk()
const admin = await anAdmin(desk)

/** Endpoints that write nothing. */
const reads = [
  '/api/check',
  '/api/admin/calendars/list',
  '/api/admin/calendars/detail',
  '/api/admin/calendars/preview',
  '/api/admin/calendars/impact',
  '/api/admin/calendars/suggest-days',
  '/api/auth/verify-reset-token',
  '/api/departments',
  '/api/tickets/list',
  '/api/tickets/detail',
  '/api/tickets/attachment-link',
  '/api/tickets/search',
  '/api/user/checkUserByEmail',
  '/api/admin/permissions',
  '/api/admin/staff/list',
  '/api/admin/staff/detail',
  '/api/admin/clients/list',
  '/api/admin/clients/detail',
  '/api/admin/clients/deliverability',
  '/api/admin/tickets/followers/list',
  '/api/tickets/followers/list',
  '/api/admin/tickets/list',
  '/api/admin/tickets/conversations/detail',
  '/api/admin/tickets/conversations/list',
  '/api/admin/tickets/forward/preview',
  '/api/admin/tickets/detail',
  '/api/admin/tickets/counts',
  '/api/account/profile',
  '/api/account/organisation',
  '/api/admin/organisations/list',
  '/api/admin/organisations/detail',
  '/api/admin/organisations/joiners',
  '/api/account/sessions',
  '/api/account/tokens/list',
  '/api/admin/tokens/list',
  '/api/account/passkeys/list',
  '/api/admin/service-accounts/calls/list',
  '/api/admin/service-accounts/detail',
  '/api/admin/service-accounts/list',
  '/api/admin/kb/articles/preview',
  '/api/account/identities',
  '/api/sso/providers',
  '/api/admin/sso/list',
  '/api/admin/sso/refusals/list',
  '/api/admin/settings/detail',
  '/api/admin/email-templates/list',
  '/api/admin/email-templates/detail',
  '/api/admin/email-templates/preview',
  '/api/admin/departments/list',
  '/api/admin/departments/detail',
  '/api/admin/tags/list',
  '/api/admin/views/list',
  '/api/admin/macros/list',
  '/api/admin/macros/preview',
  '/api/admin/canned-replies/list',
  '/api/admin/canned-replies/render',
  '/api/admin/rules/list',
  '/api/admin/rules/detail',
  '/api/admin/rules/runs',
  '/api/admin/rules/versions',
  '/api/admin/rules/templates/list',
  '/api/admin/rules/test',
  '/api/admin/rules/impact',
  '/api/admin/sla-policies/list',
  '/api/admin/sla-policies/recomputation',
  '/api/admin/fields/list',
  '/api/admin/fields/uses',
  '/api/admin/ticket-forms/detail',
  '/api/admin/ticket-forms/list',
  '/api/ticket-forms',
  '/api/admin/tickets/automation',
  '/api/admin/tickets/sla',
  '/api/admin/tickets/reply/waiting',
  '/api/admin/tickets/draft',
  '/api/admin/tickets/recipients',
  '/api/account/signature',
  '/api/admin/sla-policies/impact',
  '/api/admin/sla-clocks/list',
  '/api/admin/csat/list',
  '/api/csat/show',
  '/api/kb/list',
  '/api/kb/article',
  '/api/kb/search',
  '/api/kb/suggest',
  '/api/admin/kb/numbers',
  '/api/admin/widget/detail',
  '/api/admin/kb/tickets/detail',
  '/api/admin/kb/tickets/list',
  '/api/admin/kb/tickets/draft',
  '/api/admin/kb/categories/list',
  '/api/admin/kb/articles/list',
  '/api/admin/kb/articles/detail',
  '/api/admin/kb/articles/versions',
  '/api/tickets/rating',
  '/api/admin/reports/volume',
  '/api/admin/reports/first-response',
  '/api/admin/reports/resolution',
  '/api/admin/reports/backlog',
  '/api/admin/reports/sla',
  '/api/admin/reports/csat',
  '/api/admin/reports/agents',
  '/api/admin/reports/tickets',
  '/api/admin/reports/definitions',
  '/api/admin/reports/wall',
  '/api/admin/sla-policies/detail',
  '/api/admin/audit/list',
  '/api/admin/audit/verify',
  '/api/admin/events/list',
  '/api/admin/events/stream',
  '/api/events/stream',
  '/api/admin/search',
  '/api/admin/colleagues/list',
  '/api/admin/clients/picker',
  '/api/admin/config/export',
  '/api/desk',
  '/api/admin/mail/mailboxes/list',
  '/api/admin/mail/mailboxes/test',
  '/api/admin/mail/mailboxes/detail',
  '/api/admin/mail/mailboxes/presets',
  '/api/admin/webhooks/list',
  '/api/admin/webhooks/detail',
  '/api/admin/webhooks/deliveries/list',
  '/api/admin/webhooks/deliveries/detail',
  '/api/admin/mail/held/list',
  '/api/admin/mail/log/list',
  '/api/admin/mail/log/detail',
  '/api/admin/mail/log/raw-link',
  '/api/admin/tickets/emails',
  '/api/admin/mail/held/detail',
  '/api/admin/mail/original-link',
  '/api/admin/mail/pictures',
  '/api/admin/mail/blocked/list'
]

/** Endpoints that write, but nothing of staff's doing that the log would have to tell. */
const others: Record<string, string> = {
  '/api/auth/signup': 'clients alone',
  '/api/csat/rate': 'clients alone',
  '/api/kb/feedback': 'what a reader thinks of an article is counted, and nothing follows from it',
  '/api/admin/kb/insert': 'the link of the ticket tells it; what is sent is told as a reply',
  '/api/admin/kb/tickets/solved-by': 'the ticket and the article show the link',
  '/api/admin/kb/tickets/needs-article': 'the ticket and the list of those that need one show it',
  '/api/kb/solved': 'a reader as well',
  '/api/kb/read': 'clients alone',
  '/api/tickets/rate': 'clients alone',
  '/api/tickets/open': 'strangers alone',
  '/api/auth/login': 'clients alone',
  '/api/auth/passkey/verify': 'clients alone',
  '/api/auth/passkey/options': 'a challenge is told when it was signed',
  '/api/admin/auth/passkey/options': 'a challenge as well',
  '/api/account/passkeys/options': 'a challenge as well',
  '/api/account/identities/link': 'that an account was connected is told',
  '/api/admin/sso/test': 'a test saves nothing',
  '/api/sso/challenge': 'it reads a cookie',
  '/api/auth/forgot-password': 'clients alone',
  '/api/auth/reset-password': 'clients alone',
  '/api/auth/send-email-verification': 'clients alone',
  '/api/auth/verify-email': 'clients alone',
  '/api/auth/send-phone-verification': 'clients alone',
  '/api/auth/verify-phone': 'clients alone',
  '/api/tickets/create': 'clients alone',
  '/api/tickets/follow': 'clients alone',
  '/api/tickets/fields': 'clients alone',
  '/api/notifications/unsubscribe': 'clients alone',
  '/api/auth/confirm-email-change': 'clients alone',
  '/api/auth/refresh': 'sessions have a table of their own, which tells from when to when, and from where',
  '/api/auth/logout': 'a session as well',
  '/api/admin/mail/mailboxes/connect': 'who signs in is told when it has been done',
  '/api/test/clock': 'a clock is set on desks that are a test',
  '/api/admin/tickets/presence': 'who looks at what is forgotten after half a minute',
  '/api/admin/kb/articles/presence': 'who looks at what is forgotten after half a minute',
  '/api/admin/tickets/undelivered/dismiss': 'the mail log names who has dismissed it',
  '/api/admin/tickets/read': 'how far one has read is of no concern to others',
  '/api/admin/tickets/draft/save': 'what somebody has begun to write has not happened yet',
  '/api/admin/tickets/draft/delete': 'a draft as well',
  '/api/admin/tickets/reply/undo': 'what was taken back has never happened',
  '/api/admin/tickets/conversations/undo': 'what was taken back as well',
  '/api/auth/2fa/setup': 'a secret that is in force only once it is enabled, which is told',
  '/api/admin/auth/forgot-password': 'who asks is nobody yet; that the password was replaced is told'
}

test('every endpoint is known to write by staff, not to write, or to write for others', () => {
  const known = [...reads, ...Object.keys(others), ...Object.keys(staffWrites)]

  assert.deepEqual(known.toSorted(), endpoints.map(({ path }) => path).toSorted())
})

for (const { path, access, body: schema } of endpoints.filter(endpoint => endpoint.path in staffWrites)) {
  test(`${path} leaves a row in the audit log when it has written, and none when it has refused`, async () => {
    const { by = admin, body, refused, after } = await staffWrites[path]!({ desk, admin })
    const isForNobody = access === 'public'
    const nobody =
      access === 'user' || isForNobody ? undefined : await (access === 'staff' ? aClient(desk) : aSupporter(desk))
    const hasVersion = schema !== undefined && 'expected_version' in schema.properties
    const outdated = hasVersion ? { ...body, expected_version: 999_999_999 } : refused
    assert.ok(outdated, 'needs something that is refused')
    const before = await log()

    const replies = [
      ...(isForNobody ? [] : [await desk.post(path, nobody, body)]),
      await desk.post(path, isForNobody ? undefined : by, outdated)
    ]
    const between = await log()
    const reply = await desk.post(path, isForNobody ? undefined : by, body)
    const rows = (await log()).slice(between.length)
    await after?.()

    for (const { status } of replies) assert.ok(status >= 400 && status < 500, `${status}`)
    if (hasVersion) assert.equal(replies.at(-1)!.status, 409)
    assert.equal(between.length, before.length)
    assert.ok(reply.status < 300, reply.body.message)
    assert.ok(rows.length > 0, 'no row')
    for (const row of rows) {
      assert.deepEqual([row.actor_type, row.actor_id, row.ip_address], ['staff', by.id, '127.0.0.1'])
      assert.ok(row.request_id)
    }
  })
}

test('the log has nothing of what people told of themselves, wrote or keep to themselves, and is whole', async () => {
  const rows = await log()

  assert.ok(rows.length > Object.keys(staffWrites).length)
  assert.doesNotMatch(JSON.stringify(rows.map(({ before, after }) => [before, after])), new RegExp(secret))
  assert.ok((await verifyAudit(desk.services)).isIntact)
})

async function log() {
  return (await sequencedDatabase(desk)).selectFrom('audit_log').selectAll().orderBy('id').execute()
}
