import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Account, deskWithClaims } from './support/claims.ts'
import { aMail } from './support/mails.ts'
import { aTicket } from './support/tickets.ts'

const {
  desk,
  receive,
  admin,
  editor,
  post,
  signUp,
  typeCode,
  resetByEmail,
  changeOwn,
  changeAsStaff,
  mail,
  writeForm,
  meets
} = await deskWithClaims()

let count = 0

/** Every state of an account whose address somebody else may have, and whether its owner has proven the address. */
const states: Record<string, { make: () => Promise<Account>; isProven: boolean; isHeld?: true }> = {
  'signed up': { make: signUp, isProven: false },
  'typed the code': { make: async () => typeCode(await signUp()), isProven: true },
  'set the password by e-mail': { make: async () => resetByEmail((await signUp()).email), isProven: true },
  'clicked the link of a form': {
    make: async () => {
      const account = await signUp()
      await writeForm(account.email)
      return account
    },
    isProven: false
  },
  'an authentic e-mail came': {
    make: async () => {
      const account = await signUp()
      await mail(account.email, { verdict: 'pass' })
      return account
    },
    isProven: false
  },
  'changed an address that was not proven': { make: async () => changeOwn(await signUp()), isProven: false },
  'changed a proven address': { make: async () => changeOwn(await typeCode(await signUp())), isProven: false },
  'changed it and typed the code': {
    make: async () => typeCode(await changeOwn(await typeCode(await signUp()))),
    isProven: true
  },
  'given by staff': { make: async () => changeAsStaff(await typeCode(await signUp())), isProven: false, isHeld: true },
  'given by staff, confirmed by an admin': {
    make: async () => {
      const account = await changeAsStaff(await typeCode(await signUp()))
      await post('/api/admin/clients/confirm-email', admin, { id: account.id, email: account.email })
      return account
    },
    isProven: false
  },
  'given by staff, confirmed, typed the code': {
    make: async () => {
      const account = await changeAsStaff(await signUp())
      await post('/api/admin/clients/confirm-email', admin, { id: account.id, email: account.email })
      return await typeCode(account)
    },
    isProven: true
  }
}

/** Every way in which a ticket comes; the id of the ticket, or undefined if none opened. */
const ways: Record<string, { open: (account: Account) => Promise<number | null | undefined>; isOwn?: true }> = {
  'an e-mail': { open: async ({ email }) => (await mail(email)).ticket_id },
  'an authentic e-mail': { open: async ({ email }) => (await mail(email, { verdict: 'pass' })).ticket_id },
  'a form, confirmed by a click': { open: ({ email }) => writeForm(email) },
  'an e-mail that staff pass on': {
    open: async ({ email }) => {
      const words = `---------- Forwarded message ---------\nFrom: Vera Victim <${email}>\nDate: Mon, 2 Nov 2026\nSubject: Lost key\nTo: <me@desk.example>\n\nMy secret words.\n`
      return (await receive(aMail({ From: editor.email, Subject: 'Fwd: Lost key' }, words))).ticket_id
    }
  },
  'the API': { open: async account => (await aTicket(desk, account)).ticket_id, isOwn: true },
  'staff, for the client': {
    open: async ({ id }) => {
      const opening = { client_id: id, department_id: 1, subject: 'A call', message: 'You called.' }
      return (await post('/api/admin/tickets/create', admin, opening)).ticket.id
    },
    isOwn: true
  }
}

for (const [state, { make, isProven, isHeld }] of Object.entries(states)) {
  for (const [way, { open, isOwn }] of Object.entries(ways)) {
    const isSeen = isProven || isOwn === true
    const opens = !isHeld || isOwn === true
    const outcome = opens ? (isSeen ? 'is seen by the account' : 'is withheld from the account') : 'opens nothing'
    test(`${state}: a ticket by ${way} ${outcome}`, async () => {
      const account = await make()

      const id = await open(account)

      assert.equal(typeof id === 'number', opens)
      if (typeof id !== 'number') return
      const met = await meets(account, id)
      assert.deepEqual(met, Object.fromEntries(Object.keys(met).map(place => [place, isSeen])))
      const { client_access } = await post('/api/admin/tickets/detail', admin, { id })
      assert.deepEqual([client_access.is_email_proven, client_access.is_withheld], [isProven ? 1 : 0, isSeen ? 0 : 1])
      if (isSeen) return
      const answer = `Here is key ${++count}.`
      await post('/api/admin/tickets/reply', admin, { id, message: answer })
      const { emails } = await desk.deliver()
      const told = emails.filter(({ text }) => text.includes(answer)).map(({ to }) => to)
      assert.deepEqual(told, [account.email])
    })
  }
}

test('the table of docs/security.md has each state of an account, and what it says of it', async () => {
  const page = await readFile(join(import.meta.dirname, '../docs/security.md'), 'utf8')
  const rows = Object.entries(states).map(([state, { isProven, isHeld }]) => {
    const byMail = isProven ? 'seen' : isHeld ? 'held' : 'withheld'
    return `| ${state} | ${isProven ? 'yes' : 'no'} | ${byMail} | ${isHeld ? 'not taken' : byMail} | seen |`
  })

  assert.ok(page.includes(rows.join('\n')))
})
