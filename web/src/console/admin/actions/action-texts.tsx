import { useState } from 'react'
import { useForm } from '../../../app/form.ts'
import { FormDialog } from '../../../app/form-dialog.tsx'
import { t } from '../../../lib/strings.ts'
import { TextField } from '../../../ui/field.tsx'
import { Part } from '../../../ui/part.tsx'
import { Picker } from '../../../ui/picker.tsx'
import { actionText, actionWords, namesGone } from './action-words.ts'
import styles from './actions.module.css'
import { type EditedAction, verbOf } from './edited-actions.ts'
import { PlaceholderText } from './placeholder-text.tsx'
import type { ActionChoices } from './use-action-choices.ts'

type WithText = Extract<EditedAction, { kind: 'note' | 'email_client' | 'notify_staff' | 'split_off' }>

interface ActionTextsProps {
  action: WithText
  choices: ActionChoices
  onChange: (action: WithText) => void
}

/** A text as a part of the sentence, which opens to be written. */
export function ActionTexts({ action, choices, onChange }: ActionTextsProps) {
  const [isOpen, setOpen] = useState(false)
  const { subject, text } = textsOf(action)
  const isUnfinished = text?.trim() === '' || subject?.trim() === ''
  return (
    <>
      <Part
        onClick={() => setOpen(true)}
        aria-haspopup="dialog"
        aria-label={actionText(action, choices)}
        aria-invalid={isUnfinished || undefined}
      >
        {actionWords(action, choices).at(-1)?.text}
      </Part>
      {action.kind === 'email_client' && (
        <OpeningOf
          value={action.value}
          choices={choices}
          onChange={value => onChange({ kind: 'email_client', value })}
        />
      )}
      {isOpen && <TextsDialog action={action} choices={choices} onChange={onChange} onClose={() => setOpen(false)} />}
    </>
  )
}

type Email = Extract<EditedAction, { kind: 'email_client' }>['value']

/** "opening of [Berlin office]", where the text tells the next opening. */
function OpeningOf({
  value,
  choices,
  onChange
}: {
  value: Email
  choices: ActionChoices
  onChange: (value: Email) => void
}) {
  const { calendar_id: id = 0, ...texts } = value
  if (id === 0 && !`${value.subject}${value.text}`.includes('{{calendar.next_opening')) return null
  const calendars = [{ id: 0, label: t('actions.defaultCalendar') }, ...(choices.calendars ?? [])]
  const isGone = namesGone({ kind: 'email_client', value }, choices)
  return (
    <>
      {t('actions.openingOf')}
      <Picker
        label={t('actions.openingOf')}
        items={calendars}
        selected={id}
        trigger={trigger => (
          <Part {...trigger} className={isGone ? styles.gonePart : undefined}>
            {calendars.find(each => each.id === id)?.label ?? t('actions.gone')}
          </Part>
        )}
        onChange={id => onChange(id === 0 ? texts : { ...texts, calendar_id: id })}
      />
    </>
  )
}

function TextsDialog(props: ActionTextsProps & { onClose: () => void }) {
  const { action, choices, onChange, onClose } = props
  const { subject, text } = textsOf(action)
  const hasSubject = subject !== undefined
  const hasText = text !== undefined
  // Clients are not told what they may not see.
  const isForClient = action.kind === 'email_client'
  const form = useForm(
    { subject: subject ?? '', text: text ?? '' },
    {
      check: ({ subject, text }) => ({
        subject: hasSubject && !subject.trim() && t('ui.fieldMissing'),
        text: hasText && !text.trim() && t('ui.fieldMissing')
      })
    }
  )
  return (
    <FormDialog
      title={t(verbOf(action.kind))}
      size={620}
      form={form}
      saveLabel={t('definition.take')}
      keepLabel={t('definition.discard')}
      onSave={async values => onChange(withTexts(action, values))}
      onClose={onClose}
    >
      {hasSubject && (
        <TextField label={t('actions.subject')} maxLength={255} autoComplete="off" {...form.field('subject')} />
      )}
      {hasText && (
        <PlaceholderText
          label={t('actions.text')}
          hint={t('actions.placeholderHint')}
          rows={6}
          fields={choices.fields?.filter(({ client_access }) => !isForClient || client_access !== 'none')}
          error={form.errors.text}
          value={form.values.text}
          onChange={text => form.set('text', text)}
        />
      )}
    </FormDialog>
  )
}

function textsOf(action: WithText): { subject?: string; text?: string } {
  return action.kind === 'note' ? { text: action.value } : action.value
}

function withTexts(action: WithText, { subject, text }: { subject: string; text: string }): WithText {
  switch (action.kind) {
    case 'note':
      return { kind: 'note', value: text }
    case 'email_client':
      return { kind: 'email_client', value: { ...action.value, subject: subject.trim(), text } }
    case 'split_off':
      return { kind: 'split_off', value: { subject: subject.trim() } }
    default:
      return { kind: 'notify_staff', value: { ...action.value, text } }
  }
}
