import { system } from '../../core/actor.ts'
import { calendarsWithDays, calendarView } from '../../core/calendars/calendars.ts'
import { createCalendar } from '../../core/calendars/endpoints/admin-calendars-create.ts'
import { updateCalendar } from '../../core/calendars/endpoints/admin-calendars-update.ts'
import type { Db } from '../../core/db.ts'
import type { AnyEndpoint } from '../../kit/endpoint.ts'
import { bit } from '../../lib/bit.ts'
import { createDepartment } from '../../people/departments/endpoints/admin-departments-create.ts'
import { updateDepartment } from '../../people/departments/endpoints/admin-departments-update.ts'
import { createField } from '../../tickets/fields/endpoints/admin-fields-create.ts'
import { updateField } from '../../tickets/fields/endpoints/admin-fields-update.ts'
import { fieldView } from '../../tickets/fields/field-schemas.ts'
import { allFields } from '../../tickets/fields/fields.ts'
import { createTicketForm } from '../../tickets/forms/endpoints/admin-ticket-forms-create.ts'
import { updateTicketForm } from '../../tickets/forms/endpoints/admin-ticket-forms-update.ts'
import { formView } from '../../tickets/forms/form-schemas.ts'
import { allForms } from '../../tickets/forms/forms.ts'
import { createMacro } from '../../tickets/macros/endpoints/admin-macros-create.ts'
import { updateMacro } from '../../tickets/macros/endpoints/admin-macros-update.ts'
import { macrosOf, macroViews } from '../../tickets/macros/macros.ts'
import { createView } from '../../tickets/queue/endpoints/admin-views-create.ts'
import { updateView } from '../../tickets/queue/endpoints/admin-views-update.ts'
import { savedViews, savedViewView } from '../../tickets/queue/saved-views.ts'
import { createRule } from '../../tickets/rules/endpoints/admin-rules-create.ts'
import { reorderRules } from '../../tickets/rules/endpoints/admin-rules-reorder.ts'
import { updateRule } from '../../tickets/rules/endpoints/admin-rules-update.ts'
import { ruleViews } from '../../tickets/rules/rule-schemas.ts'
import { allRules } from '../../tickets/rules/rules.ts'
import { createSlaPolicy } from '../../tickets/sla/endpoints/admin-sla-policies-create.ts'
import { reorderSlaPolicies } from '../../tickets/sla/endpoints/admin-sla-policies-reorder.ts'
import { updateSlaPolicy } from '../../tickets/sla/endpoints/admin-sla-policies-update.ts'
import { slaPolicies } from '../../tickets/sla/policies.ts'
import { policiesView } from '../../tickets/sla/policy-schemas.ts'
import { createTag } from '../../tickets/tags/endpoints/admin-tags-create.ts'
import { updateTag } from '../../tickets/tags/endpoints/admin-tags-update.ts'
import {
  allReferences,
  type Definition,
  isObject,
  type References,
  referencesAt,
  referencesInActions,
  referencesInConditions,
  referencesInItems
} from './references.ts'

/** More definitions than a desk has of a kind. */
export const most = 10_000

/** A definition as the API shows it. */
export interface Shown extends Readonly<Record<string, unknown>> {
  id: number
  version: number
  is_archived?: 0 | 1
}

/** A kind of definition that the file has. */
export interface KindOfDefinition {
  /** The name of its list in the file. */
  list: string
  kind: string
  /** The field by which definitions of two desks are the same. */
  namedBy: string
  /** Those of this desk, archived ones too, in their order. */
  shown(db: Db): Promise<readonly Shown[]>
  /** The file has the fields that this one takes, and is checked as its callers are. */
  create: AnyEndpoint
  update: AnyEndpoint
  /** Sets their order, which is that of the file. */
  reorder?: AnyEndpoint
  /** Fields that the file does not have. */
  without?: readonly string[]
  /** What all of them say, which the file does not. */
  always?: Readonly<Record<string, unknown>>
  /** Fields of `update` that are not exported, and that the file may have. */
  mayHave?: readonly string[]
  references?: References
  /** How the file has it, if not as the API shows it. */
  inFile?(shown: Shown): Shown
  /** What `update` is sent, if that depends on what is here. */
  toUpdate?(definition: Definition, here: Shown): Definition
}

