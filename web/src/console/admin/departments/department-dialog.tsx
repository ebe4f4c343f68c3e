import { post } from '../../../app/api-client.ts'
import { useForm } from '../../../app/form.ts'
import { FormDialog } from '../../../app/form-dialog.tsx'
import { t } from '../../../lib/strings.ts'
import { announce } from '../../../ui/announce.ts'
import { TextArea, TextField } from '../../../ui/field.tsx'
import { adminFailureText } from '../../admin-failure-text.ts'
import { type Department, refreshDepartments } from './departments.ts'

/** A new department, or another name and description for one. The number is chosen once. */
export function DepartmentDialog({ department, onClose }: { department?: Department; onClose: () => void }) {
  const form = useForm(
    { name: department?.name ?? '', description: department?.description ?? '', deptid: '' },
    {
      problems: { deptid: t('admin.numberUnfit') },
      reasons: { department_exists: { deptid: t('admin.numberTaken') } },
      failureText: adminFailureText
    }
  )

  async function save({ name, description, deptid }: typeof form.values) {
    if (department) {
      const { id, version } = department
      const body = { id, name, description: description.trim() || null, expected_version: version }
      await post('/api/admin/departments/update', body)
    } else {
      const number = deptid.trim() ? { deptid: Number(deptid) } : {}
      const words = description.trim() ? { description } : {}
      await post('/api/admin/departments/create', { name, ...words, ...number })
    }
    void refreshDepartments()
    announce(t('admin.saved'))
  }

  return (
    <FormDialog
      title={department ? t('admin.editNamed', { name: department.name }) : t('admin.addDepartment')}
      form={form}
      saveLabel={department ? t('admin.save') : t('admin.addDepartment')}
      busyLabel={t('admin.saving')}
      keepLabel={t('admin.discard')}
      onSave={save}
      onClose={onClose}
    >
      <TextField label={t('admin.name')} autoComplete="off" maxLength={100} {...form.field('name')} />
      <TextArea
        label={t('admin.description')}
        optional
        rows={2}
        maxLength={255}
        hint={t('admin.descriptionHint')}
        {...form.field('description')}
      />
      {!department && (
        <TextField
          label={t('admin.number')}
          optional
          inputMode="numeric"
          autoComplete="off"
          hint={t('admin.numberHint')}
          {...form.field('deptid')}
        />
      )}
    </FormDialog>
  )
}
