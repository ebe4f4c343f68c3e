import { type Static, Type } from 'typebox'
import { BooleanInput, Flag, Id, Name, Nullable, OutputText, Timestamp } from '../../kit/schemas.ts'
import { Version } from '../../kit/versions.ts'
import { bit } from '../../lib/bit.ts'
import { timestamp } from '../../lib/time.ts'
import { maxFields, maxOptions } from '../fields/field-schemas.ts'
import type { TicketForm } from './forms.ts'

/** On which earlier field of the form an item depends. */
export const ShowIf = Type.Object(
  {
    field_id: { ...Id(11), description: 'An earlier field of the form: a select or a checkbox.' },
    in: Type.Array(Type.Integer({ minimum: 0, examples: [2] }), {
      minItems: 1,
      maxItems: maxOptions,
      examples: [[2]],
      description: 'The ids of options, of which one is enough; of a checkbox 0 or 1.'
    })
  },
  { additionalProperties: false }
)

/** The fields of a form, as they are sent. */
export const formFields = {
  name: Name(100, 'Hardware'),
  deptids: Type.Array(Id(1), {
    maxItems: 1000,
    examples: [[]],
    description: 'Its departments by their deptid. Each has one form at most.'
  }),
  items: Type.Array(
    Type.Object(
      {
        field_id: Id(12),
        required: Type.Optional({
          ...BooleanInput(1),
          description:
            'Whether it is required on opening. A new item begins with what the field says: 1 if its `required_on` is `open`.'
        }),
        show_if: Type.Optional(Nullable(ShowIf))
      },
      { additionalProperties: false }
    ),
    { maxItems: maxFields, examples: [[]], description: 'The fields that are asked, in their order.' }
  ),
  is_default: { ...BooleanInput(0), description: '1: it is for all departments without a form of their own.' }
}

export const FormItemView = Type.Object({ field_id: Id(12), required: Flag(), show_if: Nullable(ShowIf) })

export const TicketFormView = Type.Object({
  id: Id(2),
  name: OutputText('Hardware'),
  deptids: Type.Array(Id(1)),
  items: Type.Array(FormItemView),
  is_default: Flag(0),
  is_archived: Flag(0),
  version: Version,
  created_at: Timestamp(),
  updated_at: Timestamp()
})

export const formData = Type.Object({ form: TicketFormView })

export function formView(form: TicketForm): Static<typeof TicketFormView> {
  return {
    ...form,
    is_default: bit(form.is_default),
    is_archived: bit(form.is_archived),
    created_at: timestamp(form.created_at),
    updated_at: timestamp(form.updated_at)
  }
}
