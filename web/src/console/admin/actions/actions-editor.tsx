import { t } from '../../../lib/strings.ts'
import { AddPart, Operator } from '../../../ui/part.tsx'
import { Picker } from '../../../ui/picker.tsx'
import type { TriggerProps } from '../../../ui/popover.ts'
import { SentenceLine } from '../sentence/sentence.tsx'
import { ActionValue } from './action-value.tsx'
import { actionText, namesGone } from './action-words.ts'
import styles from './actions.module.css'
import { type ActionKind, type EditedAction, kindsFor, mostActions, newAction, verbOf } from './edited-actions.ts'
import { type ActionChoices, useActionChoices } from './use-action-choices.ts'

interface ActionsEditorProps {
  actions: EditedAction[]
  /** The word before each of them: "then". */
  word: string
  /** "Add an action" */
  addLabel: string
  /** There has to be one. */
  isMissing?: boolean
  /** A message of the client sets them off. */
  hasMessage?: boolean
  /** They are done to an e-mail that arrives. */
  isOfMail?: boolean
  onChange: (actions: EditedAction[]) => void
}

/** Actions as lines of a `Sentence`: "then set priority to [High]". What they cannot name does not show. */
export function ActionsEditor({
  actions,
  word,
  addLabel,
  isMissing,
  hasMessage = false,
  isOfMail = false,
  onChange
}: ActionsEditorProps) {
  const choices = useActionChoices()
  return (
    <>
      {actions.map((action, at) => {
        const legend = actionText(action, choices)
        return (
          <SentenceLine
            // biome-ignore lint/suspicious/noArrayIndexKey: actions are told apart by their place alone.
            key={at}
            word={word}
            legend={legend}
            remove={{
              label: t('definition.removeLine', { line: legend }),
              onClick: () => onChange(actions.toSpliced(at, 1))
            }}
          >
            <KindPicker
              choices={choices}
              hasMessage={hasMessage}
              kinds={kindsFor(isOfMail)}
              selected={action.kind}
              trigger={trigger => <Operator {...trigger}>{t(verbOf(action.kind))}</Operator>}
              onChange={kind => kind !== action.kind && onChange(actions.with(at, newAction(kind)))}
            />
            <ActionValue
              // A text that is typed does not go along to another kind.
              key={action.kind}
              action={action}
              choices={choices}
              onChange={next => onChange(actions.with(at, next))}
            />
            {action.kind === 'email_client' && <span className={styles.aside}>{t('actions.goesToClient')}</span>}
            {namesGone(action, choices) && <span className={styles.gone}>{t('actions.chooseAnother')}</span>}
          </SentenceLine>
        )
      })}
      {actions.length < mostActions && (
        <SentenceLine word="" legend={addLabel}>
          <KindPicker
            choices={choices}
            hasMessage={hasMessage}
            kinds={kindsFor(isOfMail)}
            trigger={trigger => (
              <AddPart {...trigger} aria-invalid={isMissing || undefined}>
                {addLabel}
              </AddPart>
            )}
            onChange={kind => onChange([...actions, newAction(kind)])}
          />
        </SentenceLine>
      )}
    </>
  )
}

interface KindPickerProps {
  choices: ActionChoices
  hasMessage: boolean
  kinds: readonly ActionKind[]
  selected?: ActionKind
  trigger: (props: TriggerProps) => React.ReactElement
  onChange: (kind: ActionKind) => void
}

function KindPicker({ choices, hasMessage, kinds, selected, trigger, onChange }: KindPickerProps) {
  const isOffered = (kind: ActionKind) => {
    if (kind === 'split_off') return hasMessage
    if (kind === 'webhook') return choices.webhooks?.length !== 0
    return kind !== 'set_field' || choices.fields?.length !== 0
  }
  return (
    <Picker
      label={t('actions.chooseKind')}
      items={kinds
        .filter(kind => kind === selected || isOffered(kind))
        .map(kind => ({ id: kind, label: t(verbOf(kind)) }))}
      selected={selected}
      trigger={trigger}
      onChange={onChange}
    />
  )
}
