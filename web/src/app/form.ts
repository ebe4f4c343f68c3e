import { DesklineError, type Reason } from '@deskline/client'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { t } from '../lib/strings.ts'
import { failureText } from './failures.ts'

interface FormOptions<Name extends string> {
  /** Messages for fields that are filled in but were refused. */
  problems?: Partial<Record<Name, string>>
  /** Failures by their reason, as what they say of a field: `{ wrong_password: { current_password: '…' } }`. */
  reasons?: Partial<Record<Reason, Partial<Record<Name, string>>>>
  /** The message for a field that must not be empty. */
  missing?: string
  /** The message for failures that concern no field; by default that of `app/failures.ts`. */
  failureText?: (error: unknown) => string
}

export type Form<T extends Record<string, string>> = ReturnType<typeof useForm<T>>

/**
 * The texts of a form, and what the service says of them. The service is the only judge: what it names stands at the field,
 * anything else above the buttons (`failure`). Needs the strings of `account`, unless it is told what to say.
 */
export function useForm<T extends Record<string, string>>(initial: T, options: FormOptions<keyof T & string> = {}) {
  type Name = keyof T & string
  const [start, setStart] = useState(initial)
  const [values, setValues] = useState(initial)
  const [errors, setErrors] = useState<Partial<Record<Name, string>>>({})
  const [failure, setFailure] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const isRunning = useRef(false)
  /** The submitted form, until its first invalid field has the focus. */
  const sent = useRef<HTMLFormElement>(undefined)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the fields carry their errors only now.
  useEffect(() => {
    const wrong = sent.current?.querySelector<HTMLElement>('[aria-invalid=true]')
    if (wrong) sent.current = undefined
    wrong?.focus()
  }, [errors])

  function set(name: Name, value: string) {
    setValues(values => ({ ...values, [name]: value }))
    setErrors(({ [name]: _, ...others }) => others as Partial<Record<Name, string>>)
  }

  function reset(to: T = initial) {
    setStart(to)
    setValues(to)
    setErrors({})
    setFailure(undefined)
  }

  /** Makes the current values the saved ones. */
  const markSaved = () => setStart(values)

  /** Runs one submission at a time. Resolves to whether it succeeded. */
  async function submit(work: (values: T) => Promise<unknown>, event?: FormEvent): Promise<boolean> {
    event?.preventDefault()
    if (isRunning.current) return false
    isRunning.current = true
    setBusy(true)
    setErrors({})
    setFailure(undefined)
    const form = event?.currentTarget as HTMLFormElement | undefined
    sent.current = undefined
    try {
      await work(values)
      return true
    } catch (error) {
      const found = problemsIn(error, values, options)
      sent.current = form
      setErrors(found)
      if (Object.keys(found).length === 0) setFailure((options.failureText ?? failureText)(error))
      return false
    } finally {
      isRunning.current = false
      setBusy(false)
    }
  }

  const field = <N extends Name>(name: N) => ({
    name,
    value: values[name],
    onChange: (value: string) => set(name, value),
    error: errors[name]
  })
  const isChanged = Object.entries(values).some(([name, value]) => value !== start[name])
  return { values, set, reset, markSaved, field, submit, errors, failure, setFailure, isBusy, isChanged }
}

function problemsIn<Name extends string>(
  error: unknown,
  values: Record<Name, string>,
  { problems, reasons, missing = t('account.missing') }: FormOptions<Name>
): Partial<Record<Name, string>> {
  if (!(error instanceof DesklineError)) return {}
  const named = reasons?.[error.reason as Reason]
  if (named) return named
  const names = error.errors.filter((name): name is Name => name in values)
  return Object.fromEntries(
    names.map(name => [name, values[name].trim() ? (problems?.[name] ?? t('account.unfit')) : missing])
  ) as Partial<Record<Name, string>>
}
