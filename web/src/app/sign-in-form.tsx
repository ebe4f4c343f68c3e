import type { Population } from '@deskline/client'
import { type FormEvent, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { loadStrings, t } from '../lib/strings.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Field, PasswordField, TextField } from '../ui/field.tsx'
import { PageTitle, useTitle } from '../ui/page.tsx'
import { Delayed, Skeleton } from '../ui/skeleton.tsx'
import { lazyPart } from './lazy-part.ts'
import { type SignInStep, useSignIn } from './sign-in.ts'
import './sign-in-form.css'
import { type Arrival, useWaysToSignIn } from './sign-on/ways-to-sign-in.ts'

const loadWays = async () => (await Promise.all([import('./sign-on/other-ways.ts'), loadStrings('sign-on')]))[0]
const ProviderWays = lazyPart(async () => ({ default: (await loadWays()).ProviderWays }))
const PasskeySignIn = lazyPart(async () => ({ default: (await loadWays()).PasskeySignIn }))

interface SignInFormProps {
  population: Population
  /** "Sign in to the desk" */
  title: string
  /** "Nordlicht Energie, staff" */
  sub?: ReactNode
  /** A link: "Forgot it?" */
  forgot: ReactNode
  /** Continues to the page that was requested before the sign-in. */
  onSignedIn: () => Promise<void>
  /** That page, to which a provider sends back. */
  returnTo: string
  arrival: Arrival
  /** Shown above the form: the reason for the sign-in. */
  notice?: ReactNode
  /** An e-mail address that is already known; it is filled in. */
  knownEmail?: string
  onEmail?: (email: string) => void
}

/** Providers, e-mail and password or a passkey, then the code where there is a second factor. */
export function SignInForm(props: SignInFormProps) {
  const { population, title, sub, forgot, onSignedIn, notice, knownEmail = '', onEmail, returnTo, arrival } = props
  const flow = useSignIn(population, onSignedIn)
  const ways = useWaysToSignIn(population)
  const [areFieldsOpen, setFieldsOpen] = useState(arrival.error?.startsWith('provider_'))
  const [email, setEmail] = useState(knownEmail)
  const [password, setPassword] = useState('')
  const resume = useRef(arrival.isAskedForCode ? flow.resume : undefined)

  // The challenge is read once, also where effects run twice.
  useEffect(() => {
    void resume.current?.()
    resume.current = undefined
  }, [])

  if (flow.step !== 'password') return <CodeStep flow={flow} key={flow.step} />
  const hasFields = ways && (areFieldsOpen || !ways.isPasswordForAdmins)

  function submit(event: FormEvent) {
    event.preventDefault()
    void flow.signIn({ email: email.trim(), password })
  }

  return (
    <div className="card">
      <SignInTitle title={title} />
      {sub && <p className="sub">{sub}</p>}
      {notice}
      {flow.refusal && <Banner tone="bad">{flow.refusal}</Banner>}
      {/* All ways come at once: nothing moves under the pointer. */}
      <Suspense fallback={<Waiting />}>
        {!ways && <Waiting />}
        {ways && (ways.providers.length > 0 || arrival.error !== undefined) && (
          <ProviderWays
            population={population}
            providers={ways.providers}
            returnTo={returnTo}
            arrival={arrival}
            onPassword={hasFields ? undefined : () => setFieldsOpen(true)}
          />
        )}
        {hasFields && (
          <form onSubmit={submit}>
            <TextField
              label={t('shared.email')}
              hint={ways.passkeys === 'offered' ? t('session.passkeyOffered') : undefined}
              name="email"
              type="email"
              autoComplete={ways.passkeys ? 'username webauthn' : 'username'}
              autoCapitalize="off"
              spellCheck={false}
              required
              value={email}
              onChange={typed => {
                setEmail(typed)
                onEmail?.(typed)
              }}
            />
            <PasswordField
              label={t('shared.password')}
              name="password"
              required
              aside={forgot}
              value={password}
              onChange={setPassword}
            />
            <Button
              type="submit"
              variant="primary"
              size="lg"
              block
              busy={flow.isBusy}
              busyLabel={t('shared.signingIn')}
            >
              {t('shared.signIn')}
            </Button>
          </form>
        )}
      </Suspense>
      {ways?.passkeys && (
        <Suspense>
          <PasskeySignIn
            population={population}
            isOffered={hasFields === true && ways.passkeys === 'offered'}
            hasButton={!hasFields || ways.passkeys === 'asked'}
            onSignedIn={onSignedIn}
          />
        </Suspense>
      )}
    </div>
  )
}

function Waiting() {
  return (
    <Delayed>
      <Skeleton lines={4} />
    </Delayed>
  )
}

function CodeStep({ flow }: { flow: ReturnType<typeof useSignIn> }) {
  const isRecovery = flow.step === 'recovery'
  return (
    <div className="card">
      <SignInTitle title={isRecovery ? t('session.enterRecovery') : t('session.enterCode')} />
      <p className="sub">{isRecovery ? t('session.recoveryText') : codeText(flow.email)}</p>
      {flow.refusal && <Banner tone="bad">{flow.refusal}</Banner>}
      <CodeForm step={flow.step} isBusy={flow.isBusy} refusal={flow.refusal} onCode={flow.verify} />
      <div className="auth-ways">
        <button type="button" className="link" onClick={() => flow.setStep(isRecovery ? 'code' : 'recovery')}>
          {isRecovery ? t('session.useApp') : t('session.useRecovery')}
        </button>
        <button type="button" className="link" onClick={() => flow.setStep('password')}>
          {t('session.startAgain')}
        </button>
      </div>
    </div>
  )
}

/** Whom a provider has sent has typed no address. */
function codeText(email: string): string {
  return email ? t('session.codeText', { email }) : t('session.codeTextPlain')
}

interface CodeFormProps {
  step: SignInStep
  isBusy: boolean
  refusal: string | undefined
  onCode: (code: string) => void
  submitLabel?: string
}

/** One field, sent at the sixth digit; pasting works. Recovery codes are sent by the button. */
export function CodeForm({ step, isBusy, refusal, onCode, submitLabel }: CodeFormProps) {
  const [code, setCode] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const isRecovery = step === 'recovery'

  useEffect(() => field.current?.focus(), [])
  // A refused code is cleared, to be typed again.
  useEffect(() => {
    if (!refusal || isBusy) return
    setCode('')
    field.current?.focus()
  }, [refusal, isBusy])

  function type(typed: string) {
    const next = isRecovery ? typed : typed.replace(/\D/g, '').slice(0, 6)
    setCode(next)
    if (!isRecovery && next.length === 6 && !isBusy) onCode(next)
  }

  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        onCode(code.trim())
      }}
    >
      <Field
        label={isRecovery ? t('session.recoveryCode') : t('session.code')}
        hint={isRecovery ? undefined : t('session.codeHint')}
      >
        {props => (
          <input
            {...props}
            ref={field}
            className={isRecovery ? 'input code words' : 'input code'}
            name="code"
            type="text"
            inputMode={isRecovery ? 'text' : 'numeric'}
            autoComplete={isRecovery ? 'off' : 'one-time-code'}
            autoCapitalize="off"
            spellCheck={false}
            required
            value={code}
            onChange={event => type(event.target.value)}
          />
        )}
      </Field>
      <Button type="submit" variant="primary" size="lg" block busy={isBusy} busyLabel={t('session.checking')}>
        {submitLabel ?? t('session.checkCode')}
      </Button>
    </form>
  )
}

function SignInTitle({ title }: { title: string }) {
  useTitle(title)
  return <PageTitle>{title}</PageTitle>
}
