import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '../src/endpoints.ts'
import type { AnyEndpoint } from '../src/kit/endpoint.ts'
import { acceptsIdempotencyKeys } from '../src/kit/idempotency.ts'

// A new endpoint takes idempotency keys unless it says otherwise, and has to be named here: does it write, only read, or is there something
// in its answers that opens something and must not be kept? What strangers do takes none, but for the sign-up.
const kinds: Record<string, string> = {
  'take keys': `
    admin/calendars/archive admin/calendars/create admin/calendars/days admin/calendars/delete admin/calendars/unarchive
    admin/calendars/update account/away account/notifications
    account/passkeys/delete account/passkeys/register account/passkeys/rename account/password account/profile/update account/sessions/revoke account/tokens/rename account/tokens/revoke admin/tokens/revoke admin/service-accounts/create admin/service-accounts/delete admin/service-accounts/update admin/canned-replies/create account/identities/unlink admin/sso/create admin/sso/delete admin/sso/update
    admin/canned-replies/delete admin/canned-replies/update admin/clients/confirm-email admin/clients/create
    admin/clients/deliver-again admin/config/import admin/tickets/followers/add admin/tickets/followers/remove tickets/rate tickets/followers/remove
    admin/clients/delete admin/clients/reset_2fa admin/clients/send_reset admin/clients/update
    admin/departments/create admin/departments/delete admin/departments/members admin/departments/update
    admin/fields/archive admin/fields/create admin/fields/delete admin/fields/unarchive admin/fields/update
    admin/ticket-forms/archive admin/ticket-forms/create admin/ticket-forms/delete admin/ticket-forms/unarchive
    admin/ticket-forms/update
    admin/email-templates/reset admin/email-templates/test admin/email-templates/update
    admin/macros/apply admin/macros/create admin/macros/delete admin/macros/update
    admin/mail/blocked/add admin/mail/blocked/remove admin/mail/held/delete admin/mail/held/release admin/mail/held/restore
    admin/mail/log/process admin/mail/log/send
    kb/feedback kb/read kb/solved admin/kb/categories/create admin/kb/categories/update admin/kb/categories/delete admin/kb/articles/create
    admin/kb/articles/update admin/kb/articles/publish admin/kb/articles/ask-publishing admin/kb/articles/archive admin/kb/articles/unarchive
    admin/kb/articles/delete admin/kb/articles/restore admin/kb/files/upload admin/kb/insert admin/kb/tickets/solved-by admin/kb/tickets/needs-article
    admin/rules/create admin/rules/delete admin/rules/pause admin/rules/reorder admin/rules/resume admin/rules/run-again admin/rules/update
    admin/sla-policies/archive admin/sla-policies/create admin/sla-policies/delete admin/sla-policies/reorder
    admin/sla-policies/unarchive admin/sla-policies/update
    admin/organisations/archive admin/organisations/create admin/organisations/delete admin/organisations/merge
    admin/organisations/unarchive admin/organisations/update
    admin/settings/logo admin/settings/logo/delete admin/settings/update admin/staff/create admin/staff/delete
    admin/staff/permissions admin/staff/update admin/tags/create admin/tags/delete admin/tags/merge admin/tags/update
    admin/tickets/conversations/reply admin/tickets/conversations/update admin/tickets/forward
    admin/tickets/conversations/send admin/tickets/conversations/undo admin/tickets/emails/turn-on
    admin/tickets/assign admin/tickets/bulk admin/tickets/create admin/tickets/delete admin/tickets/link admin/tickets/merge
    admin/tickets/next admin/tickets/note admin/tickets/purge admin/tickets/read admin/tickets/reply
    admin/tickets/reply/send admin/tickets/reply/undo admin/tickets/draft/save admin/tickets/draft/delete admin/tickets/draft/take
    account/signature/update
    admin/tickets/restore admin/tickets/snooze admin/tickets/split admin/tickets/status admin/tickets/tags admin/tickets/timers/delete admin/tickets/undo
    admin/tickets/undelivered/dismiss admin/tickets/unlink admin/tickets/unsplit admin/tickets/unmerge admin/tickets/unsnooze admin/tickets/update
    admin/tickets/watch admin/mail/mailboxes/create admin/mail/mailboxes/delete admin/mail/mailboxes/update admin/webhooks/delete admin/webhooks/deliveries/replay admin/webhooks/test
    admin/webhooks/update admin/views/create admin/views/delete admin/views/update auth/2fa/disable auth/2fa/enable
    auth/logout auth/send-email-verification auth/send-phone-verification auth/signup auth/verify-email
    auth/verify-phone tickets/create tickets/fields tickets/follow tickets/reply tickets/status`,
  'only read': `
    admin/tickets/conversations/detail admin/tickets/conversations/list admin/tickets/forward/preview
    account/organisation account/passkeys/list account/profile account/sessions account/tokens/list admin/tokens/list admin/service-accounts/list admin/service-accounts/detail admin/service-accounts/calls/list admin/audit/list admin/audit/verify admin/canned-replies/list account/identities admin/sso/list admin/sso/refusals/list sso/providers
    admin/canned-replies/render admin/clients/deliverability admin/tickets/followers/list tickets/followers/list
    admin/clients/detail admin/clients/list admin/clients/picker admin/colleagues/list admin/config/export
    admin/departments/detail admin/departments/list admin/email-templates/detail admin/email-templates/list
    admin/email-templates/preview admin/events/list admin/events/stream admin/fields/list admin/fields/uses
    admin/ticket-forms/detail admin/ticket-forms/list ticket-forms admin/macros/list admin/macros/preview admin/mail/blocked/list admin/mail/held/detail
    admin/mail/held/list admin/mail/log/detail admin/mail/log/list admin/mail/pictures admin/tickets/emails
    admin/mail/mailboxes/detail admin/mail/mailboxes/list
    admin/mail/mailboxes/presets admin/mail/mailboxes/test admin/organisations/detail
    admin/organisations/joiners admin/organisations/list admin/permissions admin/search admin/settings/detail
    admin/kb/categories/list admin/kb/articles/list admin/kb/articles/detail admin/kb/articles/versions kb/list kb/article
    kb/search kb/suggest admin/kb/numbers
    admin/kb/articles/preview admin/widget/detail admin/kb/tickets/detail admin/kb/tickets/list admin/kb/tickets/draft
    admin/rules/detail admin/rules/list admin/rules/runs admin/rules/versions admin/rules/templates/list admin/rules/test
    admin/rules/impact
    admin/sla-policies/detail admin/sla-policies/list admin/sla-policies/impact admin/sla-policies/recomputation
    admin/sla-clocks/list
    admin/reports/volume admin/reports/first-response admin/reports/resolution admin/reports/backlog admin/reports/sla
    admin/reports/csat admin/reports/agents admin/reports/tickets admin/reports/definitions admin/reports/wall
    admin/csat/list csat/show tickets/rating
    admin/staff/detail admin/staff/list admin/tags/list admin/tickets/counts admin/tickets/detail admin/tickets/list
    admin/tickets/presence admin/kb/articles/presence admin/tickets/reply/waiting admin/tickets/draft admin/tickets/recipients account/signature admin/tickets/automation admin/tickets/sla admin/views/list admin/webhooks/deliveries/detail admin/webhooks/deliveries/list admin/webhooks/detail
    admin/webhooks/list auth/verify-reset-token check departments desk events/stream tickets/detail tickets/list tickets/search
    admin/calendars/detail admin/calendars/list admin/calendars/impact admin/calendars/preview admin/calendars/suggest-days test/clock user/checkUserByEmail`,
  'answer with secrets': `
    account/2fa/recovery-codes account/passkeys/options admin/auth/passkey/options admin/auth/passkey/verify auth/passkey/options auth/passkey/verify account/tokens/create account/tokens/replace admin/service-accounts/tokens/create admin/service-accounts/tokens/replace admin/audit/export admin/auth/login admin/clients/export admin/mail/mailboxes/connect admin/mail/original-link account/identities/link admin/sso/test sso/challenge
    admin/mail/log/export admin/mail/log/raw-link admin/webhooks/create
    admin/webhooks/rotate admin/widget/rotate auth/2fa/setup
    auth/2fa/verify-login auth/forgot-password auth/login auth/refresh tickets/attachment-link`,
  'are for strangers': `
    admin/auth/forgot-password admin/auth/reset-password auth/confirm-email-change auth/reset-password
    notifications/unsubscribe tickets/open csat/rate`
}

