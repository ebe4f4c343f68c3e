import { type Key, t } from '../../lib/strings.ts'
import { Banner } from '../../ui/banner.tsx'
import type { Arrival, Provider } from './ways-to-sign-in.ts'

const codes = [
  'access_denied',
  'account_unknown',
  'deactivated',
  'expired',
  'link_refused',
  'provider_error',
  'provider_gone',
  'verify_first',
  'wrong_tenant'
] as const

/** Nobody was judged: another try, or another way, may do. */
const mild = new Set<string>(['expired', 'provider_error', 'provider_gone'])

interface RefusalBannerProps {
  arrival: Arrival
  providers: Provider[]
  /** They are signed in, and wanted to connect their account. */
  isConnecting?: boolean
}

/** Why a provider did not let somebody in, and what they can do. Needs the strings of `sign-on`. */
export function RefusalBanner({ arrival, providers, isConnecting = false }: RefusalBannerProps) {
  const { error, reference, provider } = arrival
  if (error === undefined) return null
  const code = codes.find(each => each === error) ?? 'provider_error'
  const name = providers.find(({ slug }) => slug === provider)?.name ?? t('sign-on.theProvider')
  const key: Key = isConnecting && code === 'link_refused' ? 'sign-on.notConnected' : `sign-on.error.${code}`
  return (
    <Banner tone={mild.has(code) ? 'warn' : 'bad'}>
      {t(key, { name })}
      {reference && ` ${t('sign-on.reference', { reference })}`}
    </Banner>
  )
}
