import { DesklineError, type Reason } from '@deskline/client'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { t } from '../lib/strings.ts'
import { failureText } from './failures.ts'

interface FormOptions<Name extends string> {
  /** The messages for fields that need not be sent, because the service would refuse them. */
  check?: (values: Record<Name, string>) => Partial<Record<Name, string | false>>
  /** The values are kept elsewhere, such as in a draft: called with each change. */
  onChange?: (name: Name, value: string) => void
  /** The messages for fields that are filled in but were refused. */
  problems?: Partial<Record<Name, string>>
  /** The messages of fields by the reason of a failure: `{ wrong_password: { current_password: '…' } }`. */
  reasons?: Partial<Record<Reason, Partial<Record<Name, string>>>>
  /** The message for a field that must not be empty. */
  missing?: string
  /** The message for failures that concern no field; by default that of `app/failures.ts`. */
  failureText?: (error: unknown) => string
}

export type Form<T extends Record<string, string>> = ReturnType<typeof useForm<T>>

/**
 * The texts of a form, its submission and its error messages: those about a field are shown at the field, others above the buttons
 * (`failure`). After a refusal the first invalid field has the focus.
 */
export function useForm<T extends Record<string, string>>(initial: T, options: FormOptions<keyof T & string> = {}) {
  type Name = keyof T & string
  const [start, setStart] = useState(initial)
  const [ownValues, setValues] = useState(initial)
  const values = options.onChange ? initial : ownValues
  const [errors, setErrors] = useState<Partial<Record<Name, string>>>({})
  const [failure, setFailure] = useState<string>()
  const [cause, setCause] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const isRunning = useRef(false)
  /** The submitted form, until its first invalid field has the focus. */
  const sent = useRef<HTMLFormElement>(undefined)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the fields carry their errors only now.
  useEffect(() => {
    const wrong = sent.current?.querySelector<HTMLElement>('[aria-invalid=true]')
    if (wrong) sent.current = undefined
    wrong?.closest('details')?.setAttribute('open', '')
    wrong?.focus()
  }, [errors])

  function set(name: Name, value: string) {
    if (options.onChange) options.onChange(name, value)
    else setValues(values => ({ ...values, [name]: value }))
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

  /** Checks the values and runs one submission at a time. Resolves to whether it succeeded. */
  async function submit(work: (values: T) => Promise<unknown>, event?: FormEvent): Promise<boolean> {
    event?.preventDefault()
    if (isRunning.current) return false
    const form = event?.currentTarget as HTMLFormElement | undefined
    const unfit = Object.entries(options.check?.(values) ?? {}).filter(([, message]) => message)
    sent.current = unfit.length > 0 ? form : undefined
    setErrors(Object.fromEntries(unfit) as typeof errors)
    setFailure(undefined)
    setCause(undefined)
    if (unfit.length > 0) return false
    isRunning.current = true
    setBusy(true)
    try {
      await work(values)
      return true
    } catch (error) {
      const found = problemsIn(error, values, options)
      sent.current = form
      setErrors(found)
      setCause(error)
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
  return { values, set, reset, markSaved, field, submit, errors, failure, setFailure, cause, isBusy, isChanged }
}

function problemsIn<Name extends string>(
  error: unknown,
  values: Record<Name, string>,
  { problems, reasons, missing = t('ui.fieldMissing') }: FormOptions<Name>
): Partial<Record<Name, string>> {
  if (!(error instanceof DesklineError)) return {}
  const named = reasons?.[error.reason as Reason]
  if (named) return named
  const names = error.errors.filter((name): name is Name => name in values)
  return Object.fromEntries(
    names.map(name => [name, values[name].trim() ? (problems?.[name] ?? t('ui.fieldRefused')) : missing])
  ) as Partial<Record<Name, string>>
}
