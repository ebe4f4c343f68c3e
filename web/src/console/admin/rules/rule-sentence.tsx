import { t } from '../../../lib/strings.ts'
import { ActionsText } from '../actions/actions-text.tsx'
import type { ActionChoices } from '../actions/use-action-choices.ts'
import type { Conditions } from '../sentence/condition-fields.ts'
import { ConditionsText } from '../sentence/conditions-text.tsx'
import type { ConditionValues } from '../sentence/use-condition-values.ts'
import { editedTrigger, type Rule, triggerText } from './rule.ts'

interface RuleSentenceProps {
  rule: Pick<Rule, 'trigger' | 'conditions' | 'actions'>
  values: ConditionValues
  choices: ActionChoices
}

/** "When **a ticket is opened**, if **priority** is High, assign **Billing in turn**." */
export function RuleSentence({ rule, values, choices }: RuleSentenceProps) {
  const trigger = editedTrigger(rule.trigger)
  const conditions = rule.conditions as Conditions
  const calendar = (id: number) => choices.calendars?.find(each => each.id === id)?.label ?? String(id)
  return (
    <>
      {t(trigger.timer ? 'rules.whenItIs' : 'rules.when')} <b>{triggerText(trigger, calendar)}</b>
      {conditions.all.length > 0 && (
        <>
          , {t('rules.if')} <ConditionsText conditions={conditions} values={values} />
        </>
      )}
      : <ActionsText actions={rule.actions} choices={choices} />.
    </>
  )
}
