import type { Population } from '@deskline/client'
import { t } from '../../lib/strings.ts'
import { ProviderLinks } from './provider-links.tsx'
import { RefusalBanner } from './refusal-banner.tsx'
import type { Arrival, Provider } from './ways-to-sign-in.ts'

interface ProviderWaysProps {
  population: Population
  providers: Provider[]
  returnTo: string
  arrival: Arrival
  /** Opens the fields of the password, where only admins use it. */
  onPassword: (() => void) | undefined
}

/** What stands above the fields of the password: why a provider did not let somebody in, and the providers. Needs the strings of `sign-on`. */
export function ProviderWays({ population, providers, returnTo, arrival, onPassword }: ProviderWaysProps) {
  return (
    <>
      <RefusalBanner arrival={arrival} providers={providers} />
      {providers.length > 0 && (
        <>
          <ProviderLinks population={population} providers={providers} returnTo={returnTo} />
          {onPassword ? (
            <p className="sign-on-more">
              <button type="button" className="link" onClick={onPassword}>
                {t('sign-on.withPassword')}
              </button>
            </p>
          ) : (
            <p className="sign-on-or">{t('sign-on.or')}</p>
          )}
        </>
      )}
    </>
  )
}
