import type { Population } from '@deskline/client'
import { useState } from 'react'
import { t } from '../lib/strings.ts'
import { apiClient } from './api-client.ts'
import { failureOf, failureText, hasReason } from './failures.ts'
import { useForm } from './form.ts'

export type SignInStep = 'password' | 'code' | 'recovery'

/**
 * The steps of a sign-in: e-mail and password, then a code if there is a second factor. A refusal does not reveal whether there is such an
 * account.
 */
export function useSignIn(population: Population, onSignedIn: () => Promise<void>) {
  const [step, setStep] = useState<SignInStep>('password')
  const [email, setEmail] = useState('')
  const form = useForm({}, { failureText: refusalText })

  const once = (work: () => Promise<void>) =>
    form.submit(() =>
      work().catch(error => {
        if (hasReason(error, 'two_factor_challenge_expired')) setStep('password')
        throw error
      })
    )

  return {
    step,
    email,
    refusal: form.failure,
    isBusy: form.isBusy,
    setStep(next: SignInStep) {
      setStep(next)
      form.setFailure(undefined)
    },
    signIn: (credentials: { email: string; password: string }) =>
      once(async () => {
        setEmail(credentials.email)
        const answer = await apiClient.signIn({ ...credentials, population })
        if ('requires_2fa' in answer) setStep('code')
        else await onSignedIn()
      }),
    /** A provider has sent somebody back whose code is still asked for. */
    resume: () =>
      once(async () => {
        if (await apiClient.resumeSignIn()) setStep('code')
      }),
    verify: (code: string) =>
      once(async () => {
        await apiClient.verifyTwoFactor({ code })
        await onSignedIn()
      })
  }
}

function refusalText(error: unknown): string {
  if (hasReason(error, 'invalid_credentials')) return t('shared.signInRefused')
  if (hasReason(error, 'wrong_two_factor_code')) return t('session.codeRefused')
  if (hasReason(error, 'two_factor_challenge_expired')) return t('session.challengeOver')
  if (hasReason(error, 'account_inactive')) return t('session.inactive')
  if (hasReason(error, 'sso_required')) return t('session.ssoRequired')
  const failure = failureOf(error)
  // Status 400: the e-mail address or the password is missing or malformed.
  if (failure?.status === 400) return t('shared.signInRefused')
  return failureText(error)
}
