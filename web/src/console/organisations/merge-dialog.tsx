import { post } from '../../app/api-client.ts'
import { useApiQuery } from '../../app/api-queries.ts'
import { useForm } from '../../app/form.ts'
import { FormDialog } from '../../app/form-dialog.tsx'
import { reloadQueries } from '../../app/reload-queries.ts'
import { t } from '../../lib/strings.ts'
import { SelectField, TextField } from '../../ui/field.tsx'

interface MergeDialogProps {
  organisation: { id: number; name: string; version: number }
  onMerged: (into: { id: number }) => void
  onClose: () => void
}

/** Asks into which organisation this one goes, and for its name, since nothing undoes it. */
export function MergeDialog({ organisation, onMerged, onClose }: MergeDialogProps) {
  const { data } = useApiQuery('/api/admin/organisations/list', { limit: 100 })
  const form = useForm(
    { into_id: '', confirm_name: '' },
    { reasons: { name_not_confirmed: { confirm_name: t('organisations.confirmWrong') } } }
  )
  const others = (data?.organisations ?? []).filter(({ id }) => id !== organisation.id)
  return (
    <FormDialog
      title={t('organisations.mergeTitle', { name: organisation.name })}
      form={form}
      tone="confirm"
      saveLabel={t('organisations.merge')}
      keepLabel={t('organisations.keep')}
      isDisabled={form.values.into_id === ''}
      onSave={async ({ into_id, confirm_name }) => {
        const { id, version } = organisation
        const body = { id, into_id: Number(into_id), confirm_name, expected_version: version }
        const merged = await post('/api/admin/organisations/merge', body)
        void reloadQueries('/api/admin/organisations/list')
        onMerged(merged.organisation)
      }}
      onClose={onClose}
    >
      <p>{t('organisations.mergeText')}</p>
      <SelectField
        label={t('organisations.into')}
        options={[
          { value: '', label: '–', disabled: true },
          ...others.map(({ id, name }) => ({ value: String(id), label: name }))
        ]}
        {...form.field('into_id')}
      />
      <TextField
        label={t('organisations.confirmName', { name: organisation.name })}
        autoComplete="off"
        {...form.field('confirm_name')}
      />
    </FormDialog>
  )
}
