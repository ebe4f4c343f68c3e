import { useState } from 'react'
import { useForm } from '../../../app/form.ts'
import { FormDialog } from '../../../app/form-dialog.tsx'
import { t } from '../../../lib/strings.ts'
import { TextArea, TextField } from '../../../ui/field.tsx'
import { Part } from '../../../ui/part.tsx'
import { actionText, actionWords } from './action-words.ts'
import { type EditedAction, verbOf } from './edited-actions.ts'
import type { ActionChoices } from './use-action-choices.ts'

type WithText = Extract<EditedAction, { kind: 'note' | 'email_client' | 'notify_staff' }>

interface ActionTextsProps {
  action: WithText
  choices: ActionChoices
  onChange: (action: WithText) => void
}

/** A text as a part of the sentence, which opens to be written. */
export function ActionTexts({ action, choices, onChange }: ActionTextsProps) {
  const [isOpen, setOpen] = useState(false)
  const { subject, text } = textsOf(action)
  const isUnfinished = text.trim() === '' || subject?.trim() === ''
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
      {isOpen && <TextsDialog action={action} onChange={onChange} onClose={() => setOpen(false)} />}
    </>
  )
}

function TextsDialog(props: Pick<ActionTextsProps, 'action' | 'onChange'> & { onClose: () => void }) {
  const { action, onChange, onClose } = props
  const { subject, text } = textsOf(action)
  const hasSubject = subject !== undefined
  const form = useForm(
    { subject: subject ?? '', text },
    {
      check: ({ subject, text }) => ({
        subject: hasSubject && !subject.trim() && t('ui.fieldMissing'),
        text: !text.trim() && t('ui.fieldMissing')
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
      <TextArea
        label={t('actions.text')}
        hint={t('actions.placeholders', { names: placeholders.join(', ') })}
        rows={6}
        maxLength={20_000}
        {...form.field('text')}
      />
    </FormDialog>
  )
}

/** Those that most texts use; the API names all of them where one is not known. */
const placeholders = ['client.first_name', 'ticket.number', 'ticket.subject', 'department.name', 'field.KEY'].map(
  name => `{{${name}}}`
)

function textsOf(action: WithText): { subject?: string; text: string } {
  return action.kind === 'note' ? { text: action.value } : action.value
}

function withTexts(action: WithText, { subject, text }: { subject: string; text: string }): WithText {
  switch (action.kind) {
    case 'note':
      return { kind: 'note', value: text }
    case 'email_client':
      return { kind: 'email_client', value: { subject: subject.trim(), text } }
    default:
      return { kind: 'notify_staff', value: { ...action.value, text } }
  }
}
