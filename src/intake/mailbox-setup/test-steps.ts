import { randomBytes } from 'node:crypto'
import type { ConnectedMailboxRow } from '../../core/tables/mails.ts'
import { TimedOut, withTimeout } from '../../lib/timeout.ts'
import { checkedHost } from '../../mail/mailboxes/checked-host.ts'
import { mailboxSecrets } from '../../mail/mailboxes/connected-mailboxes.ts'
import { mailboxTokens } from '../../mail/mailboxes/mailbox-tokens.ts'
import { hasSecret, smtpAddressOf, tokensOfMailbox } from '../../mail/mailboxes/servers-of-mailbox.ts'
import type { AccessTokens } from '../../platform/mail/access-token.ts'
import type { MailMessage } from '../../platform/mail/mail.ts'
import { MailboxFault } from '../../platform/mail/mailbox-fault.ts'
import { smtpMail } from '../../platform/mail/smtp.ts'
import { connectStep, lookAt, stepMilliseconds } from './connect-step.ts'
import { receiveStep, withMailbox } from './receive-step.ts'
import { sendingFault } from './sending-fault.ts'
import { type StepResult, type TestServices, type TestStep, testSteps } from './step-result.ts'

/**
 * Tries a mailbox step by step, as far as it goes: after a step that fails the others are not tried. `sent`: the e-mail of a former test that is
 * to be received back. Nothing of it becomes a ticket: the desk drops what it has written itself.
 */
export async function testMailboxSteps(
  services: TestServices,
  mailbox: ConnectedMailboxRow,
  {
    steps = testSteps,
    sent,
    signal
  }: { steps?: readonly TestStep[] | undefined; sent?: string | undefined; signal: AbortSignal }
): Promise<{ steps: StepResult[]; sent: string | undefined }> {
  const tried: StepResult[] = []
  // Whatever else came in is not to be marked as read.
  let messageId = sent?.startsWith('<test.') ? sent : undefined
  const tokens = tokensOfMailbox(services, mailboxTokens(services), mailbox)
  const run: Record<TestStep, () => Promise<StepResult>> = {
    connect: () => connectStep(services.config, mailbox),
    log_in: () => logIn(services, mailbox, tokens),
    list: () => list(services, mailbox, tokens),
    send: async () => {
      const result = await send(services, mailbox, tokens)
      messageId = result.messageId
      return result.step
    },
    receive: () => receiveStep(services, mailbox, tokens, messageId, signal)
  }
  for (const step of testSteps.filter(each => steps.includes(each))) {
    if (signal.aborted) break
    const result = withoutSecrets(services, mailbox, await run[step]().catch(error => failed(step, mailbox, error)))
    if (step === 'send' && result.reason === 'bad_certificate' && mailbox.smtp)
      result.certificate = (await lookAt(services.config, 'smtp', mailbox.smtp).catch(() => undefined))?.certificate
    tried.push(result)
    if (!result.isOk) break
  }
  return { steps: tried, sent: messageId }
}

async function logIn(
  services: TestServices,
  mailbox: ConnectedMailboxRow,
  tokens: AccessTokens | undefined
): Promise<StepResult> {
  if (!hasSecret(services, mailbox))
    return mailbox.auth === 'oauth2'
      ? {
          step: 'log_in',
          isOk: false,
          reason: 'not_signed_in',
          sentence: 'Nobody has signed in at the provider yet'
        }
      : { step: 'log_in', isOk: false, reason: 'no_password', sentence: 'It has no password yet: enter one' }
  if (!mailbox.imap) {
    const mail = await transportOf(services, mailbox, tokens)
    try {
      await mail.verify()
    } catch (error) {
      throw sendingFault(mailbox, error)
    } finally {
      mail.close()
    }
    return {
      step: 'log_in',
      isOk: true,
      sentence: `${mailbox.smtp!.host} lets ${mailbox.smtp!.user} in`,
      facts: { host: mailbox.smtp!.host }
    }
  }
  const { host, user } = mailbox.imap
  try {
    await withMailbox(services, mailbox, tokens, async () => {})
  } catch (error) {
    // A folder that is not there is found after the login.
    if (!(error instanceof MailboxFault && error.reason === 'folder_missing')) throw error
  }
  return { step: 'log_in', isOk: true, sentence: `${host} lets ${user} in`, facts: { host } }
}

