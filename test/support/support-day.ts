import assert from 'node:assert/strict'
import type { Permission } from '../../src/core/permissions.ts'
import type { Desk } from './desk.ts'
import type { Asker, Reply } from './requests.ts'

/** Somebody whose account was created by HTTP only. */
export interface Participant {
  id: number
  first_name: string
  last_name: string
  email: string
  token: string
}

type Name = Pick<Participant, 'first_name' | 'last_name' | 'email'>
type SendRequest = (path: string, asker?: Asker, body?: object) => Promise<Reply['data']>
/** [recipient, subject] */
type Email = [to: string, subject: string]

const password = 'correct horse'

/** A simulated day at this desk: what people do, and the e-mails they get. */
export function supportDay(desk: Desk) {
  const done: SendRequest = async (path, asker, body) => {
    const reply = await desk.post(path, asker, body)
    assert.ok(reply.status < 300, `${path}: ${reply.status} ${reply.body.message}`)
    return reply.data
  }
  return {
    /** Sends a request that must succeed, and returns its data. */
    done,
    /** Sends a request that must be refused with this status and write nothing. */
    async refused(status: number, path: string, asker: Asker, body?: object): Promise<Reply> {
      const before = await desk.rowCounts()
      const reply = await desk.post(path, asker, body)
      assert.equal(reply.status, status, `${path}: ${reply.body.message}`)
      assert.deepEqual(await desk.rowCounts(), before)
      return reply
    },
    /** Waits until e-mails are due; exactly these have arrived since. Returns them by recipient. */
    async delivers(...expected: Email[]) {
      const former = desk.outbox.emails.length
      desk.clock.turn(desk.services.config.NOTIFICATION_DELAY_SECONDS)
      await desk.deliver()
      const emails = desk.outbox.emails.slice(former)
      const named = emails.map(({ to, subject }): Email => [to, subject.replace(/^Re: /, '')])
      assert.deepEqual(named.toSorted(), expected.toSorted())
      return (person: { email: string }) => emails.filter(({ to }) => to === person.email)
    },
    async hire(admin: Asker, first_name: string, last_name: string, permissions: Permission[]): Promise<Participant> {
      const name = { first_name, last_name, email: `${first_name.toLowerCase()}@desk.example` }
      await done('/api/admin/staff/create', admin, { ...name, password, permissions })
      return await logIn(done, '/api/admin/auth/login', name)
    },
    async signUp(name: Name): Promise<Participant> {
      await done('/api/auth/signup', undefined, { ...name, password })
      return await logIn(done, '/api/auth/login', name)
    },
    /** Chooses a password by the link of an invitation. */
    async accept(name: Name, mail: { text: string }): Promise<Participant> {
      const link = /^http\S+$/m.exec(mail.text)![0]
      const { token } = Object.fromEntries(new URL(link).searchParams)
      await done('/api/auth/reset-password', undefined, { token, new_password: password })
      return await logIn(done, '/api/auth/login', name)
    }
  }
}

async function logIn(done: SendRequest, path: string, name: Name): Promise<Participant> {
  const { token, user } = await done(path, undefined, { email: name.email, password })
  return { ...name, id: Number(user.id), token }
}

/** Each ticket has one thread of e-mails, which its client's first e-mail starts and all others reply to. */
export function emailThreads({ outbox }: Desk): Map<string, number> {
  const threads = Map.groupBy(outbox.emails, ({ subject }) => /^(?:Re: )?\[(TIC-\d+)\]/.exec(subject)?.[1])
  const { emails } = outbox
  assert.equal(new Set(emails.map(({ messageId }) => messageId)).size, emails.length)
  for (const { inReplyTo, references } of threads.get(undefined) ?? []) {
    assert.deepEqual([inReplyTo, references], [undefined, undefined])
  }
  threads.delete(undefined)
  for (const [number, [opening, ...others]] of threads as Map<string, typeof emails>) {
    assert.match(opening!.messageId, new RegExp(`^<ticket-${number.slice(4)}\\.\\S+@localhost>$`))
    assert.deepEqual([opening!.inReplyTo, opening!.references], [undefined, undefined])
    for (const { inReplyTo, references } of others) {
      assert.deepEqual([inReplyTo, references], Array(2).fill(opening!.messageId))
    }
  }
  return new Map([...threads].map(([number, { length }]) => [number!, length]))
}

/** The content of an attachment, downloaded by this person. */
export async function content(desk: Desk, { file_path }: { file_path: string }, { token }: { token: string }) {
  const response = await fetch(desk.url + file_path, { headers: { authorization: `Bearer ${token}` } })
  return response.ok ? await response.text() : response.status
}
