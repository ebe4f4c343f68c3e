import assert from 'node:assert/strict'
import { codeAt, turnTwoFactorOn } from './authenticator.ts'
import { calendarWrites } from './calendar-writes.ts'
import type { Desk } from './desk.ts'
import { draftWrites } from './draft-writes.ts'
import { emailTemplateWrites } from './email-template-writes.ts'
import { fieldWrites } from './field-writes.ts'
import { followerWrites } from './follower-writes.ts'
import { formWrites } from './form-writes.ts'
import { knowledgeBaseWrites } from './knowledge-base-writes.ts'
import { linkWrites } from './link-writes.ts'
import { aLogo } from './logos.ts'
import { macroWrites } from './macro-writes.ts'
import { organisationWrites } from './organisation-writes.ts'
import { aClient, aSupporter, type Person } from './people.ts'
import { ruleWrites } from './rule-writes.ts'
import { sendingWrites } from './sending-writes.ts'
import { sideConversationWrites } from './side-conversation-writes.ts'
import { signOnWrites } from './sign-on-writes.ts'
import { slaWrites } from './sla-writes.ts'
import { snoozeWrites } from './snooze-writes.ts'
import { mailWrites } from './staff-mail-writes.ts'
import { aTicket, form } from './tickets.ts'
import { tokenWrites } from './token-writes.ts'

/** What belongs to people or to nobody's eyes: wherever a request has it, the log must not. */
export const secret = 'canary'

let serial = 0
export interface Scene {
  desk: Desk
  admin: Person
}

export interface Write {
  body: object
  by?: Person // The admin, if nobody else.
  /** A body with which whoever may do this is refused; an old version, where the endpoint takes one. */
  refused?: object
  after?: () => Promise<unknown>
}

