import { type TSchema, Type } from 'typebox'
import type { Permission } from '../../core/permissions.ts'
import type { DefinitionKind } from '../../core/tables/definitions.ts'
import { Id, LongText, Name } from '../../kit/schemas.ts'
import { FieldKey, maxOptions } from '../fields/field-schemas.ts'
import { SnoozeKinds, TagRefs } from '../ticket/desk-schemas.ts'
import { Priority, Status } from '../ticket/schemas.ts'
import type { ActionKind, ActionValues } from './action-values.ts'

/** What an action names beside tags. */
interface Named {
  kind: DefinitionKind & ('department' | 'staff' | 'calendar' | 'webhook' | 'field')
  id: number
}

interface KindOfAction<V> {
  schema: TSchema
  /** Permissions of which one suffices to do this by hand; it may depend on the value, and on the id of the member of staff who does it. */
  needs: readonly Permission[] | ((value: V, actor: number | null) => readonly Permission[])
  names?: (value: V) => Named[]
  /** The texts with placeholders, by where they are in the value. */
  texts?: (value: V) => Record<string, string>
}

const edit = ['tickets.edit_status'] as const
const reply = ['tickets.reply'] as const
const either = ['tickets.reply', 'tickets.edit_status'] as const

const longestMinutes = 525_600
const maxText = 20_000
const texts = { additionalProperties: false } as const
const tags = { ...TagRefs, minItems: 1, examples: [['vip']] }

/** Every action: what it is given, what it takes and what it names. */
export const actionKinds: { [K in ActionKind]: KindOfAction<ActionValues[K]> } = {
  set_status: { schema: Status, needs: edit },
  set_priority: { schema: Priority, needs: edit },
  move_to: {
    schema: { ...Id(1), description: 'A department, by its deptid.' },
    needs: edit,
    names: id => [{ kind: 'department', id }]
  },
  assign: {
    schema: {
      type: ['integer', 'null', 'object'],
      minimum: 1,
      properties: { round_robin: Id(1) },
      required: ['round_robin'],
      additionalProperties: false,
      description:
        'A member of staff; null: nobody; `round_robin`: whoever of that department is next in turn, not away and active.',
      examples: [{ round_robin: 4 }]
    } as TSchema,
    // Whoever answers may take a free ticket, and give back their own.
    needs: (value, actor) => (value === null || value === actor ? either : edit),
    names: value =>
      value === null
        ? []
        : typeof value === 'number'
          ? [{ kind: 'staff', id: value }]
          : [{ kind: 'department', id: value.round_robin }]
  },
  add_tags: { schema: { ...tags, description: 'Tags by name.' }, needs: reply },
  remove_tags: { schema: { ...tags, description: 'Tags by name.' }, needs: reply },
  set_field: {
    schema: Type.Object(
      {
        key: FieldKey,
        value: {
          type: ['string', 'number', 'boolean', 'array', 'null'],
          items: { type: ['integer', 'string'] },
          maxItems: maxOptions,
          description: 'As in `fields` of a ticket; null clears.',
          examples: ['SN-1']
        } as TSchema
      },
      { ...texts, description: 'A custom field by its key.' }
    ),
    needs: edit,
    names: ({ key }) => (typeof key === 'number' ? [{ kind: 'field', id: key }] : [])
  },
  note: { schema: LongText(maxText, 'Called back.'), needs: reply, texts: note => ({ '': note }) },
  email_client: {
    schema: Type.Object(
      {
        subject: Name(255, 'We close this soon'),
        text: LongText(maxText, 'Dear {{client.first_name|customer}}, …'),
        calendar_id: Type.Optional({
          ...Id(2),
          description: 'The calendar of `{{calendar.next_opening}}`; without it the default one.'
        })
      },
      { ...texts, description: 'An e-mail to the client of the ticket alone.' }
    ),
    needs: reply,
    names: ({ calendar_id: id }) => (id === undefined ? [] : [{ kind: 'calendar', id }]),
    texts: ({ subject, text }) => ({ '.subject': subject, '.text': text })
  },
  notify_staff: {
    schema: Type.Object(
      {
        who: {
          type: ['string', 'integer'],
          minimum: 1,
          pattern: '^(assignee|watchers|department)$',
          description: '`assignee`, `watchers`, `department` (its members), or the id of a member of staff.',
          examples: ['assignee']
        } as TSchema,
        text: LongText(maxText, '{{ticket.number}} is gold')
      },
      { ...texts, description: 'An e-mail to staff who see the ticket.' }
    ),
    needs: reply,
    names: ({ who }) => (typeof who === 'number' ? [{ kind: 'staff', id: who }] : []),
    texts: ({ text }) => ({ '.text': text })
  },
  snooze: {
    schema: Type.Object(
      {
        minutes: Type.Integer({ minimum: 1, maximum: longestMinutes, examples: [120] }),
        calendar_id: Type.Optional({
          ...Id(2),
          type: ['integer', 'null'],
          description: 'Counts the minutes of its open time.'
        } as TSchema),
        kind: Type.Optional(SnoozeKinds)
      },
      texts
    ),
    needs: either,
    names: ({ calendar_id: id }) => (typeof id === 'number' ? [{ kind: 'calendar', id }] : [])
  },
  watch: {
    schema: { ...Id(2), description: 'A member of staff.' },
    needs: (value, actor) =>
      value === actor ? ['tickets.view_all', 'tickets.reply', 'tickets.edit_status', 'tickets.delete'] : edit,
    names: id => [{ kind: 'staff', id }]
  },
  webhook: {
    schema: { ...Id(3), description: 'A webhook: it gets this call as it gets any event.' },
    needs: edit,
    names: id => [{ kind: 'webhook', id }]
  },
  split_off: {
    schema: Type.Object(
      { subject: Name(255, '{{ticket.subject}}') },
      {
        ...texts,
        description:
          'The message that set the rule off, and what the client has written since, become a ticket of their own with this subject, linked to this one. For rules on `ticket.replied` alone.'
      }
    ),
    needs: edit,
    texts: ({ subject }) => ({ '.subject': subject })
  },
  hold: { schema: ofMail('Holds an e-mail that arrives until staff decide.'), needs: edit },
  drop: { schema: ofMail('Drops an e-mail that arrives; its row in the mail log stays.'), needs: edit },
  no_acknowledgement: { schema: ofMail('Nobody is told that the e-mail was received.'), needs: edit },
  block_sender: { schema: ofMail('E-mails of this sender are dropped from the next one on.'), needs: edit }
}

function ofMail(description: string): TSchema {
  return {
    type: 'integer',
    enum: [1],
    description: `Only by \`mail.received\`. ${description}`,
    examples: [1]
  } as TSchema
}
