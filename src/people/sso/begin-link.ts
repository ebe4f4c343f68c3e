import type { Session } from '../../core/actor.ts'
import type { Services } from '../../core/services.ts'
import { failure } from '../../kit/errors.ts'
import { requireFreshSignIn } from '../auth/fresh-sign-in.ts'
import { SsoProviderNotFound } from './change-providers.ts'
import { providerBySlug } from './providers.ts'
import { startSignIn } from './sign-in-by-provider.ts'

export const SsoFailed = failure(503, 'sso_failed', 'The identity provider cannot be reached. Please try again later')

const accountPage = { client: '/account/security', staff: '/desk/account?part=connected' } as const

/** Begins to connect the actor's account with one at a provider. Throws `SsoProviderNotFound`, `SsoFailed`, and what `requireFreshSignIn` throws. */
export async function beginLink(
  services: Services,
  session: Session,
  { slug, password, code }: { slug: string; password?: string; code?: string },
  ip: string
): Promise<{ url: string; cookie: string }> {
  const { population } = session.actor
  const provider = await providerBySlug(services.db, slug)
  if (!provider?.is_active || provider.population !== population) throw SsoProviderNotFound()
  const proof = { ...(password === undefined ? {} : { password }), ...(code === undefined ? {} : { code }) }
  await requireFreshSignIn(services, session, proof, ip)
  const begun = { returnTo: accountPage[population], purpose: 'link', session: session.id } as const
  const started = await startSignIn(services, provider, begun, ip)
  if ('error' in started) throw SsoFailed()
  return started
}
