import { Readable } from 'node:stream'
import { receiveMail } from '../../src/intake/mailbox/receive-mail.ts'
import { addToOutbox } from '../../src/mail/outbox/add-to-outbox.ts'
import type { Desk } from './desk.ts'
import { aMail } from './mails.ts'
import { aClient, type Person } from './people.ts'

interface Scene {
  desk: Desk
  admin: Person
}

let serial = 0

/** The writes of staff about held mails and blocked senders, with what the log must not have. */
export function mailWrites(secret: string) {
  const address = () => `${secret}.blocked.${++serial}@example.com`

  /** An e-mail that is held, since it names no sender. */
  async function heldMail({ desk }: Scene): Promise<number> {
    const raw = aMail({ From: null, Subject: secret }, secret)
    await receiveMail(desk.services, { raw: Readable.from([Buffer.from(raw)]), via: 'command' })
    const mails = desk.db.selectFrom('inbound_mails').select('id').orderBy('id', 'desc').limit(1)
    return (await mails.executeTakeFirstOrThrow()).id
  }

  const mailbox = () => ({
    name: 'Support',
    // An address of the desk, not of a person: the log has it.
    address: `support.${++serial}@desk.example`,
    deptid: 1,
    imap: { host: 'imap.example.com', password: secret }
  })

  async function connected({ desk, admin }: Scene): Promise<number> {
    return (await desk.post('/api/admin/mail/mailboxes/create', admin, mailbox())).data.mailbox.id
  }

  /** The newest row of the mail log that fits. */
  async function logged({ desk, admin }: Scene, filter: object): Promise<number> {
    const { data } = await desk.post('/api/admin/mail/log/list', admin, { ...filter, limit: 1 })
    return data.mails[0].id
  }

  return {
    '/api/admin/mail/mailboxes/create': async () => ({ body: mailbox(), refused: { ...mailbox(), deptid: 999_999 } }),
    '/api/admin/mail/mailboxes/update': async (scene: Scene) => ({
      body: { id: await connected(scene), name: 'Support anew' }
    }),
    '/api/admin/mail/mailboxes/delete': async (scene: Scene) => ({ body: { id: await connected(scene) } }),
    '/api/admin/mail/log/process': async (scene: Scene) => {
      await heldMail(scene)
      return { body: { id: await logged(scene, { direction: 'in' }) }, refused: { id: 999_999 } }
    },
    '/api/admin/mail/log/send': async (scene: Scene) => {
      const { desk } = scene
      const email = address()
      const content = { subject: 'Water', text: 'Have you tried it?', html: '<p>Have you tried it?</p>' }
      await addToOutbox(desk.services, desk.db, { kind: 'client-ticket', channel: 'mail', recipient: email, content })
      await desk.deliver()
      const id = await logged(scene, { direction: 'out', outcome: 'sent', address: email })
      return { body: { id }, refused: { id: 999_999 } }
    },
    '/api/admin/mail/log/export': async () => ({ body: { direction: 'in' }, refused: { direction: 'up' } }),
    '/api/admin/mail/held/release': async (scene: Scene) => ({
      body: { id: await heldMail(scene), client_id: (await aClient(scene.desk)).id },
      refused: { id: 999_999 }
    }),
    '/api/admin/mail/held/delete': async (scene: Scene) => ({
      body: { ids: [await heldMail(scene)] },
      refused: { ids: [999_999] }
    }),
    '/api/admin/mail/held/restore': async (scene: Scene) => {
      const id = await heldMail(scene)
      await scene.desk.post('/api/admin/mail/held/delete', scene.admin, { ids: [id] })
      return { body: { id }, refused: { id: 999_999 } }
    },
    '/api/admin/mail/blocked/add': async () => ({ body: { sender: address() }, refused: { sender: secret } }),
    '/api/admin/mail/blocked/remove': async ({ desk, admin }: Scene) => {
      const { data } = await desk.post('/api/admin/mail/blocked/add', admin, { sender: address() })
      return { body: { id: data.sender.id }, refused: { id: 999_999 } }
    }
  }
}
