import { Fragment } from 'react'
import { t } from '../../../lib/strings.ts'
import { choiceText } from '../../../lib/times.ts'
import { type Condition, type Conditions, operatorText } from './condition-fields.ts'
import type { ConditionValues } from './use-condition-values.ts'

/** "**Department** is one of Technical Support, Sales, and **channel** is one of E-mail" */
export function ConditionsText({ conditions, values }: { conditions: Conditions; values: ConditionValues }) {
  return conditions.all.map(({ any }, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: groups are told apart by their place alone.
    <Fragment key={at}>
      {at > 0 && `, ${t('definition.and')} `}
      {any.map((condition, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: as above.
        <Fragment key={place}>
          {place > 0 && ` ${t('definition.or')} `}
          <b>{values.fieldText(condition)}</b> {readText(condition, values)}
        </Fragment>
      ))}
    </Fragment>
  ))
}

/** The same line as text alone. */
export function lineText(any: readonly Condition[], values: ConditionValues): string {
  return any
    .map(condition => [values.fieldText(condition), operatorText(condition), values.valueText(condition)].join(' '))
    .map(text => text.trim())
    .join(` ${t('definition.or')} `)
}

/** "is Technical Support or Sales" */
function readText(condition: Condition, values: ConditionValues): string {
  const { op, value } = condition
  const words = {
    in: 'definition.op.is',
    has_any: 'definition.op.is',
    not_in: 'definition.op.is_not',
    has_none: 'definition.op.is_not'
  } as const
  const key = Object.hasOwn(words, op) ? words[op as keyof typeof words] : undefined
  if (!key || !Array.isArray(value)) return `${operatorText(condition)} ${values.valueText(condition)}`.trim()
  const names = value.map(one => values.valueText({ ...condition, value: [one as string | number] }))
  return `${t(key)} ${choiceText(names)}`
}
