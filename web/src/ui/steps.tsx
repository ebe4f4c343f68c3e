import type { ReactNode } from 'react'
import './steps.css'

export interface Step {
  /** What the line beside it shows: time that counted, time that did not, time to come, or a moment. */
  kind: 'counted' | 'closed' | 'expected' | 'moment'
  /** How a moment is drawn: filled, filled in amber or red, or as a grey ring. */
  mark?: 'full' | 'late' | 'failed' | 'former'
  text: ReactNode
  /** At the end of the line: "Mon 09:00". */
  time?: ReactNode
}

interface StepsProps {
  label: string
  steps: Step[]
  /** All of it as one sentence for screen readers, in place of the steps. */
  sentence?: string
}

/** How a time came about, one below the other along a line. */
export function Steps({ label, steps, sentence }: StepsProps) {
  return (
    <>
      <ol className="steps" aria-label={label} aria-hidden={sentence ? true : undefined}>
        {steps.map(({ kind, mark, text, time }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps are told apart by their place alone.
          <li key={at}>
            <span className="line" data-kind={kind} data-mark={mark} aria-hidden />
            <span className={kind === 'moment' ? 'moment' : undefined}>{text}</span>
            <span className="time">{time}</span>
          </li>
        ))}
      </ol>
      {sentence && <p className="visually-hidden">{sentence}</p>}
    </>
  )
}
