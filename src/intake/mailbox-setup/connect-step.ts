import type { Config } from '../../core/config.ts'
import type { ConnectedMailboxRow, MailboxServer } from '../../core/tables/mails.ts'
import { checkedHost } from '../../mail/mailboxes/checked-host.ts'
import type { ImapAddress } from '../../platform/mail/imap-address.ts'
import { faultOf, MailboxFault } from '../../platform/mail/mailbox-fault.ts'
import { NoStartTls, type ProbeResult, probeServer } from '../../platform/mail/probe-server.ts'
import type { StepResult } from './step-result.ts'

/** The time that a server has for each step. */
export const stepMilliseconds = 10_000

/** IMAP where there is one, else the server that sends. */
function serverTried({ imap, smtp }: ConnectedMailboxRow): { protocol: 'imap' | 'smtp'; server: MailboxServer } {
  return imap ? { protocol: 'imap', server: imap } : { protocol: 'smtp', server: smtp! }
}

/** Connects and encrypts, without a login. */
export async function connectStep(config: Config, mailbox: ConnectedMailboxRow): Promise<StepResult> {
  const { protocol, server } = serverTried(mailbox)
  return await lookAt(config, protocol, server)
}

export async function lookAt(
  config: Config,
  protocol: 'imap' | 'smtp',
  { host, port, security, certificate }: MailboxServer
): Promise<StepResult> {
  const address = await checkedHost(config)(host)
  const {
    tls,
    certificate: shown,
    distrust
  } = await probed(
    { protocol, host, address, port, encryption: security, certificate },
    AbortSignal.timeout(stepMilliseconds)
  )
  if (distrust !== undefined)
    return {
      step: 'connect',
      isOk: false,
      reason: 'bad_certificate',
      sentence: `The certificate of ${host} cannot be trusted (${distrust})`,
      said: distrust,
      certificate: shown,
      facts: { host }
    }
  const ends = shown ? `; its certificate ends on ${shown.endsAt.toISOString().slice(0, 10)}` : ''
  return {
    step: 'connect',
    isOk: true,
    sentence: tls ? `${host}:${port} answers with ${tls}${ends}` : `${host}:${port} answers without encryption`,
    certificate: shown,
    facts: { host, ...(tls ? { tls } : {}) }
  }
}

async function probed(...[server, signal]: Parameters<typeof probeServer>): Promise<ProbeResult> {
  const { host, port } = server
  try {
    return await probeServer(server, signal)
  } catch (error) {
    if (error instanceof NoStartTls)
      throw new MailboxFault('no_starttls', `${host}:${port} offers no encryption by STARTTLS`)
    if (signal.aborted) throw new MailboxFault('timed_out', `${host}:${port} did not answer in time`)
    throw faultOf(error, { ...noLogin, host, port })
  }
}

const noLogin: ImapAddress = {
  name: '',
  host: '',
  port: 0,
  encryption: 'none',
  user: '',
  secret: '\0',
  isOAuth: false,
  oauthClient: undefined,
  folder: '',
  taken: { kind: 'seen' }
}
