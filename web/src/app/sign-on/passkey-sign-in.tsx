import type { Population } from '@deskline/client'
import { useEffect, useState } from 'react'
import { t } from '../../lib/strings.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { failureText, hasReason } from '../failures.ts'
import { isBrowsers, isGivenUp, signInByPasskey } from './passkeys.ts'
import './sign-on.css'

/** A challenge is good for five minutes, while a sign-in page may stay open for days. */
const renewMilliseconds = 4 * 60_000

interface PasskeySignInProps {
  population: Population
  /** The browser offers passkeys in the field of the e-mail address; a button asks for one elsewhere. */
  isOffered: boolean
  hasButton: boolean
  onSignedIn: () => Promise<void>
}

/** Signs in with a passkey. Needs the strings of `sign-on`. */
export function PasskeySignIn({ population, isOffered, hasButton, onSignedIn }: PasskeySignInProps) {
  const [refusal, setRefusal] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const [offers, setOffers] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: it is offered anew after each refusal, and when its challenge gets old.
  useEffect(() => {
    if (!isOffered) return
    let isOver = false
    signInByPasskey(population, { useBrowserAutofill: true, onChosen: () => setBusy(true) }).then(
      () => {
        if (!isOver) void onSignedIn()
      },
      error => {
        setBusy(false)
        if (isOver || isBrowsers(error)) return
        setRefusal(refusalText(error))
        if (hasReason(error, 'invalid_passkey', 'passkey_blocked')) setOffers(offers => offers + 1)
      }
    )
    const timer = setTimeout(() => setOffers(offers => offers + 1), renewMilliseconds)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [isOffered, population, offers])

  async function ask() {
    setBusy(true)
    setRefusal(undefined)
    try {
      await signInByPasskey(population)
      await onSignedIn()
    } catch (error) {
      if (!isGivenUp(error)) setRefusal(isBrowsers(error) ? t('sign-on.passkeyNotHere') : refusalText(error))
      // The browser offers them in the field again.
      setOffers(offers => offers + 1)
    } finally {
      setBusy(false)
    }
  }

  return (
    <>
      {refusal && <Banner tone="bad">{refusal}</Banner>}
      {hasButton && (
        <Button size="lg" block busy={isBusy} busyLabel={t('shared.signingIn')} onClick={() => void ask()}>
          {t('sign-on.usePasskey')}
        </Button>
      )}
    </>
  )
}

function refusalText(error: unknown): string {
  if (hasReason(error, 'invalid_passkey')) return t('sign-on.passkeyUnknown')
  if (hasReason(error, 'passkey_blocked')) return t('sign-on.passkeyBlocked')
  if (hasReason(error, 'account_inactive')) return t('sign-on.error.deactivated')
  return failureText(error)
}
