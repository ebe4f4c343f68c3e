import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { type Key, t } from '../../lib/strings.ts'
import { useSearch } from '../../router/react.tsx'
import { announce } from '../../ui/announce.ts'
import { SelectField } from '../../ui/field.tsx'
import { SavedLabel } from '../../ui/form-controls.tsx'
import { toast } from '../../ui/toast.tsx'
import { adminFailureText } from '../admin-failure-text.ts'
import styles from './settings.module.css'
import { type SettingName, settings } from './settings-registry.ts'

/** What a row is called: a setting of the desk by its name in the registry, so that the search finds it, or else its own words. */
type Named =
  | { setting: SettingName; title?: undefined; hint?: undefined }
  | { setting?: undefined; title: string; hint?: string }

function textsOf({ setting, title, hint }: Named): { title: string; hint: string | undefined } {
  if (setting === undefined) return { title, hint }
  const own: { title: Key; hint?: Key } = settings[setting]
  return { title: t(own.title), hint: own.hint && t(own.hint) }
}

interface SettingPlaceProps {
  setting: SettingName | undefined
  className?: string | undefined
  children: ReactNode
}

/** What a hit of the search leads to: its control takes the focus, and it is marked for 2 s. */
export function SettingPlace({ setting, className, children }: SettingPlaceProps) {
  const isWanted = useSearch<{ setting?: string }>().setting === setting && setting !== undefined
  const place = useRef<HTMLDivElement>(null)
  const [isMarked, setMarked] = useState(false)
  useEffect(() => {
    if (!isWanted) return
    place.current?.scrollIntoView({ block: 'center' })
    place.current?.querySelector<HTMLElement>('input, select, textarea, button, a')?.focus({ preventScroll: true })
    setMarked(true)
    const timer = setTimeout(() => setMarked(false), 2000)
    return () => clearTimeout(timer)
  }, [isWanted])
  return (
    <div ref={place} className={className} data-wanted={isMarked || undefined}>
      {children}
    </div>
  )
}

interface SettingRowProps {
  setting?: SettingName
  title: ReactNode
  hint?: ReactNode
  children: ReactNode
}

/** A row with the name of a setting and, at its end, the control. */
export function SettingRow({ setting, title, hint, children }: SettingRowProps) {
  return (
    <SettingPlace setting={setting} className={styles.row}>
      <div className={styles.words}>
        <p className={styles.title}>{title}</p>
        {hint && <p className={styles.hint}>{hint}</p>}
      </div>
      {children}
    </SettingPlace>
  )
}

type SwitchRowProps = Named & {
  isOn: boolean
  /** Takes effect at once. After a failure it is reset and shows the reason. */
  onChange: (isOn: boolean) => Promise<unknown> | unknown
}

/** A switch that takes effect at once, and shows "Saved" for 2 s. */
export function SwitchRow({ isOn, onChange, ...named }: SwitchRowProps) {
  const { title, hint } = textsOf(named)
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
    <SettingPlace setting={named.setting} className={styles.row}>
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
    </SettingPlace>
  )
}

type SelectRowProps<Value extends string> = Named & {
  value: Value
  options: readonly { value: Value; label: string }[]
  /** Takes effect at once. After a failure it shows the reason. */
  onChange: (value: Value) => Promise<unknown>
}

/** A select field that takes effect at once, and shows "Saved" for 2 s. */
export function SelectRow<Value extends string>({ value, options, onChange, ...named }: SelectRowProps<Value>) {
  const { title, hint } = textsOf(named)
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
    <SettingRow {...(named.setting && { setting: named.setting })} title={title} hint={hint}>
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
export function useSavedForAMoment(): { isSaved: boolean; show: () => void } {
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
