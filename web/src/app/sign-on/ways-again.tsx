import type { Population } from '@deskline/client'
import { t } from '../../lib/strings.ts'
import { PasskeySignIn } from './passkey-sign-in.tsx'
import { ProviderLinks } from './provider-links.tsx'
import type { WaysToSignIn } from './ways-to-sign-in.ts'

interface WaysAgainProps {
  population: Population
  ways: WaysToSignIn
  onSignedIn: () => Promise<void>
}

/** The ways beside the password to come back to a page whose session has ended. It hears of a sign-in in another window. Needs `sign-on`. */
export function WaysAgain({ population, ways: { providers, passkeys }, onSignedIn }: WaysAgainProps) {
  return (
    <>
      <p className="sign-on-or">{t('sign-on.or')}</p>
      {providers.length > 0 && (
        <ProviderLinks
          population={population}
          providers={providers}
          returnTo={population === 'staff' ? '/desk' : '/'}
          isElsewhere
        />
      )}
      {passkeys && (
        <div className="sign-on-more">
          <PasskeySignIn population={population} isOffered={false} hasButton onSignedIn={onSignedIn} />
        </div>
      )}
    </>
  )
}
