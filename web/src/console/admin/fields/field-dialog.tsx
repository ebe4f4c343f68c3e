import { useId, useState } from 'react'
import { post } from '../../../app/api-client.ts'
import type { FieldKind } from '../../../app/custom-fields/custom-field.ts'
import { useForm } from '../../../app/form.ts'
import { FormDialog } from '../../../app/form-dialog.tsx'
import { reloadQueries } from '../../../app/reload-queries.ts'
import { t } from '../../../lib/strings.ts'
import { announce } from '../../../ui/announce.ts'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { Checkbox } from '../../../ui/form-controls.tsx'
import { adminFailureText } from '../../admin-failure-text.ts'
import forms from '../forms.module.css'
import styles from './fields.module.css'
import { accesses, type Field, fieldsPath, hasOptions, keyFrom, kinds, maxFilterable, requirements } from './fields.ts'
import { type EditedOption, OptionsEditor } from './options-editor.tsx'

interface FieldDialogProps {
  /** Undefined: a new one. */
  field: Field | undefined
  /** How many fields lists can be filtered by. */
  filterable: number
  onClose: () => void
}

/** Adds a field, or changes one. The key and the kind stay as they were saved. */
export function FieldDialog({ field, filterable, onClose }: FieldDialogProps) {
  const [kind, setKind] = useState<FieldKind>(field?.kind ?? 'text')
  const [options, setOptions] = useState<EditedOption[]>(field?.options ?? [])
  const [isFilterable, setFilterable] = useState(field?.is_filterable === 1)
  const [hasOwnKey, setOwnKey] = useState(field !== undefined)
  const canFilter = kind !== 'long_text'
  const form = useForm(
    {
      label: field?.label ?? '',
      key: field?.key ?? '',
      hint: field?.hint ?? '',
      client_access: field?.client_access ?? 'none',
      required_on: field?.required_on ?? 'never',
      options: ''
    },
    {
      check: ({ label, key }) => ({
        label: !label.trim() && t('ui.fieldMissing'),
        key: keyFault(key),
        options: hasOptions(kind) && optionsFault(options)
      }),
      reasons: {
        field_key_taken: { key: t('fields-admin.keyTaken') },
        field_key_rests: { key: t('fields-admin.keyRests') }
      },
      failureText: adminFailureText
    }
  )

  async function save({ label, key, hint, client_access, required_on }: typeof form.values) {
    const facts = {
      label: label.trim(),
      hint: hint.trim(),
      client_access: client_access as Field['client_access'],
      required_on: required_on as Field['required_on'],
      is_filterable: canFilter && isFilterable ? (1 as const) : (0 as const),
      ...(hasOptions(kind) && {
        options: options.map(({ id, label, is_archived }) => ({
          ...(id > 0 && { id }),
          label: label.trim(),
          is_archived
        }))
      })
    }
    if (field) await post('/api/admin/fields/update', { id: field.id, expected_version: field.version, ...facts })
    else await post('/api/admin/fields/create', { key, kind, ...facts })
    announce(t('admin.saved'))
    await reloadQueries(fieldsPath)
  }

  const isChanged =
    kind !== (field?.kind ?? 'text') ||
    isFilterable !== (field?.is_filterable === 1) ||
    JSON.stringify(options) !== JSON.stringify(field?.options ?? [])
  const otherFilterable = filterable - (field?.is_filterable ?? 0)
  return (
    <FormDialog
      title={field ? t('fields-admin.edit') : t('fields-admin.add')}
      size={620}
      form={form}
      isChanged={isChanged}
      saveLabel={field ? t('admin.save') : t('fields-admin.add')}
      busyLabel={t('admin.saving')}
      keepLabel={t('definition.discard')}
      onSave={save}
      onClose={onClose}
    >
      <div className={forms.two}>
        <TextField
          label={t('admin.name')}
          maxLength={100}
          autoComplete="off"
          {...form.field('label')}
          onChange={label => {
            form.set('label', label)
            if (!hasOwnKey) form.set('key', keyFrom(label))
          }}
        />
        <TextField
          label={t('fields-admin.key')}
          hint={t('fields-admin.keyHint')}
          maxLength={50}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          {...form.field('key')}
          onChange={key => {
            setOwnKey(key !== '')
            form.set('key', key)
          }}
          {...(field && { readOnly: true })}
        />
      </div>
      <KindChoice kind={kind} isFixed={field !== undefined} onChange={setKind} />
      {hasOptions(kind) && <OptionsEditor options={options} error={form.errors.options} onChange={setOptions} />}
      <div className={forms.two}>
        <SelectField
          label={t('fields-admin.clients')}
          options={accesses.map(value => ({ value, label: t(`fields-admin.access.${value}`) }))}
          {...form.field('client_access')}
        />
        <SelectField
          label={t('fields-admin.needed')}
          options={requirements.map(value => ({ value, label: t(`fields-admin.required.${value}`) }))}
          {...form.field('required_on')}
        />
      </div>
      <TextField
        label={t('fields-admin.hint')}
        hint={t('fields-admin.hintHint')}
        optional
        maxLength={500}
        autoComplete="off"
        {...form.field('hint')}
      />
      {canFilter && (
        <Checkbox
          label={t('fields-admin.filterable')}
          hint={t('fields-admin.filterableOf', { count: filterable, most: maxFilterable })}
          checked={isFilterable}
          disabled={!isFilterable && otherFilterable >= maxFilterable}
          onChange={setFilterable}
        />
      )}
    </FormDialog>
  )
}

function keyFault(key: string): string | false {
  if (key === '') return t('ui.fieldMissing')
  return !/^[a-z][a-z0-9_]*$/.test(key) && t('fields-admin.keyUnfit')
}

function optionsFault(options: readonly EditedOption[]): string | false {
  const active = options.filter(({ is_archived }) => !is_archived).map(({ label }) => label.trim().toLowerCase())
  if (active.length === 0) return t('fields-admin.choicesMissing')
  if (options.some(({ label }) => label.trim() === '')) return t('fields-admin.choiceUnnamed')
  return new Set(active).size < active.length && t('fields-admin.choiceTwice')
}

interface KindChoiceProps {
  kind: FieldKind
  isFixed: boolean
  onChange: (kind: FieldKind) => void
}

/** The seven kinds as cards, each with an example. */
function KindChoice({ kind, isFixed, onChange }: KindChoiceProps) {
  const name = useId()
  return (
    <fieldset className={`field ${styles.kinds}`} disabled={isFixed}>
      <legend className="lb">{t('fields-admin.kindHeading')}</legend>
      {(Object.keys(kinds) as FieldKind[]).map(own => {
        const { icon: Shown, label, example } = kinds[own]
        return (
          <label key={own} className={styles.kind}>
            <input type="radio" name={name} checked={own === kind} onChange={() => onChange(own)} />
            <Shown size={16} aria-hidden />
            <span>
              {t(label)} <small>{t(example)}</small>
            </span>
          </label>
        )
      })}
      <p className={styles.kindHint}>{t(isFixed ? 'fields-admin.kindIsFixed' : 'fields-admin.kindStays')}</p>
    </fieldset>
  )
}
