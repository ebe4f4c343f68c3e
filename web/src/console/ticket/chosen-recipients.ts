import { type BodyOf, DesklineError } from '@deskline/client'
import type { Draft } from '../../lib/drafts.ts'
import { nameOf } from '../../lib/person-name.ts'
import type { Detail } from './thread-types.ts'

/** Who gets a reply, beside the client, as its writer has chosen. It is kept with the text. */
export interface ChosenRecipients {
  /** The address of the desk that sends it. */
  from?: string | undefined
  /** Other addresses than the client's, and whether these take its place. */
  to?: string[] | undefined
  withoutClient?: boolean | undefined
  /** In place of the followers. */
  cc?: string[] | undefined
  bcc?: string[] | undefined
  /** Those in `cc` who get only this answer. */
  once?: string[] | undefined
  /** What stands below the e-mail; without it the writer's signature and that of the address. */
  signature?: 'address' | 'none' | undefined
  /** Names by address, as they were found. */
  names?: Record<string, string> | undefined
}

export interface ShownRecipients {
  from: string | undefined
  /** Beside the client, or in their place. */
  to: string[]
  cc: string[]
  bcc: string[]
  once: string[]
  nameOf(email: string): string
}

export function recipientsOf({ fields }: Pick<Draft, 'fields'>): ChosenRecipients | undefined {
  return fields.recipients ? (JSON.parse(fields.recipients) as ChosenRecipients) : undefined
}

/** Everybody who gets the reply, as things are: without a choice the followers. */
export function shownRecipients({ followers }: Detail, chosen: ChosenRecipients = {}): ShownRecipients {
  const reached = followers.filter(({ undeliverable }) => undeliverable === null)
  return {
    from: chosen.from,
    to: chosen.to ?? [],
    cc: chosen.cc ?? reached.map(({ email }) => email),
    bcc: chosen.bcc ?? [],
    once: chosen.once ?? [],
    nameOf: email =>
      followers.find(follower => isSame(follower.email, email))?.name || (chosen.names?.[email.toLowerCase()] ?? email)
  }
}

/** What the API is told of them. `client`: the address to which e-mails to the client go. */
export function recipientsBody(
  draft: Pick<Draft, 'fields'>,
  client: string
): Pick<BodyOf<'/api/admin/tickets/reply'>, 'from' | 'to' | 'cc' | 'bcc' | 'cc_once'> {
  const { from, to = [], withoutClient, cc, bcc, once = [] } = recipientsOf(draft) ?? {}
  const isOnce = (email: string) => once.some(other => isSame(other, email))
  const onceIn = cc?.filter(isOnce) ?? []
  return {
    ...(from ? { from } : {}),
    ...(withoutClient || to.length > 0 ? { to: withoutClient ? to : [client, ...to] } : {}),
    ...(cc ? { cc: cc.filter(email => !isOnce(email)) } : {}),
    ...(onceIn.length > 0 ? { cc_once: onceIn } : {}),
    ...(bcc?.length ? { bcc } : {})
  }
}

/** The names of those to whom it is addressed: "Katharina". */
export function namesAddressed(detail: Detail, chosen?: ChosenRecipients): string[] {
  const { client } = detail.ticket
  const { to, nameOf: nameFor } = shownRecipients(detail, chosen)
  return [...(chosen?.withoutClient ? [] : [client.first_name || nameOf(client)]), ...to.map(nameFor)]
}

/** The names of those who get it: "Katharina", "Anton". */
export function namesReached(detail: Detail, chosen?: ChosenRecipients): string[] {
  const { cc, bcc, nameOf: nameFor } = shownRecipients(detail, chosen)
  return [...namesAddressed(detail, chosen), ...[...cc, ...bcc].map(nameFor)]
}

export function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

/** The row of recipients that the service has refused, and why. */
export function refusedRecipients(error: unknown): { field: 'to' | 'cc' | 'bcc'; text: string } | undefined {
  if (!(error instanceof DesklineError) || error.status !== 400) return undefined
  const field = /^(to|bcc|cc)(?:_once)?:/.exec(error.message)?.[1] as 'to' | 'cc' | 'bcc' | undefined
  return field && { field, text: error.message.replace(/^\w+: */, '') }
}
