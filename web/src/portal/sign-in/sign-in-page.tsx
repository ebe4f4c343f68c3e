import { useState } from 'react'
import { useApiQuery } from '../../app/api-queries.ts'
import { useMaybeMe } from '../../app/me.ts'
import { completeSignIn } from '../../app/session.ts'
import { SignInForm } from '../../app/sign-in-form.tsx'
import { useArrival } from '../../app/sign-on/ways-to-sign-in.ts'
import { t } from '../../lib/strings.ts'
import { useSearch } from '../../router/react.tsx'
import { Banner } from '../../ui/banner.tsx'
import { type Address, Link, useNavigate } from '../navigation.ts'
import { CenteredCard } from '../portal-page.tsx'
import { rememberEmail, rememberedEmail } from './remembered-email.ts'

/** Asks for e-mail and password, then for a code if there is a second factor, and continues to the requested page. */
export function SignInPage() {
  const navigate = useNavigate()
  const arrival = useArrival()
  const { next = arrival.returnTo } = useSearch<{ next?: unknown }>()
  const me = useMaybeMe()
  const [isPasswordNew] = useState(() => (history.state as { isPasswordNew?: boolean } | null)?.isPasswordNew === true)

  return (
    <CenteredCard below={<OtherWays />}>
      <SignInForm
        population="client"
        title={t('shared.signIn')}
        sub={t('portal-sign-in.signInLede')}
        knownEmail={rememberedEmail() || (me?.email ?? '')}
        onEmail={rememberEmail}
        notice={isPasswordNew && <Banner tone="good">{t('portal-sign-in.passwordChanged')}</Banner>}
        forgot={
          <Link to="/forgot" className="link">
            {t('portal-sign-in.forgotIt')}
          </Link>
        }
        arrival={arrival}
        returnTo={returnAddress(next)}
        onSignedIn={async () => {
          await completeSignIn()
          await navigate({ to: returnAddress(next), replace: true })
        }}
      />
    </CenteredCard>
  )
}

/** Where `?next=` leads: only to a page of the portal. */
function returnAddress(next: unknown): Address {
  const isOwn = typeof next === 'string' && /^\/(?![/\\])/.test(next) && !next.startsWith('/sign-in')
  return isOwn ? (next as Address) : '/'
}

/** Links for people without an account: sign-up and tickets without an account, if the desk allows them. */
function OtherWays() {
  const { data: desk } = useApiQuery('/api/desk', {}, { staleTime: Number.POSITIVE_INFINITY })
  const mayOpen = desk?.tickets_without_account === 1
  return (
    <>
      {desk?.sign_up !== 0 && (
        <>
          {t('portal-sign-in.newHere')}{' '}
          <Link to="/sign-up" className="link">
            {t('portal-sign-in.openAnAccount')}
          </Link>
        </>
      )}
      {desk?.sign_up !== 0 && mayOpen && ' · '}
      {mayOpen && (
        <Link to="/open" className="link">
          {t('portal-sign-in.withoutAccount')}
        </Link>
      )}
    </>
  )
}
