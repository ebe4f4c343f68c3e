import { useEffect, useRef, useState } from 'react'
import { post } from '../../../app/api-client.ts'
import { type Key, t } from '../../../lib/strings.ts'
import { numberText } from '../../../lib/times.ts'
import { Button } from '../../../ui/button.tsx'
import { adminFailureText } from '../../admin-failure-text.ts'
import { placeOf, reasonText, sendingReasonText } from '../mailbox-status-text.ts'
import settings from '../settings.module.css'
import { Walk, type WalkStep } from '../walk.tsx'
import styles from './mailboxes.module.css'
import { type Mailbox, refreshMailboxes, type StepName, saveMailbox, stepNames, type TestStep } from './mailboxes.ts'

type Tried = TestStep & { seconds: number }

interface MailboxTestProps {
  mailbox: Mailbox
  /** Whether it begins by itself. */
  begins: boolean
  /** Told when all steps, or the one that sends, were tried. */
  onTried: (result: { isUsable: boolean; receivesOnly: boolean }) => void
}

/** The test of a mailbox: step by step, and again from the one that failed. */
export function MailboxTest({ mailbox, begins, onTried }: MailboxTestProps) {
  const [tried, setTried] = useState<Tried[]>([])
  const [running, setRunning] = useState<StepName>()
  const [sent, setSent] = useState<string>()
  const [failure, setFailure] = useState<string>()
  const stopped = useRef<AbortController>(undefined)
  const { id } = mailbox

  async function run(from: StepName = 'connect') {
    const stop = new AbortController()
    stopped.current = stop
    setFailure(undefined)
    const before = tried.slice(0, stepNames.indexOf(from)).filter(({ is_ok }) => is_ok)
    const done = [...before]
    setTried(done)
    let messageId = sent
    try {
      for (const step of stepNames.slice(before.length)) {
        setRunning(step)
        const began = performance.now()
        const data = await post(
          '/api/admin/mail/mailboxes/test',
          { id, steps: [step], ...(messageId && step === 'receive' ? { sent: messageId } : {}) },
          { signal: stop.signal }
        )
        const result = data.steps[0]
        if (!result) break
        messageId = data.sent ?? messageId
        done.push({ ...result, seconds: (performance.now() - began) / 1000 })
        setTried([...done])
        if (!result.is_ok) break
      }
      setSent(messageId)
      const last = done.at(-1)
      onTried({
        isUsable: done.length === stepNames.length && last?.is_ok === 1,
        receivesOnly: last?.step === 'send' && !last.is_ok
      })
    } catch (error) {
      if (!stop.signal.aborted) setFailure(adminFailureText(error))
    } finally {
      setRunning(undefined)
      void refreshMailboxes()
    }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: it begins once, when the page is there.
  useEffect(() => {
    if (begins) void run()
    return () => stopped.current?.abort()
  }, [])

  async function trust(pem: string, step: StepName) {
    const { imap, smtp } = mailbox
    const server = step === 'send' || !imap ? smtp : imap
    if (!server) return
    const { host, port, security, user } = server
    const changed = { host, port, security, user, certificate: pem }
    await saveMailbox(id, step === 'send' || !imap ? { smtp: changed } : { imap: { ...changed, folder: imap.folder! } })
    await run(step)
  }

  const failed = tried.find(({ is_ok }) => !is_ok)
  const steps = stepNames.map((step): WalkStep => {
    const result = tried.find(each => each.step === step)
    const name = t(`mailboxes.step.${step}` satisfies Key)
    if (!result) {
      const isRunning = running === step
      const text = failed ? t('mailboxes.notTried') : t(`mailboxes.stepHint.${step}` satisfies Key)
      return { key: step, state: isRunning ? 'running' : 'open', name, text }
    }
    const { is_ok, said, certificate, seconds } = result
    return {
      key: step,
      state: is_ok ? 'done' : 'failed',
      name,
      text: sentenceOf(mailbox, result),
      said: is_ok ? undefined : (said ?? undefined),
      took: t('mailboxes.seconds', { seconds: numberText(Math.round(seconds * 10) / 10) }),
      repair: !is_ok && (
        <>
          {certificate && result.reason_code === 'bad_certificate' && (
            <>
              <span className="said">
                {t('mailboxes.certificate', {
                  name: certificate.name,
                  issuer: certificate.issuer,
                  fingerprint: certificate.fingerprint
                })}
              </span>
              <Button size="sm" onClick={() => void trust(certificate.pem, step)}>
                {t('mailboxes.trust')}
              </Button>
            </>
          )}
          <Button size="sm" onClick={() => void run(step)}>
            {t('mailboxes.againFrom', { step: name })}
          </Button>
          <Button size="sm" variant="quiet" onClick={() => void copyForOperator(mailbox, result)}>
            {t('mailboxes.copyForOperator')}
          </Button>
        </>
      )
    }
  })

  return (
    <section className={`${settings.card} ${styles.aside}`} aria-label={t('mailboxes.test')}>
      <div className={styles.head}>
        <h2>{t('mailboxes.test')}</h2>
        {running ? (
          <Button size="sm" onClick={() => stopped.current?.abort()}>
            {t('mailboxes.stop')}
          </Button>
        ) : (
          <Button size="sm" onClick={() => void run()}>
            {tried.length > 0 ? t('mailboxes.again') : t('mailboxes.runTest')}
          </Button>
        )}
      </div>
      <Walk label={t('mailboxes.test')} steps={steps} />
      {failure && <p className={styles.bad}>{failure}</p>}
    </section>
  )
}

/** The sentence in the reader's language, as far as the page knows it. */
function sentenceOf(mailbox: Mailbox, { step, is_ok, reason_code, sentence, facts, certificate }: TestStep): string {
  if (!is_ok) {
    if (facts.signed_in_as)
      return t('mailboxes.wrongAccount', { name: facts.signed_in_as, user: placeOf(mailbox).user })
    if (reason_code === null) return sentence
    const { smtp } = mailbox
    if (step === 'send' && smtp) return sendingReasonText(smtp, reason_code, null, sentence)
    return reasonText(placeOf(mailbox), reason_code, null, sentence)
  }
  const host = facts.host ?? ''
  if (step === 'connect')
    return facts.tls
      ? t('mailboxes.did.connect', { host, tls: facts.tls.replace('TLSv', 'TLS '), day: dayOf(certificate?.ends_at) })
      : t('mailboxes.did.connectPlain', { host })
  if (step === 'log_in') return t('mailboxes.did.log_in', { host })
  if (step === 'list' && facts.mails !== undefined)
    return t(facts.spam_folder ? 'mailboxes.did.listSpam' : 'mailboxes.did.list', {
      count: facts.mails,
      unread: facts.unread ?? 0,
      spam: facts.spam_folder ?? ''
    })
  if (step === 'send' && facts.to)
    return t(facts.has_plus ? 'mailboxes.did.send' : 'mailboxes.did.sendPlain', { host, to: facts.to })
  if (step === 'receive') return t(facts.in_spam ? 'mailboxes.did.receiveSpam' : 'mailboxes.did.receive')
  return sentence
}

function dayOf(at: string | undefined): string {
  return at ? new Date(at).toLocaleDateString(document.documentElement.lang, { dateStyle: 'medium' }) : ''
}

async function copyForOperator(mailbox: Mailbox, { step, sentence, said }: TestStep): Promise<void> {
  const { host, port } = placeOf(mailbox)
  await navigator.clipboard.writeText(
    [mailbox.address, `${host}:${port}`, step, sentence, said].filter(Boolean).join('\n')
  )
}
