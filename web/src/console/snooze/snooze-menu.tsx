import { type ComponentProps, type ReactElement, Suspense, useState } from 'react'
import { lazyPart } from '../../app/lazy-part.ts'
import { loadStrings } from '../../lib/strings.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { type TriggerProps, usePopover } from '../../ui/popover.ts'
import { useIsPhone } from '../use-layout.ts'
import css from './snooze-menu.module.css'

/** Loaded when it is opened: most tickets are not snoozed. */
const Panel = lazyPart(async () => {
  const [{ SnoozePanel }] = await Promise.all([import('./snooze-panel.tsx'), loadStrings('snooze')])
  return { default: SnoozePanel }
})

interface SnoozeMenuProps extends ComponentProps<typeof Panel> {
  label: string
  trigger(props: TriggerProps): ReactElement
}

/** Chooses until when a ticket is snoozed: below the button, on phones in a sheet. */
export function SnoozeMenu({ label, trigger, onChoose, ...panel }: SnoozeMenuProps) {
  const isPhone = useIsPhone()
  const [isAsking, setAsking] = useState(false)
  const popover = usePopover('dialog', 'end')
  const choose: typeof onChoose = choice => {
    popover.hide()
    setAsking(false)
    onChoose(choice)
  }
  const content = (
    <Suspense fallback={<div className={css.place} />}>
      <Panel {...panel} onChoose={choose} />
    </Suspense>
  )
  if (isPhone) {
    return (
      <>
        {trigger({
          ...popover.triggerProps,
          'aria-expanded': isAsking,
          onClick: () => setAsking(true),
          onKeyDown() {}
        })}
        <Dialog title={label} open={isAsking} onClose={() => setAsking(false)} className={css.sheet!}>
          {content}
        </Dialog>
      </>
    )
  }
  return (
    <>
      {trigger(popover.triggerProps)}
      <div
        ref={popover.floating}
        id={popover.id}
        popover="auto"
        role="dialog"
        aria-label={label}
        className={`menu ${css.menu}`}
      >
        {popover.open && content}
      </div>
    </>
  )
}
