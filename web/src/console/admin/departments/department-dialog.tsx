import { type FormEvent, useId } from 'react'
import { desk } from '../../../app/desk.ts'
import { useForm } from '../../../app/form.ts'
import { t } from '../../../lib/strings.ts'
import { announce } from '../../../ui/announce.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextArea, TextField } from '../../../ui/field.tsx'
import { wordsFor } from '../failure-words.ts'
import forms from '../forms.module.css'
import { type Department, refreshDepartments } from './departments.ts'

/** A new department, or another name and description for one. The number is chosen once. */
export function DepartmentDialog({ department, onClose }: { department?: Department; onClose: () => void }) {
  const formId = useId()
  const form = useForm(
    { name: department?.name ?? '', description: department?.description ?? '', deptid: '' },
    {
      problems: { deptid: t('admin.numberUnfit') },
      reasons: { department_exists: { deptid: t('admin.numberTaken') } },
      words: wordsFor
    }
  )

  async function save(event: FormEvent) {
    const isSaved = await form.submit(async ({ name, description, deptid }) => {
      if (department) {
        const { id, version } = department
        const body = { id, name, description: description.trim() || null, expected_version: version }
        await desk.POST('/api/admin/departments/update', { body })
      } else {
        const number = deptid.trim() ? { deptid: Number(deptid) } : {}
        const words = description.trim() ? { description } : {}
        await desk.POST('/api/admin/departments/create', { body: { name, ...words, ...number } })
      }
    }, event)
    if (!isSaved) return
    void refreshDepartments()
    announce(t('admin.saved'))
    onClose()
  }

  return (
    <Dialog
      title={department ? t('admin.editNamed', { name: department.name }) : t('admin.addDepartment')}
      open
      onClose={onClose}
      guarded={form.isChanged}
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            {t('admin.discard')}
          </Button>
          <Button variant="primary" type="submit" form={formId} busy={form.isBusy} busyLabel={t('admin.saving')}>
            {department ? t('admin.save') : t('admin.addDepartment')}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={save} className={forms.form} noValidate>
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
        {form.failure && <Banner tone="bad">{form.failure}</Banner>}
      </form>
    </Dialog>
  )
}
