import { isDeepStrictEqual } from 'node:util'
import type { Db } from '../../core/db.ts'
import type { NamedThing } from '../../core/definitions/uses.ts'
import { InvalidFields } from '../../kit/errors.ts'
import { type Action, entryOf, mailActions } from '../actions/action-values.ts'
import { type ActionUse, namedActions, refuseSplits, storedActions, usesOfActions } from '../actions/stored-actions.ts'
import { usesOfTexts } from '../actions/uses-of-texts.ts'
import { withoutTexts } from '../actions/without-texts.ts'
import { isMailField, mailReceived } from '../conditions/event-fields.ts'
import type { Conditions } from '../conditions/schemas.ts'
import { namedConditions, requireExisting, storedConditions } from '../conditions/stored-conditions.ts'
import { usesIn } from '../conditions/uses-in-conditions.ts'
import type { RuleDefinition, Trigger } from './rule-types.ts'
import { checkTimer } from './timer-checks.ts'

/** The fields of a rule as they are sent; those left out stay, or get their defaults. */
export interface RuleFields {
  name?: string
  trigger?: Trigger
  conditions?: Conditions
  actions?: Action[]
  is_active?: 0 | 1
  watch_only?: 0 | 1
  include_existing?: 0 | 1
  expected_count?: number
}

/** What the fields of a new rule are until they are sent. */
export const blankRule: RuleDefinition = {
  name: '',
  trigger: { events: [] },
  conditions: { all: [] },
  actions: [],
  watch_only: false
}

/**
 * What these fields make of a rule, as it is stored. Throws `InvalidFields` for what names things that do not
 * exist or are out of use (R11), and locks the others against deletion until the transaction ends.
 */
export async function definitionWith(
  db: Db,
  former: RuleDefinition,
  { name, trigger, conditions, actions, watch_only }: RuleFields
): Promise<RuleDefinition> {
  if (trigger && (trigger.events === undefined) === (trigger.timer === undefined)) {
    throw InvalidFields({ message: 'trigger takes either events or a timer', errors: ['trigger'] })
  }
  const isOfMail = followsMail(trigger ?? former.trigger)
  const wanted: RuleDefinition = {
    name: name ?? former.name,
    trigger: trigger?.events ? { events: [...new Set(trigger.events)].toSorted() } : (trigger ?? former.trigger),
    conditions: conditions ? await storedConditions(db, conditions) : former.conditions,
    actions: actions ? await storedActions(db, actions, { former: former.actions, isOfMail }) : former.actions,
    watch_only: watch_only === undefined ? former.watch_only : watch_only === 1
  }
  if (!isDeepStrictEqual(wanted.conditions, former.conditions)) await requireExisting(db, wanted.conditions)
  if (!wanted.trigger.events?.every(kind => kind === 'ticket.replied')) refuseSplits(wanted.actions)
  await checkTimer(db, wanted, former)
  checkMailRule(wanted)
  return wanted
}

/** Whether a rule judges e-mails that arrive. */
export function followsMail({ events }: Trigger): boolean {
  return events?.includes(mailReceived) ?? false
}

/** A rule judges either e-mails, by what they say, or tickets. Throws `InvalidFields`. */
function checkMailRule({ trigger, conditions, actions }: RuleDefinition): void {
  const isOfMail = followsMail(trigger)
  if (isOfMail && trigger.events!.length > 1)
    throw InvalidFields({
      message: 'mail.received is followed alone: make a rule for each',
      errors: ['trigger.events']
    })
  const wrong = conditions.all.flatMap(({ any }, group) =>
    any.flatMap(({ field }, at) => (isMailField(field) === isOfMail ? [] : [`conditions.all.${group}.any.${at}.field`]))
  )
  if (wrong.length > 0) {
    const what = isOfMail
      ? 'there is no ticket yet when an e-mail arrives'
      : 'only rules that follow mail.received know it'
    throw InvalidFields({ message: `${wrong.join(', ')}: ${what}`, errors: wrong })
  }
  // Actions that stay while the trigger changes.
  const unfit = isOfMail ? -1 : actions.findIndex(action => mailActions.includes(entryOf(action).kind))
  if (unfit >= 0)
    throw InvalidFields({
      message: `actions.${unfit} is done by rules that follow mail.received alone`,
      errors: [`actions.${unfit}`]
    })
}

/** What the log says of a rule, in the words of the API. */
export async function factsOf(db: Db, { is_active, ...rule }: RuleDefinition & { is_active: boolean }) {
  const [conditions] = await namedConditions(db, [rule.conditions])
  const [actions] = await namedActions(db, [rule.actions])
  const { name, trigger, watch_only } = rule
  return { name, trigger, conditions: conditions!, actions: withoutTexts(actions!), watch_only, is_active }
}

/** What a rule names, for `definition_uses`. */
export async function usesOfRule(db: Db, { trigger, conditions, actions }: RuleDefinition): Promise<NamedThing[]> {
  const ofTexts = await usesOfTexts(db, actions)
  return [...usesOfTimer(trigger), ...usesIn(conditions), ...usesOfActions(actions), ...ofTexts]
}

/** What the timer of a rule names. */
export function usesOfTimer({ timer }: Trigger): ActionUse[] {
  const { calendar_id: calendar, field_id: field } = timer ?? {}
  return [
    ...(calendar ? [{ kind: 'calendar' as const, id: calendar, where: 'trigger.timer.calendar_id' }] : []),
    ...(field ? [{ kind: 'field' as const, id: field, where: 'trigger.timer.field_id' }] : [])
  ]
}
