import { CircleAlert, CircleCheck, CircleDashed, LoaderCircle } from 'lucide-react'
import type { ReactNode } from 'react'
import { t } from '../../lib/strings.ts'
import type { Icon } from '../../ui/icon.tsx'
import './walk.css'

export interface WalkStep {
  key: string
  state: 'done' | 'running' | 'open' | 'failed'
  name: string
  /** One sentence. */
  text: ReactNode
  /** What the other side said, word by word. */
  said?: string | undefined
  /** How long it took: "0.2 s". */
  took?: string | undefined
  /** The buttons that mend it. */
  repair?: ReactNode
}

const icons: Record<WalkStep['state'], Icon> = {
  done: CircleCheck,
  running: LoaderCircle,
  open: CircleDashed,
  failed: CircleAlert
}

/** A test that goes step by step: each says how it went, and the one that fails what is wrong. */
export function Walk({ label, steps }: { label: string; steps: WalkStep[] }) {
  return (
    <ol className="walk" aria-label={label} aria-live="polite">
      {steps.map(({ key, state, name, text, said, took, repair }) => {
        const Shown = icons[state]
        return (
          <li key={key} data-state={state}>
            <Shown size={16} aria-hidden />
            <div>
              <b>
                {name}
                <span className="visually-hidden"> · {t(`admin.walk.${state}`)}</span>
              </b>
              <span className="says">{text}</span>
              {said && <span className="said">{said}</span>}
              {repair && <div className="repair">{repair}</div>}
            </div>
            {took && <span className="took">{took}</span>}
          </li>
        )
      })}
    </ol>
  )
}
