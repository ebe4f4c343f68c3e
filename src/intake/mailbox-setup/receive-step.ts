import { setTimeout as pause } from 'node:timers/promises'
import { type Db, prepared } from '../../core/db.ts'
import type { ConnectedMailboxRow } from '../../core/tables/mails.ts'
import { checkedHost } from '../../mail/mailboxes/checked-host.ts'
import { imapAddressOf } from '../../mail/mailboxes/servers-of-mailbox.ts'
import type { AccessTokens } from '../../platform/mail/access-token.ts'
import { type OpenMailbox, openMailbox } from '../../platform/mail/imap.ts'
import { stepMilliseconds } from './connect-step.ts'
import type { StepResult, TestServices } from './step-result.ts'

const receiveMilliseconds = 60_000
const pollMilliseconds = 1_500

/** Whichever looks first finds it: this test, or the process that fetches the mailbox. */
export async function receiveStep(
  services: TestServices,
  mailbox: ConnectedMailboxRow,
  tokens: AccessTokens | undefined,
  messageId: string | undefined,
  signal: AbortSignal
): Promise<StepResult> {
  if (!mailbox.imap) return { step: 'receive', isOk: true, sentence: 'It only sends: nothing is received back' }
  if (!messageId)
    return { step: 'receive', isOk: false, sentence: 'Nothing was sent that could come back: begin from Send' }
  const began = performance.now()
  const seconds = () => Math.round((performance.now() - began) / 100) / 10
  const found = (inSpam: boolean): StepResult => ({
    step: 'receive',
    isOk: true,
    sentence: inSpam
      ? `It came back after ${seconds()} s, but into the folder for spam`
      : `It came back after ${seconds()} s`,
    facts: { in_spam: inSpam ? 1 : 0 }
  })
  while (performance.now() - began < receiveMilliseconds && !signal.aborted) {
    if (await isFetched(services.db, messageId)) return found(false)
    const place = await placeOf(services, mailbox, tokens, messageId)
    if (place) return found(place === 'spam')
    await pause(pollMilliseconds, undefined, { signal }).catch(() => {})
  }
  return {
    step: 'receive',
    isOk: false,
    reason: 'timed_out',
    sentence:
      'It did not come back within 60 seconds. If the server knows no addresses with a plus, answers are found by subject and references'
  }
}

async function placeOf(
  services: TestServices,
  mailbox: ConnectedMailboxRow,
  tokens: AccessTokens | undefined,
  messageId: string
): Promise<'inbox' | 'spam' | undefined> {
  const inInbox = await withMailbox(services, mailbox, tokens, async opened => {
    const mail = await opened.find(messageId)
    if (mail && !opened.isReadOnly) await opened.take(mail).catch(() => {})
    return { isThere: mail !== undefined, spam: await opened.spamFolder() }
  })
  if (inInbox.isThere) return 'inbox'
  const spam = mailbox.spam_folder ?? inInbox.spam
  if (!spam) return undefined
  const inSpam = await withMailbox(services, { ...mailbox, imap: { ...mailbox.imap!, folder: spam } }, tokens, opened =>
    opened.find(messageId)
  ).catch(() => undefined)
  return inSpam ? 'spam' : undefined
}

async function isFetched(db: Db, messageId: string): Promise<boolean> {
  const [known] = await fetched(db, { ref: messageId.slice(1, -1) })
  return known !== undefined
}

const fetched = prepared((db, p: { ref: string }) =>
  db.selectFrom('inbound_mails').where('message_ref', '=', p.ref).select('id').limit(1)
)

export async function withMailbox<T>(
  services: TestServices,
  mailbox: ConnectedMailboxRow,
  tokens: AccessTokens | undefined,
  work: (opened: OpenMailbox) => Promise<T>
): Promise<T> {
  const { config } = services
  const address = imapAddressOf(services, mailbox)!
  // The test creates no folder into which e-mails are moved, and finds its own e-mail whenever it came.
  const opened = await openMailbox(
    { ...address, beginsAt: undefined },
    { tokens, maxBytes: config.MAIL_MAX_BYTES, checkedHost: checkedHost(config), stepMilliseconds }
  )
  try {
    return await work(opened)
  } finally {
    await opened.close()
  }
}
