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
  const retry = { label: t('shared.tryAgain'), onClick: onRetry, icon: RotateCw }
  const shared = { heading, requestId: failure?.requestId }

  if (failure?.status === 403)
    return <StateMessage {...shared} kind="403" title={t('ui.forbiddenTitle')} text={t('ui.forbiddenText')} />
  // An address may name what can be nothing, such as a ticket `xyz`.
  if (failure?.status === 404 || failure?.errors[0] === 'id')
    return <StateMessage {...shared} kind="404" title={t('ui.goneTitle')} text={t('ui.goneText')} />
  if (failure?.status === 429) {
    const left = seconds || 60
    const again = <RetryAfter seconds={left} onRetry={onRetry} key={left} />
    return (
      <StateMessage
        heading={heading}
        kind="429"
        title={t('ui.tooManyTitle')}
        text={t('ui.tooManyText')}
        action={again}
      />
    )
  }
  if (failure?.status === 503) {
    const again = <RetryAfter seconds={seconds || 5} onRetry={onRetry} itself key={seconds} />
    return (
      <StateMessage heading={heading} kind="503" title={t('ui.busyTitle')} text={t('ui.busyText')} action={again} />
    )
  }
  if (failure?.reason === 'network_error' && !navigator.onLine)
    return (
      <StateMessage {...shared} kind="offline" title={t('ui.offlineTitle')} text={t('ui.offlineText')} action={retry} />
    )
  return (
    <StateMessage
      {...shared}
      kind="error"
      title={title ?? t('ui.notLoadedTitle')}
      text={failureText(error)}
      action={retry}
    />
  )
}
