import { type Static, Type } from 'typebox'
import { Flag, IsoTime, Nullable, OneOf, OutputText } from '../../kit/schemas.ts'
import { bit } from '../../lib/bit.ts'
import { mailboxReasons } from '../../platform/mail/mailbox-fault.ts'
import { MailboxTestView } from '../mailbox/schemas.ts'
import { type StepResult, testSteps } from './step-result.ts'

export const ShownCertificateView = Type.Object({
  name: OutputText('imap.example.com'),
  issuer: OutputText('Example CA'),
  fingerprint: OutputText('AB:CD:EF'),
  ends_at: IsoTime(),
  pem: OutputText('-----BEGIN CERTIFICATE-----')
})

export const MailboxTestFacts = Type.Object({
  host: Type.Optional(OutputText('imap.example.com')),
  tls: Type.Optional(OutputText('TLSv1.3')),
  mails: Type.Optional(Type.Integer({ examples: [12] })),
  unread: Type.Optional(Type.Integer({ examples: [3] })),
  spam_folder: Type.Optional(OutputText('Junk')),
  to: Type.Optional(OutputText('support+test@example.com')),
  has_plus: Type.Optional(Flag()),
  in_spam: Type.Optional(Flag(0)),
  signed_in_as: Type.Optional(OutputText('ada@example.com'))
})

export const MailboxTestStep = Type.Object({
  step: OneOf(testSteps),
  is_ok: Flag(),
  sentence: OutputText('imap.example.com lets support@example.com in'),
  reason_code: Nullable(OneOf(mailboxReasons, 'login_refused')),
  /** The response of the server. */
  said: Nullable(OutputText('Invalid credentials')),
  /** The certificate that the server shows, to be trusted by itself if nobody vouches for it. */
  certificate: Nullable(ShownCertificateView),
  /** The same as the sentence, for pages in other languages. */
  facts: MailboxTestFacts
})

function stepView(result: StepResult): Static<typeof MailboxTestStep> {
  const { step, isOk, sentence, reason, said, certificate, facts = {} } = result
  return {
    step,
    is_ok: bit(isOk),
    sentence,
    reason_code: reason ?? null,
    said: said ?? null,
    certificate: certificate
      ? {
          name: certificate.name,
          issuer: certificate.issuer,
          fingerprint: certificate.fingerprint,
          ends_at: certificate.endsAt.toISOString(),
          pem: certificate.pem
        }
      : null,
    facts
  }
}

export const TestedMailbox = Type.Object({
  ...MailboxTestView.properties,
  name: Nullable(MailboxTestView.properties.name),
  steps: Type.Array(MailboxTestStep),
  /** The Message-ID of the e-mail that was sent. */
  sent: Nullable(OutputText('<test.4fWq@example.com>'))
})

export function messageOf(steps: readonly StepResult[]): string {
  return steps.at(-1)?.isOk ? 'The mailbox can be used' : 'The mailbox cannot be used'
}

export function testedView(steps: readonly StepResult[], sent: string | undefined): Static<typeof TestedMailbox> {
  const last = steps.at(-1)
  const listed = steps.find(({ step }) => step === 'list')?.facts
  return {
    name: null,
    is_usable: bit(last?.isOk ?? false),
    result: last?.sentence ?? 'Nothing was tried: say which mailbox, by id or by name',
    reason_code: last?.reason ?? null,
    said: last?.said ?? null,
    total_mails: listed?.mails ?? null,
    unread_mails: listed?.unread ?? null,
    steps: steps.map(stepView),
    sent: sent ?? null
  }
}

export const nothingTried = { message: messageOf([]), data: testedView([], undefined) }
