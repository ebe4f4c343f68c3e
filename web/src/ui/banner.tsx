import { Info, ShieldCheck, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import './banner.css'
import { Button } from './button.tsx'
import type { Icon } from './icon.tsx'

type BannerTone = 'info' | 'warn' | 'bad' | 'good'

const icons: Record<BannerTone, Icon> = { info: Info, warn: TriangleAlert, bad: TriangleAlert, good: ShieldCheck }

interface BannerProps {
  tone?: BannerTone
  icon?: Icon
  action?: { label: string; onClick: () => void; icon?: Icon; busy?: boolean } | undefined
  /** Where there are two ways: the one that stands first. */
  second?: { label: string; onClick: () => void } | undefined
  children: ReactNode
}

/** One sentence and, nearly always, at most one button, at the place that it concerns. Errors are announced at once. */
export function Banner({ tone = 'info', icon, action, second, children }: BannerProps) {
  const Shown = icon ?? icons[tone]
  return (
    <div className={`banner ${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
      <Shown size={16} aria-hidden />
      <div className="words">{children}</div>
      {second && (
        <Button size="sm" onClick={second.onClick}>
          {second.label}
        </Button>
      )}
      {action && (
        <Button
          size="sm"
          onClick={action.onClick}
          {...(action.icon && { icon: action.icon })}
          busy={action.busy ?? false}
        >
          {action.label}
        </Button>
      )}
    </div>
  )
}
