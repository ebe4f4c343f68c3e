import type { Session } from '../../core/actor.ts'
import type { Services } from '../../core/services.ts'
import { OidcFault } from '../../platform/oidc/oidc.ts'
import { ssoProvider } from './change-providers.ts'
import { oidcClient, oidcOf } from './providers.ts'
import { startSignIn } from './sign-in-by-provider.ts'
import { type TestResult, testResult } from './test-sign-in.ts'

interface Step {
  step: 'discovery' | 'keys' | 'sign_in'
  state: 'ok' | 'failed' | 'waiting'
  detail: string
}

interface Walk {
  steps: Step[]
  test_id: number | null
  url: string | null
  findings: TestResult | null
  cookie?: string
}

/** The steps of a test at a provider, as far as they went. Throws `SsoProviderNotFound`, and 429. */
export async function walkTest(
  services: Services,
  session: Session,
  { id, test_id }: { id: number; test_id?: number },
  ip: string
): Promise<Walk> {
  const provider = await ssoProvider(services.db, id)
  if (test_id !== undefined) {
    const result = await testResult(services, { attempt: test_id, session: session.id })
    const end = (state: Step['state'], detail: string, findings: TestResult | null = null): Walk => ({
      steps: [{ step: 'sign_in', state, detail }],
      test_id,
      url: null,
      findings
    })
    if (!result) return end('waiting', 'The sign-in has not come back yet')
    return 'failed' in result ? end('failed', result.failed) : end('ok', 'The sign-in went through', result)
  }
  const ended = (steps: Step[]): Walk => ({ steps, test_id: null, url: null, findings: null })
  const found: Step = { step: 'discovery', state: 'ok', detail: `${provider.issuer} answers` }
  try {
    await oidcOf(services).discover(oidcClient(services, provider))
  } catch (error) {
    if (!(error instanceof OidcFault)) throw error
    const failed = { state: 'failed', detail: error.message } as const
    return ended(error.step === 'keys' ? [found, { step: 'keys', ...failed }] : [{ step: 'discovery', ...failed }])
  }
  const steps: Step[] = [found, { step: 'keys', state: 'ok', detail: 'The keys are there' }]
  const begun = { returnTo: '/desk/settings/sign-in?tested=1', purpose: 'test', session: session.id } as const
  const started = await startSignIn(services, provider, begun, ip)
  if ('error' in started) return ended([...steps, { step: 'sign_in', state: 'failed', detail: 'It cannot begin' }])
  const { id: testId, url, cookie } = started
  steps.push({ step: 'sign_in', state: 'waiting', detail: 'Sign in at the provider' })
  return { steps, test_id: testId, url, findings: null, cookie }
}
