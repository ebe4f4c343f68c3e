import type { StaffActor } from '../../../core/actor.ts'
import type { Services } from '../../../core/services.ts'
import type { Caller } from '../../../kit/caller.ts'
import { createField } from '../../../tickets/fields/change-fields.ts'
import { allFields } from '../../../tickets/fields/fields.ts'
import { createForm } from '../../../tickets/forms/change-forms.ts'
import { allForms } from '../../../tickets/forms/forms.ts'
import { demoFields, demoForm } from './demo-forms.ts'

interface Making {
  admin: StaffActor
  caller: Caller
}

/** Creates the custom fields, unless they exist. */
export async function makeFields(services: Services, { admin, caller }: Making): Promise<void> {
  const existing = (await allFields(services.db)).map(({ key }) => key)
  for (const field of demoFields) {
    if (!existing.includes(field.key)) await createField(services, admin, caller, field)
  }
}

/** Creates the form that asks them, unless a form has its name or its department. */
export async function makeForm(services: Services, { admin, caller }: Making): Promise<void> {
  const { name, deptids, items } = demoForm
  const existing = await allForms(services.db)
  if (existing.some(form => form.name === name || form.deptids.some(id => deptids.includes(id)))) return
  const ids = new Map((await allFields(services.db)).map(({ key, id }) => [key, id]))
  const idOf = (key: string) => ids.get(key)!
  await createForm(services, admin, caller, {
    name,
    deptids,
    items: items.map(({ field, required, showIf }) => ({
      field_id: idOf(field),
      required,
      show_if: showIf ? { field_id: idOf(showIf.field), in: showIf.in } : null
    }))
  })
}
