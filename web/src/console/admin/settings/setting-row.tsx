import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { t } from '../../../lib/strings.ts'
import { announce } from '../../../ui/announce.ts'
import { SelectField } from '../../../ui/field.tsx'
import { SavedLabel } from '../../../ui/form-controls.tsx'
import { toast } from '../../../ui/toast.tsx'
import { adminFailureText } from '../../admin-failure-text.ts'
import styles from './settings.module.css'

/** A row with the name of a setting and, at its end, the control. */
export function SettingRow({ title, hint, children }: { title: ReactNode; hint?: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.row}>
      <div className={styles.words}>
        <p className={styles.title}>{title}</p>
        {hint && <p className={styles.hint}>{hint}</p>}
      </div>
      {children}
    </div>
  )
}

interface SwitchRowProps {
  title: string
  hint?: string
  isOn: boolean
  /** Takes effect at once. After a failure it is reset and shows the reason. */
  onChange: (isOn: boolean) => Promise<unknown> | unknown
}

/** A switch that takes effect at once, and shows "Saved" for 2 s. */
export function SwitchRow({ title, hint, isOn, onChange }: SwitchRowProps) {
  const id = useId()
  const { isSaved, show } = useSavedForAMoment()
  const [wanted, setWanted] = useState<boolean>()

  async function change(next: boolean) {
    setWanted(next)
    try {
      await onChange(next)
      show()
      announce(t('admin.saved'))
    } catch (error) {
      toast({ text: adminFailureText(error), tone: 'bad' })
    } finally {
      setWanted(undefined)
    }
  }

  return (
    <div className={styles.row}>
      <label className={styles.words} htmlFor={id}>
        <span className={styles.title}>{title}</span>
        {hint && (
          <span className={styles.hint} id={`${id}-hint`}>
            {hint}
          </span>
        )}
      </label>
      {isSaved && <SavedLabel />}
      <input
        id={id}
        type="checkbox"
        role="switch"
        className="switch"
        checked={wanted ?? isOn}
        aria-checked={wanted ?? isOn}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={event => void change(event.target.checked)}
      />
    </div>
  )
}

interface SelectRowProps<Value extends string> {
  title: string
  hint?: string
  value: Value
  options: readonly { value: Value; label: string }[]
  /** Takes effect at once. After a failure it shows the reason. */
  onChange: (value: Value) => Promise<unknown>
}

/** A select field that takes effect at once, and shows "Saved" for 2 s. */
export function SelectRow<Value extends string>({ title, hint, value, options, onChange }: SelectRowProps<Value>) {
  const { isSaved, show } = useSavedForAMoment()

  async function choose(value: Value) {
    try {
      await onChange(value)
      show()
      announce(t('admin.saved'))
    } catch (error) {
      toast({ text: adminFailureText(error), tone: 'bad' })
    }
  }

  return (
    <SettingRow title={title} hint={hint}>
      {isSaved && <SavedLabel />}
      <SelectField
        className={styles.select ?? ''}
        label={<span className="visually-hidden">{title}</span>}
        value={value}
        options={[...options]}
        onChange={value => void choose(value as Value)}
      />
    </SettingRow>
  )
}

/** "Saved" for two seconds. */
function useSavedForAMoment(): { isSaved: boolean; show: () => void } {
  const [isSaved, setSaved] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  function show() {
    clearTimeout(timer.current)
    setSaved(true)
    timer.current = setTimeout(() => setSaved(false), 2000)
  }
  return { isSaved, show }
}
