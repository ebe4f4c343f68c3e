import type { Population } from '@deskline/client'
import { useState } from 'react'
import { t } from '../../lib/strings.ts'
import { buttonClass } from '../../ui/button.tsx'
import './sign-on.css'
import type { Provider } from './ways-to-sign-in.ts'

/** More of them would push the fields out of sight. */
const shownAtOnce = 2

interface ProviderLinksProps {
  population: Population
  providers: Provider[]
  /** The page of ours to which one comes back. */
  returnTo: string
  /** In a window of its own: what is on this page stays. */
  isElsewhere?: boolean
}

/** "Continue with Nordlicht". Links, since the browser leaves for the provider. */
export function ProviderLinks({ population, providers, returnTo, isElsewhere = false }: ProviderLinksProps) {
  const [areAllShown, setAllShown] = useState(providers.length <= shownAtOnce + 1)
  return (
    <div className="sign-on">
      {providers.slice(0, areAllShown ? undefined : shownAtOnce).map(({ slug, name }) => (
        <a
          key={slug}
          className={buttonClass('plain', 'lg', 'block')}
          href={`/api/sso/${slug}/start?${new URLSearchParams({ population, return_to: returnTo })}`}
          {...(isElsewhere && { target: '_blank', rel: 'noreferrer' })}
        >
          <span className="sign-on-tile" aria-hidden>
            {[...name][0]!.toUpperCase()}
          </span>
          <span>{t('sign-on.continueWith', { name })}</span>
        </a>
      ))}
      {!areAllShown && (
        <button type="button" className="link" onClick={() => setAllShown(true)}>
          {t('sign-on.otherWays')}
        </button>
      )}
    </div>
  )
}
