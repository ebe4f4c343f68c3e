import { Check, Clock, Lock, RotateCw, Search, TriangleAlert, WifiOff } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { t } from '../lib/strings.ts'
import { Button } from './button.tsx'
import { focusIfRequested } from './heading-focus.ts'
import type { Icon } from './icon.tsx'
import './state-message.css'

type StateKind = 'empty' | 'error' | '403' | '404' | '429' | '503' | 'offline'

const icons: Record<StateKind, Icon> = {
  empty: Check,
  error: TriangleAlert,
  '403': Lock,
  '404': Search,
  '429': Clock,
  '503': Clock,
  offline: WifiOff
}

interface StateMessageProps {
  icon?: Icon
  title: ReactNode
  text?: ReactNode
  action?: { label: string; onClick?: () => void; href?: string; icon?: Icon; disabled?: boolean } | ReactNode
  kind?: StateKind
  /** The id of the request in the service's log. */
  requestId?: string | undefined
  /** Set this if the page has no other heading. */
  heading?: 'h1' | 'h2' | 'p'
}

/** Replaces content that is empty or could not be loaded: a title, one sentence, one action. */
export function StateMessage({
  icon,
  title: words,
  text,
  action,
  kind = 'empty',
  requestId,
  heading: Heading = 'p'
}: StateMessageProps) {
  const Shown = icon ?? icons[kind]
  const title = useRef<HTMLHeadingElement & HTMLParagraphElement>(null)
  useEffect(() => {
    if (Heading === 'h1') focusIfRequested(title.current)
  }, [Heading])
  return (
    <section className="state" role={kind === 'error' ? 'alert' : undefined}>
      <span className="tile">
        <Shown size={20} aria-hidden />
      </span>
      <Heading ref={title} className="title" {...(Heading === 'h1' && { tabIndex: -1 })}>
        {words}
      </Heading>
      {text && <p>{text}</p>}
      {isStep(action) ? <Step {...action} /> : action}
      {requestId && (
        <p className="request">
          {t('ui.request')} <code>{requestId}</code>
        </p>
      )}
    </section>
  )
}

type StepProps = { label: string; onClick?: () => void; href?: string; icon?: Icon; disabled?: boolean }

function isStep(action: StateMessageProps['action']): action is StepProps {
  return typeof action === 'object' && action !== null && 'label' in action
}

function Step({ label, onClick, href, icon: Shown, disabled }: StepProps) {
  if (!href)
    return (
      <Button onClick={onClick} disabled={disabled ?? false} {...(Shown && { icon: Shown })}>
        {label}
      </Button>
    )
  return (
    <a className="btn" href={href}>
      {Shown && <Shown size={16} aria-hidden />}
      {label}
    </a>
  )
}

/** Counts down until a retry is allowed; with `itself` it then retries by itself. */
export function RetryAfter({ seconds, itself, onRetry }: { seconds: number; itself?: boolean; onRetry: () => void }) {
  const left = useCountdown(seconds)
  useEffect(() => {
    if (left === 0 && itself) onRetry()
  }, [left, itself, onRetry])
  return (
    <Button icon={RotateCw} onClick={onRetry} disabled={left > 0}>
      {left > 0 ? t('ui.tryAgainIn', { seconds: left }) : t('shared.tryAgain')}
    </Button>
  )
}

/** The remaining seconds by the clock, so that a tab that was suspended is not behind. */
export function useCountdown(seconds: number): number {
  const [end] = useState(() => Date.now() + seconds * 1000)
  const [left, setLeft] = useState(Math.ceil(seconds))
  useEffect(() => {
    if (left <= 0) return
    const timer = setTimeout(
      () => setLeft(Math.max(0, Math.ceil((end - Date.now()) / 1000))),
      (end - Date.now()) % 1000 || 1000
    )
    return () => clearTimeout(timer)
  }, [left, end])
  return left
}
