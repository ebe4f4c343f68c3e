import type { Config } from '../../core/config.ts'
import type { Db } from '../../core/db.ts'
import type { Services } from '../../core/services.ts'
import { inboundChannels, mailboxesOf } from '../../intake/mailbox/mailbox-list.ts'
import { checkMailbox, type MailboxTest } from '../../intake/mailbox/test-mailbox.ts'
import { statesOfMailboxes } from '../../intake/mailbox-setup/state-of-mailbox.ts'
import { mailboxTokens } from '../../mail/mailboxes/mailbox-tokens.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Finding } from './finding.ts'

const lateSeconds = 600

/** Logs in to each mailbox that has a password and opens its folder. */
export async function* checkMailboxes(config: Config): AsyncGenerator<Finding> {
  for (const address of config.IMAP_URL ?? []) {
    if (!address.isOAuth) yield found(await checkMailbox(config, address, undefined))
  }
}

/** The same for those with refresh tokens, of which the database may have newer ones. */
export async function* checkTokenMailboxes(
  services: Pick<Services, 'config' | 'db' | 'keys' | 'realClock' | 'log'>
): AsyncGenerator<Finding> {
  const tokensOf = mailboxTokens(services)
  for (const address of services.config.IMAP_URL ?? []) {
    if (address.isOAuth) yield found(await checkMailbox(services.config, address, tokensOf(address)))
  }
}

/** How the mailboxes do that admins have connected, and what of them ends soon. */
export async function* checkConnectedMailboxes(
  services: Pick<Services, 'config' | 'db' | 'keys' | 'realClock'>
): AsyncGenerator<Finding> {
  for (const { mailbox, state } of await statesOfMailboxes(services)) {
    const about = 'mailbox'
    const { address } = mailbox
    if (state.ending) {
      const what = state.ending.what === 'sign_in' ? 'sign-in' : 'client secret'
      yield { verdict: 'warn', about, text: `${address}: its ${what} ends on ${state.ending.at.slice(0, 10)}` }
    }
    if (!mailbox.is_active) yield { verdict: 'ok', about, text: `${address} is paused` }
    else if (state.state === 'failing') yield { verdict: 'fail', about, text: `${address}: ${state.lastError}` }
    else yield { verdict: 'ok', about, text: `${address} is ${state.state}` }
  }
}

function found({ isUsable, sentence }: MailboxTest): Finding {
  return { verdict: isUsable ? 'ok' : 'fail', about: 'mailbox', text: sentence }
}

/** Whether incoming e-mails are settled, and whether a process fetches the mailboxes. */
export async function* checkIncomingMail(config: Config, db: Db, clock: Clock): AsyncGenerator<Finding> {
  const ways = await inboundChannels({ config, db, clock })
  const held = ways.reduce((sum, way) => sum + way.held, 0)
  const late = ways.filter(({ oldestSeconds }) => oldestSeconds > lateSeconds)
  const lateWords = late.map(({ via, oldestSeconds }) => `those by ${via} wait to be read for ${oldestSeconds} s; `)
  const open = ways.filter(({ isOpen }) => isOpen).map(({ via }) => via)
  yield {
    verdict: late.length > 0 ? 'warn' : 'ok',
    about: 'incoming mail',
    text: `${lateWords.join('')}open are ${open.join(', ')}; ${held} are held until staff decide`
  }
  for (const { address, state, status, lagSeconds } of await mailboxesOf({ config, db, realClock: clock })) {
    const text =
      status === 'failing'
        ? `${state!.last_error} (for ${lagSeconds} s)`
        : status === 'unattended'
          ? 'no process empties it: no worker runs'
          : `it is being emptied, ${state!.unread_mails} mails are left`
    const verdict = status === 'failing' || status === 'unattended' ? 'warn' : 'ok'
    yield { verdict, about: 'mailbox', text: `${address.user} at ${address.host}, ${address.folder}: ${text}` }
  }
}
