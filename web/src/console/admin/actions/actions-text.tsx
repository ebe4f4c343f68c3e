import { Fragment } from 'react'
import { actionWords } from './action-words.ts'
import { type Action, editedActions } from './edited-actions.ts'
import type { ActionChoices } from './use-action-choices.ts'

/** "set priority to **High**, assign **Billing in turn**" */
export function ActionsText({ actions, choices }: { actions: readonly Action[]; choices: ActionChoices }) {
  return editedActions(actions).map((action, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: actions are told apart by their place alone.
    <Fragment key={at}>
      {at > 0 && ', '}
      {actionWords(action, choices).map(({ text, isValue }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: as above.
        <Fragment key={place}>
          {place > 0 && ' '}
          {isValue ? <b>{text}</b> : text}
        </Fragment>
      ))}
    </Fragment>
  ))
}
