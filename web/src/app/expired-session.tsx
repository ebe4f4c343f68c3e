import { type FormEvent, Suspense, useId, useState } from 'react'
import { population } from '../client/client.ts'
import { loadStrings, t } from '../lib/strings.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { PasswordField } from '../ui/field.tsx'
import { useIsCalling } from './api-client.ts'
import './expired-session.css'
import { lazyPart } from './lazy-part.ts'
import { type Me, useMaybeMe } from './me.ts'
import { abandonSession, completeSignIn, useSessionState } from './session.ts'
import { useSignIn } from './sign-in.ts'
import { CodeForm } from './sign-in-form.tsx'
import { useWaysToSignIn } from './sign-on/ways-to-sign-in.ts'

const WaysAgain = lazyPart(async () => {
  const [part] = await Promise.all([import('./sign-on/ways-again.tsx'), loadStrings('sign-on')])
  return { default: part.WaysAgain }
})

/** The dialog for an expired session: the same person signs in again, and the interrupted calls continue. The page keeps its text. */
export function ExpiredSession() {
  const state = useSessionState()
  const me = useMaybeMe()
  return state === 'ended' && me ? <SignInAgain me={me} /> : null
}

function SignInAgain({ me }: { me: Me }) {
  const formId = useId()
  const flow = useSignIn(population, completeSignIn)
  const ways = useWaysToSignIn(population)
  const hasWays = ways && (ways.providers.length > 0 || ways.passkeys)
  const [password, setPassword] = useState('')
  const isSending = useIsCalling(/\/(reply|note|create)$/)
  const verb = isSending ? t('session.signInAndSend') : t('session.signInAndGoOn')

  function submit(event: FormEvent) {
    event.preventDefault()
    void flow.signIn({ email: me.email, password })
  }

  return (
    <Dialog
      title={t('session.signInAgain')}
      open
      insistent
      onClose={() => {}}
      footer={
        <>
          <Button variant="quiet" onClick={() => abandonSession()}>
            {t('session.somebodyElse')}
          </Button>
          {flow.step === 'password' && (
            <Button type="submit" form={formId} variant="primary" busy={flow.isBusy} busyLabel={t('shared.signingIn')}>
              {verb}
            </Button>
          )}
        </>
      }
    >
      <p className="t2">{isSending ? t('session.endedSending') : t('session.endedText')}</p>
      <div className="expired-person">
        <Avatar person={{ id: me.id, name: me.name, kind: me.kind }} />
        <span>
          <b>
            <bdi>{me.name}</bdi>
          </b>
          <span className="muted">{me.email}</span>
        </span>
      </div>
      {flow.refusal && <Banner tone="bad">{flow.refusal}</Banner>}
      {flow.step === 'password' ? (
        <form id={formId} onSubmit={submit}>
          {/* Password managers look for the account. */}
          <input
            className="visually-hidden"
            type="text"
            autoComplete="username"
            value={me.email}
            readOnly
            tabIndex={-1}
            aria-hidden
          />
          <PasswordField
            label={t('shared.password')}
            name="password"
            required
            data-autofocus
            value={password}
            onChange={setPassword}
          />
          {hasWays && (
            <Suspense>
              <WaysAgain population={population} ways={ways} onSignedIn={completeSignIn} />
            </Suspense>
          )}
        </form>
      ) : (
        <>
          <CodeForm
            step={flow.step}
            isBusy={flow.isBusy}
            refusal={flow.refusal}
            onCode={flow.verify}
            submitLabel={verb}
            key={flow.step}
          />
          <button
            type="button"
            className="link expired-way"
            onClick={() => flow.setStep(flow.step === 'recovery' ? 'code' : 'recovery')}
          >
            {flow.step === 'recovery' ? t('session.useApp') : t('session.useRecovery')}
          </button>
        </>
      )}
    </Dialog>
  )
}
