import { useId } from 'react'
import { t } from '../../../lib/strings.ts'
import { ActionsEditor } from '../actions/actions-editor.tsx'
import { ActionsText } from '../actions/actions-text.tsx'
import { actionsToSend, type EditedAction } from '../actions/edited-actions.ts'
import { useActionChoices } from '../actions/use-action-choices.ts'
import { Sentence } from '../sentence/sentence.tsx'
import styles from './macros.module.css'

interface MacroActionsProps {
  actions: EditedAction[]
  mayChange: boolean
  onChange: (actions: EditedAction[]) => void
}

/** What a macro changes besides its text, as lines of a sentence; only read, as running text. */
export function MacroActions({ actions, mayChange, onChange }: MacroActionsProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={styles.also}>
      <h2 id={id}>{t('macros.alsoChanges')}</h2>
      <div className={styles.card}>
        {mayChange ? (
          <Sentence>
            <ActionsEditor
              actions={actions}
              word={t('macros.then')}
              addLabel={t('macros.addChange')}
              onChange={onChange}
            />
          </Sentence>
        ) : (
          <ReadOnly actions={actions} />
        )}
      </div>
    </section>
  )
}

function ReadOnly({ actions }: { actions: EditedAction[] }) {
  const choices = useActionChoices()
  const shown = actionsToSend(actions) ?? []
  return (
    <p className={styles.readOnly}>
      {shown.length > 0 ? <ActionsText actions={shown} choices={choices} /> : t('macros.changesNothing')}
    </p>
  )
}
