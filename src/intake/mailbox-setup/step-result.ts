import type { Services } from '../../core/services.ts'
import type { MailboxReason } from '../../platform/mail/mailbox-fault.ts'
import type { ShownCertificate } from '../../platform/mail/probe-server.ts'

export const testSteps = ['connect', 'log_in', 'list', 'send', 'receive'] as const
export type TestStep = (typeof testSteps)[number]

/** How one step of a test went. */
export interface StepResult {
  step: TestStep
  isOk: boolean
  /** One sentence without secrets. */
  sentence: string
  reason?: MailboxReason | undefined
  /** The words of the other side. */
  said?: string | undefined
  certificate?: ShownCertificate | undefined
  facts?: StepFacts
}

/** What pages say in their own words. */
interface StepFacts {
  host?: string
  tls?: string
  mails?: number
  unread?: number
  spam_folder?: string
  to?: string
  has_plus?: 0 | 1
  in_spam?: 0 | 1
  signed_in_as?: string
}

export type TestServices = Pick<Services, 'config' | 'db' | 'keys' | 'realClock' | 'log' | 'clock' | 'mail'>
