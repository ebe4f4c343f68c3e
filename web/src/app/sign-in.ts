import type { Population } from '@deskline/client'
import { useRef, useState } from 'react'
import { t } from '../lib/strings.ts'
import { apiClient } from './api-client.ts'
import { failureOf, failureText, hasReason } from './failures.ts'

export type SignInStep = 'password' | 'code' | 'recovery'

/**
 * The steps of a sign-in: e-mail and password, then a code where there is a second factor. One thing at a time: what is pressed twice is sent
 * once. A refusal does not tell whether there is such an account.
 */
export function useSignIn(population: Population, onSignedIn: () => Promise<void>) {
  const [step, setStep] = useState<SignInStep>('password')
  const [email, setEmail] = useState('')
  const [refusal, setRefusal] = useState<string>()
  const [isBusy, setIsBusy] = useState(false)
  const running = useRef(false)

  async function once(work: () => Promise<void>) {
    if (running.current) return
    running.current = true
    setIsBusy(true)
    setRefusal(undefined)
    try {
      await work()
    } catch (error) {
      if (hasReason(error, 'two_factor_challenge_expired')) setStep('password')
      setRefusal(refusalText(error))
    } finally {
      running.current = false
      setIsBusy(false)
    }
  }

  return {
    step,
    email,
    refusal,
    isBusy,
    setStep(next: SignInStep) {
      setStep(next)
      setRefusal(undefined)
    },
    signIn: (credentials: { email: string; password: string }) =>
      once(async () => {
        setEmail(credentials.email)
        const answer = await apiClient.signIn({ ...credentials, population })
        if ('requires_2fa' in answer) setStep('code')
        else await onSignedIn()
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
  const failure = failureOf(error)
  // Status 400: the e-mail address or the password is missing or malformed.
  if (failure?.status === 400) return t('shared.signInRefused')
  return failureText(error)
}