/** By its address a write of each kind that staff can do, which changes something. */
export const staffWrites: Record<string, (scene: Scene) => Promise<Write>> = {
  ...fieldWrites,
  ...formWrites,
  ...followerWrites,
  ...knowledgeBaseWrites,
  ...linkWrites,
  ...macroWrites,
  ...organisationWrites,
  ...ruleWrites,
  ...sendingWrites,
  ...slaWrites,
  ...draftWrites,
  ...sideConversationWrites,
  ...snoozeWrites,
  ...tokenWrites,
  ...signOnWrites,
  '/api/admin/config/import': async () => ({
    body: { config: { tags: [{ name: `imported ${++serial}` }] } },
    refused: { config: { [secret]: [] } }
  }),
  '/api/admin/auth/login': async ({ desk }) => {
    const by = await aSupporter(desk)
    return { by, body: { email: by.email, password: by.password }, refused: { email: by.email, password: secret } }
  },
  '/api/auth/2fa/verify-login': async ({ desk }) => {
    const by = await aSupporter(desk)
    const shared = await turnTwoFactorOn(desk, by)
    const login = await desk.post('/api/admin/auth/login', undefined, { email: by.email, password: by.password })
    const code = codeAt(shared, desk.clock.now(), 1)
    return { by, body: { temp_token: login.data.temp_token, code }, refused: { temp_token: secret, code } }
  },
  '/api/auth/2fa/enable': async ({ desk }) => {
    const by = await aSupporter(desk)
    const { secret } = (await desk.post('/api/auth/2fa/setup', by)).data
    return {
      by,
      body: { secret, code: codeAt(secret, desk.clock.now()) },
      refused: { secret: 'OTHER', code: '000000' }
    }
  },
  '/api/auth/2fa/disable': async ({ desk }) => {
    const by = await aSupporter(desk)
    await turnTwoFactorOn(desk, by)
    return { by, body: { password: by.password }, refused: { password: secret } }
  },
  '/api/tickets/status': async scene => ({
    body: { id: await ticket(scene), status: 'Answered' },
    refused: { id: 999_999, status: 'Open' }
  }),
  '/api/admin/staff/create': async ({ admin }) => ({
    body: { ...person(), password: `${secret} password`, phone_number: secret, permissions: ['clients.view'] },
    refused: { ...person(), email: admin.email, password: `${secret} password` }
  }),
  '/api/admin/staff/update': async scene => ({
    body: {
      id: await supporter(scene),
      first_name: secret,
      phone_number: secret,
      password: `${secret} password`,
      is_active: 0
    },
    refused: { id: scene.admin.id, is_active: 0 }
  }),
  '/api/admin/staff/permissions': async scene => ({
    body: { id: await supporter(scene), permissions: ['clients.view'] },
    refused: { id: scene.admin.id, permissions: ['clients.view'] }
  }),
  '/api/admin/staff/delete': async scene => ({ body: { id: await supporter(scene) }, refused: { id: scene.admin.id } }),
  '/api/admin/tickets/create': async ({ desk }) => {
    const body = { client_id: (await aClient(desk)).id, department_id: 1, subject: secret, message: secret }
    return { body, refused: { ...body, department_id: 999_999 } }
  },
  '/api/admin/tickets/note': async scene => ({ body: { id: await ticket(scene), note: secret } }),
  '/api/admin/tickets/status': async scene => ({ body: { id: await ticket(scene), status: 'Closed' } }),
  '/api/admin/tickets/update': async scene => ({
    body: { id: await ticket(scene), priority: 'Critical', subject: `${secret} anew` }
  }),
  '/api/admin/tickets/assign': async scene => ({
    body: { id: await ticket(scene), assigned_staff_id: scene.admin.id }
  }),
  '/api/admin/tickets/tags': async scene => ({ body: { id: await ticket(scene), tags: [await tag(scene)] } }),
  '/api/admin/tickets/merge': async scene => {
    const client = await aClient(scene.desk)
    return { body: { id: await ticket(scene, client), into_id: await ticket(scene, client) } }
  },
  '/api/admin/tickets/unmerge': async scene => {
    const client = await aClient(scene.desk)
    const [id, into_id] = [await ticket(scene, client), await ticket(scene, client)]
    await done(scene, '/api/admin/tickets/merge', { id, into_id })
    return { body: { id } }
  },
  '/api/admin/tickets/bulk': async scene => ({
    body: { ids: [await ticket(scene), await ticket(scene)], action: 'priority', priority: 'Low' },
    refused: { ids: [999_999], action: 'priority' }
  }),
  '/api/admin/tickets/next': async scene => {
    await ticket(scene)
    return { body: {}, refused: { department_id: 999_999 } }
  },
  '/api/admin/tickets/undo': async scene => {
    const id = await ticket(scene)
    await done(scene, '/api/admin/tickets/update', { id, subject: `${secret} anew` })
    return { body: { id } }
  },
  '/api/admin/tickets/watch': async scene => ({ body: { id: await ticket(scene) } }),
  '/api/admin/tickets/delete': async scene => ({ body: { id: await ticket(scene) } }),
  '/api/admin/tickets/restore': async scene => {
    const id = await ticket(scene)
    await done(scene, '/api/admin/tickets/delete', { id })
    return { body: { id } }
  },
  '/api/admin/tickets/purge': async scene => {
    const { ticket_id: id, ticket_number } = await aTicket(scene.desk, await aClient(scene.desk))
    await done(scene, '/api/admin/tickets/delete', { id })
    return { body: { id, ticket_number } }
  },
  '/api/admin/clients/create': async ({ desk }) => ({
    body: person(),
    refused: { ...person(), email: (await aClient(desk)).email }
  }),
  '/api/admin/clients/update': async scene => ({
    body: { id: await client(scene), first_name: secret, email: address(), phone_number: secret, city: secret }
  }),
  '/api/admin/clients/send_reset': async scene => ({ body: { id: await client(scene) }, refused: { id: 999_999 } }),
  '/api/admin/clients/confirm-email': async ({ desk }) => {
    const { id } = await aClient(desk)
    const email = address()
    const editor = await aSupporter(desk, 'clients.edit')
    await desk.post('/api/admin/clients/update', editor, { id, email })
    return { body: { id, email } }
  },
  '/api/admin/clients/reset_2fa': async ({ desk }) => {
    const ada = await aClient(desk)
    await turnTwoFactorOn(desk, ada)
    return { body: { id: ada.id, reason: 'Lost the phone' } }
  },
  '/api/admin/clients/delete': async ({ desk }) => {
    const { id, email } = await aClient(desk, { email: address() })
    return { body: { id, mode: 'anonymize', confirm_email: email } }
  },
  '/api/admin/clients/export': async scene => ({ body: { id: await client(scene) }, refused: { id: 999_999 } }),
  '/api/admin/audit/export': async () => ({ body: { action: 'tag.' }, refused: { from: 'yesterday' } }),
  '/api/account/profile/update': async ({ desk }) => ({ by: await aSupporter(desk), body: { phone_number: secret } }),
  '/api/account/password': async ({ desk }) => {
    const by = await aSupporter(desk)
    const new_password = `${secret} password`
    return {
      by,
      body: { current_password: by.password, new_password },
      refused: { current_password: secret, new_password }
    }
  },
  '/api/admin/auth/reset-password': async ({ desk }) => {
    const by = await aSupporter(desk)
    await desk.post('/api/admin/auth/forgot-password', undefined, { email: by.email })
    const { emails } = await desk.deliver()
    const token = emails.findLast(mail => mail.to === by.email)!.text.match(/token=([\w.-]+)/)![1]!
    const new_password = `${secret} password`
    return { by, body: { token, new_password }, refused: { token: 'nonsense', new_password } }
  },
  '/api/admin/settings/update': async ({ desk }) => ({
    body: { require_staff_2fa: 1 },
    after: () => desk.db.deleteFrom('desk_settings').execute()
  }),
  ...emailTemplateWrites,
  ...calendarWrites,
  '/api/admin/settings/logo': async () => ({ body: form({}, aLogo()), refused: form({}, aLogo('<svg/>')) }),
  '/api/admin/settings/logo/delete': async ({ desk, admin }) => {
    const uploaded = await desk.post('/api/admin/settings/logo', admin, form({}, aLogo()))
    assert.equal(uploaded.status, 200)
    // A body that is no object.
    return { body: {}, refused: [] }
  },
  '/api/admin/departments/create': async () => ({ body: { name: 'Returns' }, refused: { name: 'Returns', deptid: 1 } }),
  '/api/admin/departments/update': async scene => ({ body: { id: await department(scene), name: 'Repairs' } }),
  '/api/admin/departments/delete': async scene => ({ body: { id: await department(scene) } }),
  '/api/admin/departments/members': async scene => ({
    body: { id: await department(scene), staff_ids: [await supporter(scene)] }
  }),
  '/api/admin/tags/create': async scene => ({
    body: { name: `tag ${++serial}` },
    refused: { name: await nameOfTag(scene) }
  }),
  '/api/admin/tags/update': async scene => ({ body: { id: await tag(scene), color: '#123456' } }),
  '/api/admin/tags/merge': async scene => ({ body: { id: await tag(scene), into_id: await tag(scene) } }),
  '/api/admin/tags/delete': async scene => ({ body: { id: await tag(scene) } }),
  '/api/admin/views/create': async () => ({
    body: { name: 'Mine', query: { search: secret } },
    refused: { name: 'Mine', query: { status: 'Lost' } }
  }),
  '/api/admin/views/update': async scene => ({ body: { id: await view(scene), query: { search: `${secret} anew` } } }),
  '/api/admin/views/delete': async scene => ({ body: { id: await view(scene) } }),
  '/api/admin/webhooks/create': async () => ({ body: { url: receiver }, refused: { url: 'http://127.0.0.1/' } }),
  '/api/admin/webhooks/update': async scene => ({ body: { id: await webhook(scene), url: `${receiver}anew` } }),
  '/api/admin/webhooks/delete': async scene => ({ body: { id: await webhook(scene) } }),
  '/api/admin/webhooks/rotate': async scene => ({ body: { id: await webhook(scene) }, refused: { id: 999_999 } }),
  '/api/admin/webhooks/test': async scene => ({ body: { id: await webhook(scene) }, refused: { id: 999_999 } }),
  '/api/admin/webhooks/deliveries/replay': async scene => ({
    body: { webhook_id: await webhook(scene), since: '2026-01-01' },
    refused: { webhook_id: 999_999, since: '2026-01-01' }
  }),
  ...mailWrites(secret),
  '/api/account/notifications': async () => ({ body: { mention_emails: 0 }, refused: { ticket_emails: 0 } })
}