function kindOf(endpoint: AnyEndpoint): string {
  if (acceptsIdempotencyKeys(endpoint)) return 'take keys'
  if (endpoint.onlyReads) return 'only read'
  return endpoint.answersSecrets ? 'answer with secrets' : 'are for strangers'
}

test('every endpoint takes idempotency keys, only reads, answers with secrets, or is for strangers', () => {
  const found = Map.groupBy(endpoints, kindOf)

  for (const [kind, paths] of Object.entries(kinds)) {
    const named = paths.trim().split(/\s+/).toSorted()
    assert.deepEqual(
      found
        .get(kind)
        ?.map(({ path }) => path.replace('/api/', ''))
        .toSorted(),
      named,
      kind
    )
  }
  assert.deepEqual([...found.keys()].toSorted(), Object.keys(kinds).toSorted())
})

test('every endpoint that takes idempotency keys declares whom it is about, by fields that it has', () => {
  const keyed = endpoints.filter(acceptsIdempotencyKeys)
  const fields = keyed.flatMap(({ path, about, body, data }) =>
    Object.values(about === 'caller' ? {} : (about ?? {}))
      .flat()
      .map(field => ({ path, field, isThere: [body, data].some(schema => has(schema, field.split('.'))) }))
  )

  assert.deepEqual(
    keyed.filter(({ about }) => about === undefined).map(({ path }) => path),
    []
  )
  assert.ok(fields.length > 30)
  assert.deepEqual(
    fields.filter(({ isThere }) => !isThere),
    []
  )
})

test('what answers with tokens, codes, keys or links that open something takes no idempotency key', () => {
  const names =
    /^(token|refresh_token|temp_token|reset_token|reset_link|secret|recovery_codes|codes|otpauth_uri|url|link)$/

  const faults = endpoints.filter(
    // The address of a webhook opens nothing here, and that of an article or a picture only to whoever may see it.
    endpoint =>
      acceptsIdempotencyKeys(endpoint) &&
      !['/api/admin/webhooks/update', '/api/admin/kb/files/upload', '/api/admin/kb/insert'].includes(endpoint.path) &&
      namesIn(endpoint.data).some(name => names.test(name))
  )

  assert.deepEqual(
    faults.map(({ path }) => path),
    []
  )
})

/** Whether a schema has a field of a field, also within lists and where null is possible. */
function has(schema: unknown, [name, ...rest]: string[]): boolean {
  if (name === undefined) return true
  const { properties, items, anyOf } = (schema ?? {}) as {
    properties?: Record<string, unknown>
    items?: unknown
    anyOf?: unknown[]
  }
  if (properties && Object.hasOwn(properties, name)) return has(properties[name], rest)
  return [items, ...(anyOf ?? [])].some(each => each !== undefined && has(each, [name, ...rest]))
}

/** The names of all that a schema describes. */
function namesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { properties } = schema as { properties?: object }
  return [...Object.keys(properties ?? {}), ...Object.values(schema).flatMap(namesIn)]
}
