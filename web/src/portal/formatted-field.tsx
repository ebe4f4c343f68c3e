import { ALargeSmall } from 'lucide-react'
import type { ComponentProps, KeyboardEvent, Ref } from 'react'
import { t } from '../lib/strings.ts'
import { Button } from '../ui/button.tsx'
import { Field, TextArea } from '../ui/field.tsx'
import { RichField } from '../ui/rich-field.tsx'
import type { Pictures, PicturesMoved, TextFieldHandle } from '../ui/rich-field-props.ts'
import styles from './formatted-field.module.css'
import type { Formatting } from './use-formatting.ts'

type TextAreaProps = ComponentProps<typeof TextArea>

interface FormattedFieldProps extends Omit<TextAreaProps, 'onChange' | 'ref' | 'label' | 'onKeyDown'> {
  ref?: Ref<TextFieldHandle>
  label: string
  value: string
  formatting: Formatting
  pictures: Pictures
  onChange(text: string, pictures?: PicturesMoved): void
  onFiles(files: File[]): void
  onKeyDown?(event: KeyboardEvent<HTMLElement>): void
}

/** The text of a ticket or an answer: plain as it begins, or formatted with a bar at its head. */
export function FormattedField({ ref, formatting, pictures, onChange, onFiles, ...area }: FormattedFieldProps) {
  const { label, hint, error, aside, value, placeholder, readOnly, maxLength, onKeyDown } = area
  if (!formatting.isFormatted)
    return (
      <TextArea
        {...area}
        ref={element => setHandle(ref, element && handleOf(element))}
        onChange={text => onChange(text)}
      />
    )
  return (
    <Field {...{ label, hint, error, aside }}>
      {({ id, ...field }) => (
        <div className={styles.box}>
          <RichField
            {...{ ref, pictures, value, onFiles }}
            caret={[value.length, value.length]}
            areaProps={{
              id,
              'aria-label': label,
              'aria-describedby': field['aria-describedby'],
              'aria-invalid': field['aria-invalid']
            }}
            className={styles.text}
            bar="above"
            barEnd={
              <Button variant="quiet" size="sm" className={styles.plain} onClick={formatting.unformat}>
                {t('portal-ticket.plainText')}
              </Button>
            }
            onChange={(text, _caret, moved) => onChange(text, moved)}
            {...(placeholder !== undefined && { placeholder })}
            {...(readOnly !== undefined && { readOnly })}
            {...(maxLength !== undefined && { maxLength })}
            {...(onKeyDown && { onKeyDown })}
          />
        </div>
      )}
    </Field>
  )
}

/** The button that begins to format. In its place the bar has the way back. */
export function FormatButton({ isFormatted, isLoading, format }: Formatting) {
  if (isFormatted) return null
  return (
    <Button variant="quiet" icon={ALargeSmall} busy={isLoading} onClick={format}>
      {t('portal-ticket.format')}
    </Button>
  )
}

function setHandle(ref: Ref<TextFieldHandle> | undefined, handle: TextFieldHandle | null) {
  if (typeof ref === 'function') ref(handle)
  else if (ref) ref.current = handle
}

function handleOf(area: HTMLTextAreaElement): TextFieldHandle {
  return {
    focus: () => area.focus(),
    selection: () => [area.selectionStart, area.selectionEnd],
    insert: (text, from, to) => area.setRangeText(text, from, to, 'end')
  }
}