/** An address that needs no name server; nothing is sent to it here. */
const receiver = `https://192.0.3.1/${secret}`

async function done({ desk, admin }: Scene, path: string, body: object) {
  const reply = await desk.post(path, admin, body)
  assert.ok(reply.status < 300, reply.body.message)
  return reply.data
}

const address = () => `${secret}.${++serial}@example.com`

function person() {
  return { first_name: secret, last_name: secret, email: address() }
}

async function client({ desk }: Scene): Promise<number> {
  return (await aClient(desk)).id
}

async function supporter({ desk }: Scene): Promise<number> {
  return (await aSupporter(desk)).id
}

async function ticket({ desk }: Scene, of?: Person): Promise<number> {
  return (await aTicket(desk, of ?? (await aClient(desk)), { subject: secret, message: secret })).ticket_id
}

async function department(scene: Scene): Promise<number> {
  return (await done(scene, '/api/admin/departments/create', { name: `Returns ${++serial}` })).department.deptid
}

async function tag(scene: Scene): Promise<number> {
  return (await done(scene, '/api/admin/tags/create', { name: `tag ${++serial}` })).tag.id
}

async function nameOfTag(scene: Scene): Promise<string> {
  return (await done(scene, '/api/admin/tags/create', { name: `tag ${++serial}` })).tag.name
}

async function view(scene: Scene): Promise<number> {
  return (await done(scene, '/api/admin/views/create', { name: 'Mine', query: { search: secret } })).view.id
}

async function webhook(scene: Scene): Promise<number> {
  return (await done(scene, '/api/admin/webhooks/create', { url: receiver })).webhook.id
}
