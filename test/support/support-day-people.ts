import type { Desk } from './desk.ts'
import { anAdmin } from './people.ts'
import { type Participant, supportDay } from './support-day.ts'
import { aFile, aTicket } from './tickets.ts'

/** A ticket as its client opened it. */
export interface OpenedTicket {
  ticket_id: number
  ticket_number: string
  subject: string
}

export const departments = { technical: 1, billing: 4 }
export const zeldaDetails = { first_name: 'Zélda', last_name: 'Quixwood', email: 'zelda@quixwood.example' }

/** The subject of e-mails to verified addresses. */
export const verifiedSubject = ({ ticket_number, subject }: OpenedTicket) => `[${ticket_number}] ${subject}`
/** The subject for unverified addresses, without any text of a user. */
export const unverifiedSubject = ({ ticket_number }: OpenedTicket) => `[${ticket_number}] Your support ticket`

/**
 * The staff of a support day, its customers and what they write, all by HTTP but for the first admin: Mary is limited to one
 * department, Alan to two, Joan to what is assigned to her; Zélda has proved her address, Bob has not, Eve was invited.
 */
export async function supportDayPeople(desk: Desk) {
  const { done, delivers, hire, signUp, accept } = supportDay(desk)
  const admin = await anAdmin(desk)
  const mary = await hire(admin, 'Mary', 'Jackson', ['tickets.view_all', 'tickets.reply', 'tickets.edit_status'])
  const alan = await hire(admin, 'Alan', 'Turing', [
    'tickets.view_all',
    'tickets.reply',
    'tickets.edit_status',
    'tickets.delete'
  ])
  const joan = await hire(admin, 'Joan', 'Clarke', ['tickets.reply'])
  const { technical, billing } = departments
  await done('/api/admin/departments/members', admin, { id: technical, staff_ids: [mary.id, alan.id] })
  await done('/api/admin/departments/members', admin, { id: billing, staff_ids: [alan.id] })

  const zelda = await signUp(zeldaDetails)
  const bob = await signUp({ first_name: 'Bob', last_name: 'Baker', email: 'bob@example.com' })
  const named = { first_name: 'Eve', last_name: 'Adams', email: 'eve@example.com' }
  await done('/api/auth/send-email-verification', zelda)
  await done('/api/admin/clients/create', admin, named)
  const emails = await delivers([zelda.email, 'Your verification code'], [named.email, 'Your support account'])
  await done('/api/auth/verify-email', zelda, { code: /\d{6}/.exec(emails(zelda)[0]!.text)![0] })
  const eve = await accept(named, emails(named)[0]!)

  const open = async (
    who: Participant,
    department_id: number,
    subject: string,
    ...files: File[]
  ): Promise<OpenedTicket> => await aTicket(desk, who, { department_id, subject, message: `${subject}!` }, files)
  const tickets = {
    smoke: await open(zelda, technical, 'Smoke', aFile('smoke.txt', 'grey'), aFile('fire.txt', 'red')),
    again: await open(zelda, technical, 'More smoke'),
    invoice: await open(bob, billing, 'Invoice', aFile('invoice.txt', '12 EUR')),
    refund: await open(bob, billing, 'Refund'),
    spam: await open(bob, billing, 'Spam', aFile('spam.txt', 'spam')),
    noise: await open(eve, technical, 'Noise', aFile('noise.txt', 'hum'))
  }
  return { admin, mary, alan, joan, zelda, bob, eve, ...tickets }
}
