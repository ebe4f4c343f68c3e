import { Mail, Smartphone } from 'lucide-react'
import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { post } from '../../app/api-client.ts'
import { failureText } from '../../app/failures.ts'
import { useForm } from '../../app/form.ts'
import { useMe } from '../../app/me.ts'
import { reloadMe } from '../../app/session.ts'
import { t } from '../../lib/strings.ts'
import { announce } from '../../ui/announce.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { useCountdown } from '../../ui/state-message.tsx'
import { LinkButton } from '../link-button.tsx'
import { Link, useNavigate } from '../navigation.ts'
import { CardPage } from '../portal-page.tsx'
import { StatePage } from '../state-page.tsx'
import styles from './session.module.css'

const resendSeconds = 60

const kinds = {
  email: {
    icon: Mail,
    send: '/api/auth/send-email-verification',
    verify: '/api/auth/verify-email',
    title: 'portal-session.lookIntoMailbox',
    code: 'portal-session.codeFromEmail',
    done: 'portal-session.emailVerified',
    change: 'portal-session.changeAddress',
    later: '/'
  },
  phone: {
    icon: Smartphone,
    send: '/api/auth/send-phone-verification',
    verify: '/api/auth/verify-phone',
    title: 'portal-session.lookAtPhone',
    code: 'portal-session.codeFromText',
    done: 'portal-session.phoneVerified',
    change: 'portal-session.changeNumber',
    later: '/account'
  }
} as const

type Kind = keyof typeof kinds

/** Proves an e-mail address by the code that was sent to it. */
export function VerifyEmailPage() {
  return <VerifyPage kind="email" />
}

/** Proves a phone number by the code that was texted to it. */
export function VerifyPhonePage() {
  return <VerifyPage kind="phone" />
}

function VerifyPage({ kind }: { kind: Kind }) {
  const { profile } = useMe()
  if (profile.user_type !== 'client') return null
  const [target, isDone] =
    kind === 'email'
      ? [profile.email, profile.is_email_verified === 1]
      : [profile.phone_number, profile.is_phone_verified === 1]
  return isDone ? <Verified kind={kind} /> : <CodeForm kind={kind} target={target} />
}

function CodeForm({ kind, target }: { kind: Kind; target: string }) {
  const { icon: Shown, send, verify, title, code: label, done, change, later } = kinds[kind]
  const navigate = useNavigate()
  const element = useRef<HTMLFormElement>(null)
  const wrong = t('portal-session.codeWrong')
  const form = useForm(
    { code: '' },
    {
      check: ({ code }) => ({ code: !/^\d{6}$/.test(code) && t('portal-session.codeShort') }),
      problems: { code: wrong },
      reasons: { invalid_code: { code: wrong } }
    }
  )

  function submit(event: FormEvent) {
    void form.submit(async ({ code }) => {
      await post(verify, { code })
      announce(t(done))
      await reloadMe()
      await navigate({ to: later })
    }, event)
  }

  function type(typed: string) {
    const digits = typed.replace(/\D/g, '').slice(0, 6)
    flushSync(() => form.set('code', digits))
    if (digits.length === 6 && digits !== form.values.code) element.current?.requestSubmit()
  }

  const [before, after] = t('portal-session.codeSentTo', { address: '\n' }).split('\n')
  return (
    <CardPage
      title={t(title)}
      icon={<Shown size={22} aria-hidden />}
      lede={
        <>
          {before}
          <bdi className={styles.target}>{target}</bdi>
          {after}
        </>
      }
      below={
        <>
          <Link to={later} className="link">
            {t('portal-session.later')}
          </Link>
          , {t(kind === 'email' ? 'portal-session.laterRest' : 'portal-session.laterRestAccount')}
        </>
      }
    >
      <form ref={element} onSubmit={submit} noValidate>
        <TextField
          className={styles.code!}
          label={t(label)}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={12}
          dir="ltr"
          {...form.field('code')}
          onChange={type}
          onFocus={event => event.target.select()}
        />
        {form.failure && <Banner tone="bad">{form.failure}</Banner>}
        <Button
          type="submit"
          variant="primary"
          size="lg"
          block
          busy={form.isBusy}
          busyLabel={t('portal-session.verifying')}
        >
          {t('portal-session.verify')}
        </Button>
      </form>
      <div className={styles.again}>
        <SendAgain path={send} />
        <Link to="/account" className="link">
          {t(change)}
        </Link>
      </div>
    </CardPage>
  )
}

/** Usually a code was sent just before this page was opened. If the page was opened by its address, a code is sent now, once. */
function SendAgain({ path }: { path: (typeof kinds)[Kind]['send'] }) {
  const [sentAt, setSentAt] = useState(() => sentBefore(path))
  const [words, setWords] = useState<string>()
  const isSending = useRef(false)

  const send = useCallback(async () => {
    if (isSending.current) return
    isSending.current = true
    setWords(undefined)
    try {
      await post(path)
      const now = Date.now()
      // After a reload no other code is sent.
      history.replaceState({ ...history.state, sentAt: now }, '')
      lastSent.set(path, now)
      setSentAt(now)
      announce(t('portal-session.newCodeSent'))
    } catch (error) {
      setWords(failureText(error))
    } finally {
      isSending.current = false
    }
  }, [path])

  useEffect(() => {
    if (sentBefore(path) === undefined) void send()
  }, [path, send])

  const left = sentAt === undefined ? 0 : Math.max(0, resendSeconds - Math.floor((Date.now() - sentAt) / 1000))
  return (
    <span>
      <Again key={sentAt} seconds={left} onSend={() => void send()} />
      {words && <span role="alert"> {words}</span>}
    </span>
  )
}

/** The time of the last code by endpoint, so that leaving the page and coming back sends no other code. */
const lastSent = new Map<string, number>()

function sentBefore(path: string): number | undefined {
  const told = (history.state as { sentAt?: number } | null)?.sentAt
  if (told !== undefined) lastSent.set(path, told)
  const sent = lastSent.get(path)
  return sent !== undefined && Date.now() - sent < resendSeconds * 1000 ? sent : told
}

function Again({ seconds, onSend }: { seconds: number; onSend(): void }) {
  const left = useCountdown(seconds)
  if (left > 0)
    return t('portal-session.newCodeIn', { time: `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}` })
  return (
    <button type="button" className="link" onClick={onSend}>
      {t('portal-session.newCode')}
    </button>
  )
}

function Verified({ kind }: { kind: Kind }) {
  return (
    <StatePage
      title={t('portal-session.alreadyVerified')}
      text={t('portal-session.alreadyVerifiedText')}
      action={
        kind === 'email' ? (
          <LinkButton to="/">{t('portal.toMyTickets')}</LinkButton>
        ) : (
          <LinkButton to="/account">{t('portal-shell.account')}</LinkButton>
        )
      }
    />
  )
}
