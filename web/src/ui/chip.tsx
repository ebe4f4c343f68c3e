import { ChevronDown, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { t } from '../lib/strings.ts'
import './badge.css'
import type { Icon } from './icon.tsx'
import { Menu, type MenuItem } from './menu.tsx'
import type { TriggerProps } from './popover.ts'

interface ChipProps {
  /** Whether the filter is set. */
  on?: boolean
  /** "2 new" */
  isNew?: boolean
  icon?: Icon
  /** Called when the × or Delete is pressed. */
  onClear?: (() => void) | undefined
  menu?: MenuItem[]
  onClick?: (() => void) | undefined
  /** Given if the chip opens a picker. */
  triggerProps?: TriggerProps
  children: ReactNode
}

/** A filter: a chevron while it is unset, × when it is set. */
export function Chip({ on, isNew, icon: Shown, onClear, menu, onClick, triggerProps, children }: ChipProps) {
  const chip = (trigger?: TriggerProps) => (
    <button
      {...trigger}
      type="button"
      className={`chip${on ? ' on' : ''}${isNew ? ' new' : ''}`}
      onClick={trigger ? trigger.onClick : (onClick ?? onClear)}
      onKeyDown={event => {
        if (onClear && (event.key === 'Delete' || event.key === 'Backspace')) onClear()
        else trigger?.onKeyDown(event)
      }}
    >
      {Shown && <Shown size={12} aria-hidden />}
      {children}
      {on && onClear && (
        <>
          <span className="visually-hidden">{t('ui.clearFilter')}</span>
          <X size={12} aria-hidden />
        </>
      )}
      {!on && !isNew && (menu || triggerProps) && <ChevronDown size={12} aria-hidden />}
    </button>
  )
  return menu && !(on && onClear) ? (
    <Menu items={menu} trigger={chip} />
  ) : (
    chip(on && onClear ? undefined : triggerProps)
  )
}
