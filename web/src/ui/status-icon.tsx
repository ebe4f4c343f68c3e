import { type Key, t } from '../lib/strings.ts'

export type Status = 'Open' | 'In Progress' | 'Customer-Reply' | 'Answered' | 'Closed'
export type Priority = 'Low' | 'Medium' | 'High' | 'Critical'

export const statuses: Status[] = ['Open', 'In Progress', 'Customer-Reply', 'Answered', 'Closed']
export const priorities: Priority[] = ['Low', 'Medium', 'High', 'Critical']

const statusKeys: Record<Status, Key> = {
  Open: 'ui.statusOpen',
  'In Progress': 'ui.statusInProgress',
  'Customer-Reply': 'ui.statusCustomerReply',
  Answered: 'ui.statusAnswered',
  Closed: 'ui.statusClosed'
}
const priorityKeys: Record<Priority, Key> = {
  Low: 'ui.priorityLow',
  Medium: 'ui.priorityMedium',
  High: 'ui.priorityHigh',
  Critical: 'ui.priorityCritical'
}

/** In the words of the console. */
export function statusLabel(status: Status): string {
  return t(statusKeys[status])
}

export function priorityLabel(priority: Priority): string {
  return t(priorityKeys[priority])
}

interface StatusIconProps {
  /** True if the name of the status is shown beside the icon. */
  'aria-hidden'?: boolean
}

/** Each status has its own shape, so that it does not depend on the colour. */
export function StatusIcon({ status, ...rest }: StatusIconProps & { status: Status }) {
  return (
    <svg className="glyph" width={14} height={14} viewBox="0 0 14 14" {...named(rest, statusLabel(status))}>
      <title>{statusLabel(status)}</title>
      {drawings[status]}
    </svg>
  )
}

export function PriorityIcon({ priority, ...rest }: StatusIconProps & { priority: Priority }) {
  const name = t('ui.priorityNamed', { priority: priorityLabel(priority) })
  return (
    <svg className="glyph" width={14} height={14} viewBox="0 0 14 14" {...named(rest, name)}>
      <title>{name}</title>
      {priority === 'Critical' ? alarm : <Bars count={priorities.indexOf(priority) + 1} />}
    </svg>
  )
}

/** Two strokes, because an outlined pause icon is illegible at this size. */
export function PauseIcon({ size = 16, ...rest }: { size?: number; 'aria-hidden'?: boolean }) {
  return (
    <svg className="glyph" width={size} height={size} viewBox="0 0 16 16" aria-hidden {...rest}>
      <path d="M5.5 3.5v9M10.5 3.5v9" stroke="currentcolor" strokeWidth="2" strokeLinecap="round" />
    </svg>
  )
}

function named({ 'aria-hidden': hidden }: StatusIconProps, name: string) {
  return hidden ? { 'aria-hidden': true } : { role: 'img', 'aria-label': name }
}

const line = { fill: 'none', strokeWidth: 1.6 }
const tick = { fill: 'none', strokeWidth: 1.5, strokeLinecap: 'round', strokeLinejoin: 'round' } as const

const drawings: Record<Status, React.ReactNode> = {
  Open: <circle cx="7" cy="7" r="5.6" {...line} stroke="var(--text-2)" />,
  'In Progress': (
    <>
      <circle cx="7" cy="7" r="5.6" {...line} stroke="var(--amber)" />
      <path d="M7 3.6a3.4 3.4 0 0 1 0 6.8z" fill="var(--amber)" />
    </>
  ),
  'Customer-Reply': (
    <>
      <circle cx="7" cy="7" r="6.4" fill="var(--accent-fill)" />
      <path d="M6 4.6 3.9 6.7 6 8.8M4 6.7h3.6c1.6 0 2.5.9 2.5 2.6" {...tick} strokeWidth={1.3} stroke="#fff" />
    </>
  ),
  Answered: (
    <>
      <circle cx="7" cy="7" r="5.6" {...line} stroke="var(--green)" strokeDasharray="2.4 1.98" />
      <path d="m4.7 7.1 1.6 1.6 3-3.1" {...tick} stroke="var(--green)" />
    </>
  ),
  Closed: (
    <>
      <circle cx="7" cy="7" r="6.4" fill="var(--control)" />
      <path d="m4.5 7.2 1.7 1.7 3.3-3.5" {...tick} stroke="var(--surface)" />
    </>
  )
}

const alarm = (
  <>
    <rect x="1" y="1" width="12" height="12" rx="3" fill="var(--red-fill)" />
    <path d="M7 3.8v3.8M7 10.1v.1" stroke="#fff" strokeWidth="1.6" strokeLinecap="round" />
  </>
)

function Bars({ count }: { count: number }) {
  const fill = (bar: number) => (bar <= count ? 'var(--text-2)' : 'var(--line-strong)')
  return (
    <>
      <rect x="1.5" y="9" width="3" height="3.5" rx="1" fill={fill(1)} />
      <rect x="5.5" y="6" width="3" height="6.5" rx="1" fill={fill(2)} />
      <rect x="9.5" y="3" width="3" height="9.5" rx="1" fill={fill(3)} />
    </>
  )
}