async function list(
  services: TestServices,
  mailbox: ConnectedMailboxRow,
  tokens: AccessTokens | undefined
): Promise<StepResult> {
  if (!mailbox.imap) return { step: 'list', isOk: true, sentence: 'It only sends: there is nothing to list' }
  const { host, user, folder } = mailbox.imap
  return await withMailbox(services, mailbox, tokens, async opened => {
    if (opened.isReadOnly)
      throw new MailboxFault('read_only', `${host} lets ${user} read ${folder}, but change nothing there`)
    const { count } = await opened.unread()
    const spam = await opened.spamFolder()
    const said = spam ? `; spam goes to ${spam}` : ''
    return {
      step: 'list',
      isOk: true,
      sentence: `${folder} holds ${opened.total} mails, of which ${count} are unread${said}`,
      facts: { mails: opened.total, unread: count, ...(spam ? { spam_folder: spam } : {}) }
    }
  })
}

/** To itself, behind a plus, as answers come. */
async function send(
  services: TestServices,
  mailbox: ConnectedMailboxRow,
  tokens: AccessTokens | undefined
): Promise<{ step: StepResult; messageId: string | undefined }> {
  const { address, name, smtp } = mailbox
  if (!smtp && !services.config.SMTP_URL)
    return {
      step: {
        step: 'send',
        isOk: false,
        sentence: 'It has no server that sends, and neither has the operator set one (SMTP_URL)'
      },
      messageId: undefined
    }
  const messageId = `<test.${randomBytes(12).toString('base64url')}@${address.slice(address.lastIndexOf('@') + 1)}>`
  const message = (to: string): MailMessage => ({
    messageId,
    from: { name, address },
    to,
    subject: 'Deskline test',
    text: 'This e-mail tests that the mailbox sends and receives. It becomes no ticket.\n',
    html: '<p>This e-mail tests that the mailbox sends and receives. It becomes no ticket.</p>',
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    date: services.clock.now()
  })
  const at = address.lastIndexOf('@')
  const plus = `${address.slice(0, at)}+test${address.slice(at)}`
  const mail = smtp ? await transportOf(services, mailbox, tokens) : undefined
  const through = mail ?? services.mail
  const host = smtp?.host ?? services.config.SMTP_URL!.host
  try {
    await withTimeout(stepMilliseconds, through.send(message(plus)))
    return {
      step: {
        step: 'send',
        isOk: true,
        sentence: `${host} took an e-mail to ${plus}`,
        facts: { host, to: plus, has_plus: 1 }
      },
      messageId
    }
  } catch (error) {
    if (!isAboutRecipient(error)) throw sendingFault(mailbox, error)
    await withTimeout(stepMilliseconds, through.send(message(address))).catch(again => {
      throw sendingFault(mailbox, again)
    })
    return {
      step: {
        step: 'send',
        isOk: true,
        sentence: `${host} took an e-mail to ${address}, but knows no addresses such as ${plus}: answers are found by subject and references`,
        facts: { host, to: address, has_plus: 0 }
      },
      messageId
    }
  } finally {
    mail?.close()
  }
}

function isAboutRecipient(error: unknown): boolean {
  return error instanceof Error && /\b5(50|51|53)\b|\b5\.1\.\d\b/.test(error.message)
}

async function transportOf(services: TestServices, mailbox: ConnectedMailboxRow, tokens: AccessTokens | undefined) {
  const address = smtpAddressOf(services, mailbox)!
  return smtpMail({
    address,
    checkedAddress: await checkedHost(services.config)(address.host),
    certificate: mailbox.smtp!.certificate,
    tokens,
    timeoutMilliseconds: stepMilliseconds
  })
}

/** Servers may repeat what was sent to them. */
function withoutSecrets(services: TestServices, mailbox: ConnectedMailboxRow, result: StepResult): StepResult {
  const secrets = Object.values(mailboxSecrets(services.keys, mailbox)).filter(secret => secret !== '')
  const redacted = (text: string) =>
    secrets.reduce(
      (rest, secret) => rest.replaceAll(secret, '…').replaceAll(Buffer.from(secret).toString('base64'), '…'),
      text
    )
  return {
    ...result,
    sentence: redacted(result.sentence),
    ...(result.said === undefined ? {} : { said: redacted(result.said) })
  }
}

function failed(step: TestStep, mailbox: ConnectedMailboxRow, error: unknown): StepResult {
  if (!(error instanceof MailboxFault)) {
    if (error instanceof TimedOut)
      return { step, isOk: false, reason: 'timed_out', sentence: 'The server did not answer within 10 seconds' }
    throw error
  }
  const { reason, said, message } = error
  const { signed_in_as: signedInAs, imap } = mailbox
  const isOther =
    error.isRefusedLogin && signedInAs !== null && imap !== null && signedInAs.toLowerCase() !== imap.user.toLowerCase()
  return {
    step,
    isOk: false,
    reason,
    said,
    sentence: isOther ? `You signed in as ${signedInAs}, who may not read ${imap.user}` : message,
    ...(isOther ? { facts: { signed_in_as: signedInAs } } : {})
  }
}
