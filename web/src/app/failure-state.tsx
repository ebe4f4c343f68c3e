import { RotateCw } from 'lucide-react'
import { t } from '../lib/strings.ts'
import { RetryAfter, StateMessage } from '../ui/state-message.tsx'
import { failureOf, failureText } from './failures.ts'

interface FailureStateProps {
  error: unknown
  onRetry: () => void
  title?: string
  heading?: 'h1' | 'h2' | 'p'
}

/** Shown if a part of a page could not be loaded: the reason, and what to do. */
export function FailureState({ error, onRetry, title, heading = 'p' }: FailureStateProps) {
  const failure = failureOf(error)
  const seconds = Math.ceil(failure?.retryAfterSeconds ?? 0)
  const shared = { heading, requestId: failure?.requestId }

  // An address may name what can be nothing, such as a ticket `xyz`.
  const status = failure?.errors[0] === 'id' ? 404 : failure?.status
  if (status === 403 || status === 404) {
    const name = status === 404 ? 'gone' : 'forbidden'
    return <StateMessage {...shared} kind={`${status}`} title={t(`ui.${name}Title`)} text={t(`ui.${name}Text`)} />
  }
  if (status === 429 || status === 503) {
    const isBusy = status === 503
    const name = isBusy ? 'busy' : 'tooMany'
    const left = seconds || (isBusy ? 5 : 60)
    return (
      <StateMessage
        heading={heading}
        kind={`${status}`}
        title={t(`ui.${name}Title`)}
        text={t(`ui.${name}Text`)}
        action={<RetryAfter seconds={left} onRetry={onRetry} itself={isBusy} key={left} />}
      />
    )
  }
  const isOffline = failure?.reason === 'network_error' && !navigator.onLine
  return (
    <StateMessage
      {...shared}
      kind={isOffline ? 'offline' : 'error'}
      title={isOffline ? t('ui.offlineTitle') : (title ?? t('ui.notLoadedTitle'))}
      text={isOffline ? t('ui.offlineText') : failureText(error)}
      action={{ label: t('shared.tryAgain'), onClick: onRetry, icon: RotateCw }}
    />
  )
}
