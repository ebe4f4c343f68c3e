import { system } from '../../core/actor.ts'
import { act } from '../../core/acts/act.ts'
import { unconfirmedTicketSeconds } from '../../core/limits.ts'
import { countOpenForm } from '../../core/rate-limits/open-form.ts'
import type { Services } from '../../core/services.ts'
import { settingsOf } from '../../core/settings/desk-settings.ts'
import type { Language } from '../../core/wording/languages.ts'
import type { Caller } from '../../kit/caller.ts'
import { Failure, failure } from '../../kit/errors.ts'
import { secondsAfter } from '../../lib/time.ts'
import { addToOutbox } from '../../mail/outbox/add-to-outbox.ts'
import { EmailTaken } from '../../people/clients/sign-up.ts'
import { unusablePassword } from '../../people/clients/unusable-password.ts'
import { activeDepartments, UnknownDepartment } from '../../people/departments/departments.ts'
import { outerTransaction } from '../../platform/db/outer-transaction.ts'
import type { GivenValues } from '../../tickets/fields/judge-values.ts'
import { valuesForForm } from '../../tickets/forms/required-fields.ts'
import { openTicket } from '../../tickets/threads/open-ticket.ts'
import { defaultPriority } from '../../tickets/ticket/schemas.ts'
import {
  accountClaiming,
  accountOfSender,
  openAccountForSender,
  type SenderAccount
} from '../mailbox/sender-account.ts'
import { storeUnconfirmed } from './unconfirmed-tickets.ts'

export const FormClosed = failure(403, 'account_required', 'Please log in, or sign up, to open a ticket here')

/** A ticket of somebody who is not logged in. */
export interface Written {
  name: string
  email: string
  /** The public deptid (decision 11). */
  deptid: number
  subject: string
  message: string
  /** Values of custom fields by key. */
  fields?: GivenValues
  /** The language of the page, if known. */
  language: Language | null
}

type Filled = Written & { fields: GivenValues }

/**
 * Opens a ticket of somebody who is not logged in. An address without an account gets one, with an invitation, and the ticket is opened at once.
 * For an existing account nothing is opened without proof: its owner gets a link to confirm the ticket. The caller is not told which. `isVouched`:
 * a site that the desk trusts says that the address is theirs, which is as good as the click on such a link, and as good as an open form. Throws
 * `FormClosed`, `UnknownDepartment`, `InvalidFields`, `FieldsRequired`, and 429 after too many.
 */
export async function openWithoutAccount(
  services: Services,
  given: Written,
  caller: Caller,
  { isVouched = false } = {}
): Promise<void> {
  const { db, passwords } = services
  if (!isVouched && (await settingsOf(db)).settings.tickets_without_account === 0) throw FormClosed()
  const department = (await activeDepartments(db)).find(({ deptid }) => deptid === given.deptid)
  if (!department) throw UnknownDepartment({ errors: ['department_id'] })
  // Before it is looked for an account: what is refused is the same for all.
  const written = { ...given, fields: await valuesForForm(db, given.deptid, given.fields ?? {}) }
  await countOpenForm(services, written.email, caller.ip)
  // Always, since it takes most of the time: otherwise the duration would reveal whether there is an account.
  const password = await unusablePassword(passwords)

  const opened = await openForStranger(services, written, caller, password)
  if (opened) return
  const claim = await accountClaiming(db, written.email)
  // An address that staff have set and nobody has confirmed gets no e-mail.
  const owner = (await accountOfSender(db, written.email)) ?? (claim?.isByStaff ? undefined : claim)
  if (!owner?.isActive) return
  if (isVouched) await openForOwner(services, owner, written, caller)
  else await askOwner(services, owner, { ...written, departmentId: department.id }, caller)
}

/** False if there is an account with this address. */
async function openForStranger(
  services: Services,
  { name, email, language, ...opening }: Written,
  caller: Caller,
  password: string
): Promise<boolean> {
  try {
    await outerTransaction(services.db, { isRepeatable: true }, async db => {
      const inside = { ...services, db }
      const { requestId } = caller
      const client = await act(inside, system, act =>
        openAccountForSender(inside, act, { name, email }, { password, isInvited: true, requestId, language })
      )
      const cameBy = { clientEmail: email }
      await openTicket(inside, client, caller, { ...opening, cameBy, priority: defaultPriority, files: [] })
    })
    return true
  } catch (error) {
    if (error instanceof Failure && error.kind === EmailTaken) return false
    throw error
  }
}

async function openForOwner(
  services: Services,
  owner: SenderAccount,
  { deptid, subject, message, fields }: Filled,
  caller: Caller
): Promise<void> {
  const cameBy = { clientEmail: owner.email, isConfirmed: true } as const
  const opening = { cameBy, deptid, fields, subject, message, priority: defaultPriority, files: [] }
  await outerTransaction(services.db, { isRepeatable: true }, async db => {
    await openTicket({ ...services, db }, owner, caller, opening)
  })
}

async function askOwner(
  services: Services,
  { id, email }: SenderAccount,
  { subject, message, fields, departmentId }: Filled & { departmentId: number },
  { requestId }: Caller
): Promise<void> {
  const { config, keys } = services
  await act(services, system, async act => {
    const { db } = act
    const now = services.realClock.now()
    const row = { clientId: id, email, departmentId, subject, message, fields, now: act.now }
    const ticket = await storeUnconfirmed(db, {
      ...row,
      expiresAt: secondsAfter(now, unconfirmedTicketSeconds)
    })
    const token = keys.sign('ticket-confirmation', { ticket }, now, unconfirmedTicketSeconds)
    const link = `${config.BASE_URL}/confirm-ticket?${new URLSearchParams({ token })}`
    await addToOutbox(services, db, {
      kind: 'ticket-confirmation',
      channel: 'mail',
      recipient: email,
      clientId: id,
      requestId,
      reader: { population: 'client', id },
      email: {
        template: 'ticket-confirmation',
        values: { 'confirmation.link': link, 'confirmation.valid_for': unconfirmedTicketSeconds }
      }
    })
  })
}
