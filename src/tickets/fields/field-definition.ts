import type { FieldAccess, FieldOption, FieldRequirement } from '../../core/tables/fields.ts'
import { InvalidFields } from '../../kit/errors.ts'
import { maxOptions } from './field-schemas.ts'
import type { Field } from './fields.ts'

interface GivenOption {
  id?: number
  label: string
  is_archived?: 0 | 1
}

/** What an admin may change of a field. */
export interface Changes {
  label?: string
  options?: readonly GivenOption[]
  client_access?: FieldAccess
  is_filterable?: 0 | 1
  required_on?: FieldRequirement
  hint?: string
  position?: number
}

export type Definition = Pick<
  Field,
  'label' | 'options' | 'client_access' | 'is_filterable' | 'required_on' | 'hint' | 'position'
>

export const blank: Definition = {
  label: '',
  options: [],
  client_access: 'none',
  is_filterable: false,
  required_on: 'never',
  hint: '',
  position: 1
}

/** What changes make of a definition. Throws `InvalidFields`. */
export function definitionWith(former: Definition & Pick<Field, 'kind'>, changes: Changes): Partial<Definition> {
  const { options, is_filterable, ...others } = changes
  const given = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined))
  const isSelect = former.kind === 'select' || former.kind === 'multi_select'
  if (!isSelect && options && options.length > 0) throw wrongOptions('Only a select has options')
  const isFilterable = is_filterable === undefined ? former.is_filterable : is_filterable === 1
  if (isFilterable && former.kind === 'long_text') {
    throw InvalidFields({ message: 'Lists cannot be filtered by a long text', errors: ['is_filterable'] })
  }
  return {
    ...given,
    is_filterable: isFilterable,
    ...(options && { options: optionsWith(former.options, options) })
  }
}

/** Those with an id stay, those without are new, and those left out are archived: they stay where they are set. */
function optionsWith(former: readonly FieldOption[], given: readonly GivenOption[]): FieldOption[] {
  const known = new Map(former.map(option => [option.id, option]))
  let last = Math.max(0, ...known.keys())
  const wanted = given.map(({ id, label, is_archived }) => {
    const own = id === undefined ? undefined : known.get(id)
    if (id !== undefined && !own) throw wrongOptions(`There is no option ${id}`)
    const isArchived = is_archived === undefined ? (own?.is_archived ?? false) : is_archived === 1
    return { id: own?.id ?? ++last, label, is_archived: isArchived }
  })
  const ids = new Set(wanted.map(({ id }) => id))
  if (ids.size < wanted.length) throw wrongOptions('An option is named twice')
  const active = wanted.filter(option => !option.is_archived)
  const labels = new Set(active.map(({ label }) => label.toLowerCase()))
  if (labels.size < active.length) throw wrongOptions('Two options have the same label')
  const left = former.filter(({ id }) => !ids.has(id)).map(option => ({ ...option, is_archived: true }))
  const all = [...wanted, ...left]
  if (all.length > maxOptions) throw wrongOptions(`A field has at most ${maxOptions} options, archived ones too`)
  return all
}

function wrongOptions(message: string) {
  return InvalidFields({ message, errors: ['options'] })
}