/** Every kind that the file has, those that others name first: another kind takes an entry here. */
export const kindsOfDefinitions: readonly KindOfDefinition[] = [
  {
    list: 'departments',
    kind: 'department',
    namedBy: 'name',
    shown: async db => {
      const departments = await db
        .selectFrom('departments')
        .select(['deptid as id', 'name', 'description', 'is_active', 'version'])
        .orderBy('id')
        .execute()
      return departments.map(department => ({ ...department, is_active: bit(department.is_active) }))
    },
    create: createDepartment,
    update: updateDepartment,
    without: ['deptid']
  },
  {
    list: 'tags',
    kind: 'tag',
    namedBy: 'name',
    shown: db => db.selectFrom('tags').select(['id', 'name', 'color', 'version']).orderBy('name').execute(),
    create: createTag,
    update: updateTag
  },
  {
    list: 'calendars',
    kind: 'calendar',
    namedBy: 'name',
    shown: async db => (await calendarsWithDays(db)).map(calendarView),
    create: createCalendar,
    update: updateCalendar,
    mayHave: ['recompute_past']
  },
  {
    list: 'fields',
    kind: 'field',
    namedBy: 'key',
    shown: async db => (await allFields(db)).map(fieldView),
    create: createField,
    update: updateField,
    without: ['position'],
    inFile: field => ({ ...field, options: optionsIn(field).map(({ id: _, ...option }) => option) }),
    toUpdate: withOptionIds
  },
  {
    list: 'ticket_forms',
    kind: 'ticket_form',
    namedBy: 'name',
    shown: async db => (await allForms(db)).map(formView),
    create: createTicketForm,
    update: updateTicketForm,
    references: allReferences(referencesInItems(), referencesAt({ 'deptids.*': 'department' }))
  },
  {
    list: 'sla_policies',
    kind: 'sla_policy',
    namedBy: 'name',
    shown: async db => (await policiesView(db, await slaPolicies(db))).policies,
    create: createSlaPolicy,
    update: updateSlaPolicy,
    reorder: reorderSlaPolicies,
    without: ['apply_to_open'],
    references: allReferences(
      referencesAt({ 'targets.*.calendar_id': 'calendar' }),
      referencesInConditions('conditions')
    )
  },
  {
    list: 'views',
    kind: 'view',
    namedBy: 'name',
    shown: async db => (await savedViews(db, system)).filter(({ is_shared }) => is_shared).map(savedViewView),
    create: createView,
    update: updateView,
    // The conditions stand in the query too; of the position only the order matters.
    without: ['conditions', 'position'],
    always: { is_shared: 1 },
    references: allReferences(
      referencesAt({
        'query.department_id': 'department',
        'query.deptid': 'department',
        'query.assigned_staff_id': 'staff',
        'query.client_id': 'client',
        'query.organisation_id': 'organisation',
        'query.tag_id': 'tag'
      }),
      referencesInConditions('query.conditions')
    )
  },
  {
    list: 'macros',
    kind: 'macro',
    namedBy: 'name',
    shown: async db => {
      const { macros } = await macrosOf(db, system, 'macro', {}, { limit: most, offset: 0, page: 1 })
      const shown = await macroViews(db, system, macros)
      // An empty text in a request is none that was sent.
      return shown.map(macro => ({ ...macro, reply_text: macro.reply_text || null }))
    },
    create: createMacro,
    update: updateMacro,
    always: { is_shared: 1 },
    references: allReferences(referencesAt({ 'deptids.*': 'department' }), referencesInActions())
  },
  {
    list: 'rules',
    kind: 'rule',
    namedBy: 'name',
    shown: async db => await ruleViews(db, await allRules(db)),
    create: createRule,
    update: updateRule,
    reorder: reorderRules,
    without: ['create_tags'],
    references: allReferences(
      referencesAt({ 'trigger.timer.calendar_id': 'calendar', 'trigger.timer.field_id': 'field' }),
      referencesInConditions('conditions'),
      referencesInActions()
    )
  }
]

/** The names of the fields of these definitions in the file. */
export function fieldsOf({ create, without = [], always = {} }: KindOfDefinition): string[] {
  return Object.keys(create.body!.properties).filter(name => !without.includes(name) && !Object.hasOwn(always, name))
}

interface Option {
  id: number
  label: unknown
}

function optionsIn(field: Shown): readonly Option[] {
  return field.options as readonly Option[]
}

/** Options of a field have the ids of those here with the same labels; others are new. */
function withOptionIds(definition: Definition, here: Shown): Definition {
  if (!Array.isArray(definition.options)) return definition
  const left = [...optionsIn(here)]
  const options = definition.options.map((option: unknown) => {
    if (!isObject(option)) return option
    const at = left.findIndex(({ label }) => label === option.label)
    return at < 0 ? option : { ...option, id: left.splice(at, 1)[0]!.id }
  })
  return { ...definition, options }
}
