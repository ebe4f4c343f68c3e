import type { BodyOf } from '@deskline/client'
import type { Key } from '../../../lib/strings.ts'
import type { Priority, Status } from '../../../ui/status-icon.tsx'

/** An action as the API takes and shows it: one of the members is there. */
export type Action = BodyOf<'/api/admin/rules/create'>['actions'][number]
export type ActionKind = keyof Action

type FieldValue = NonNullable<Action['set_field']>['value']

/** What is edited of each action. What is left to choose is undefined or empty. */
interface EditedValues {
  set_status: Status | undefined
  set_priority: Priority | undefined
  /** A department, by its deptid. */
  move_to: number | undefined
  assign: number | null | { round_robin: number } | undefined
  add_tags: readonly string[]
  remove_tags: readonly string[]
  /** Null clears it. */
  set_field: { key: string; value: FieldValue | undefined }
  note: string
  email_client: { subject: string; text: string; calendar_id?: number }
  notify_staff: { who: string | number | undefined; text: string }
  snooze: { minutes: number | undefined; calendar_id: number | null; kind: 'own' | 'third_party' | 'customer' }
  watch: number | undefined
  webhook: number | undefined
  split_off: { subject: string }
  hold: 1
  drop: 1
  no_acknowledgement: 1
  block_sender: 1
}

/** An action that is edited, taken apart. `kind` tells the types of the value apart. */
export type EditedAction = { [K in ActionKind]: { kind: K; value: EditedValues[K] } }[ActionKind]

/** The most that a macro or a rule does. */
export const mostActions = 10

/** What each kind does, as it stands in the sentence before its values, and with what it begins. */
const kinds: { [K in ActionKind]: { verb: Key; empty: EditedValues[K] } } = {
  set_status: { verb: 'actions.setStatus', empty: undefined },
  set_priority: { verb: 'actions.setPriority', empty: undefined },
  move_to: { verb: 'actions.moveTo', empty: undefined },
  assign: { verb: 'actions.assign', empty: undefined },
  add_tags: { verb: 'actions.addTags', empty: [] },
  remove_tags: { verb: 'actions.removeTags', empty: [] },
  set_field: { verb: 'actions.setField', empty: { key: '', value: undefined } },
  note: { verb: 'actions.note', empty: '' },
  email_client: { verb: 'actions.emailClient', empty: { subject: '', text: '' } },
  notify_staff: { verb: 'actions.notifyStaff', empty: { who: undefined, text: '' } },
  snooze: { verb: 'actions.snooze', empty: { minutes: undefined, calendar_id: null, kind: 'own' } },
  watch: { verb: 'actions.watch', empty: undefined },
  webhook: { verb: 'actions.webhook', empty: undefined },
  split_off: { verb: 'actions.splitOff', empty: { subject: '{{ticket.subject}}' } },
  hold: { verb: 'actions.hold', empty: 1 },
  drop: { verb: 'actions.drop', empty: 1 },
  no_acknowledgement: { verb: 'actions.noAcknowledgement', empty: 1 },
  block_sender: { verb: 'actions.blockSender', empty: 1 }
}

const ofMails: readonly ActionKind[] = ['hold', 'drop', 'no_acknowledgement', 'block_sender']
const afterMails: readonly ActionKind[] = [
  ...(['move_to', 'set_priority', 'add_tags', 'remove_tags', 'assign', 'set_field', 'note', 'watch'] as const)
]

export const actionKinds = Object.keys(kinds) as ActionKind[]

/** What may be done: to tickets, or by a rule to an e-mail that arrives. */
export function kindsFor(isOfMail: boolean): readonly ActionKind[] {
  return isOfMail ? [...ofMails, ...afterMails] : actionKinds.filter(kind => !ofMails.includes(kind))
}

export function verbOf(kind: ActionKind): Key {
  return kinds[kind].verb
}

/** A new action of this kind, with nothing chosen yet. */
export function newAction(kind: ActionKind): EditedAction {
  return { kind, value: kinds[kind].empty } as EditedAction
}

/** Actions as they are edited. */
export function editedActions(actions: readonly Action[]): EditedAction[] {
  return actions.map(action => {
    const [[kind, value]] = Object.entries(action) as [[ActionKind, unknown]]
    const { empty } = kinds[kind]
    const isObject = typeof empty === 'object' && !Array.isArray(empty)
    return { kind, value: isObject ? { ...empty, ...(value as object) } : value } as EditedAction
  })
}

/** What is sent; undefined if something is left to choose. */
export function actionsToSend(actions: readonly EditedAction[]): Action[] | undefined {
  if (actions.some(isUnfinishedAction)) return undefined
  return actions.map(({ kind, value }) => ({ [kind]: value }))
}

/** Whether something is left to choose or to write. */
export function isUnfinishedAction({ kind, value }: EditedAction): boolean {
  switch (kind) {
    case 'add_tags':
    case 'remove_tags':
      return value.length === 0
    case 'set_field':
      return value.key === '' || value.value === undefined
    case 'note':
      return value.trim() === ''
    case 'email_client':
      return value.subject.trim() === '' || value.text.trim() === ''
    case 'notify_staff':
      return value.who === undefined || value.text.trim() === ''
    case 'split_off':
      return value.subject.trim() === ''
    case 'snooze':
      return value.minutes === undefined
    default:
      return value === undefined
  }
}
