import { ChevronDown, Plus } from 'lucide-react'
import type { ComponentProps } from 'react'
import type { Icon } from './icon.tsx'
import './part.css'

type PartProps = ComponentProps<'button'> & {
  icon?: Icon
  /** Something to add: a dashed edge. */
  adds?: boolean
  /** It stands alone, and says by a chevron that it opens a list. */
  hasChevron?: boolean
}

/** A part of a sentence that can be chosen: the button of a `Picker` in running text. */
export function Part({ icon: Shown, adds, hasChevron, className, children, ...props }: PartProps) {
  return (
    <button {...props} type="button" className={['part', adds && 'adds', className].filter(Boolean).join(' ')}>
      {Shown && <Shown size={14} aria-hidden />}
      <span>{children}</span>
      {hasChevron && <ChevronDown size={14} aria-hidden />}
    </button>
  )
}

/** The verb of a sentence, where it can be chosen: "is one of". */
export function Operator({ className, ...props }: ComponentProps<'button'>) {
  return <button {...props} type="button" className={className ? `operator ${className}` : 'operator'} />
}

/** "Add a condition" */
export function AddPart(props: Omit<PartProps, 'icon' | 'adds'>) {
  return <Part {...props} icon={Plus} adds />
}
