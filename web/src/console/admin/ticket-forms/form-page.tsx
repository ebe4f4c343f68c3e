import { Building } from 'lucide-react'
import { useState } from 'react'
import { post } from '../../../app/api-client.ts'
import { useApiQuery, whileEdited } from '../../../app/api-queries.ts'
import { hasReason } from '../../../app/failures.ts'
import { QueryState } from '../../../app/query-state.tsx'
import { reloadQueries } from '../../../app/reload-queries.ts'
import { t } from '../../../lib/strings.ts'
import { useParams } from '../../../router/react.tsx'
import { announce } from '../../../ui/announce.ts'
import { Banner } from '../../../ui/banner.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Checkbox } from '../../../ui/form-controls.tsx'
import { Part } from '../../../ui/part.tsx'
import { Picker } from '../../../ui/picker.tsx'
import { SaveBar } from '../../../ui/save-bar.tsx'
import { StateMessage } from '../../../ui/state-message.tsx'
import { adminFailureText } from '../../admin-failure-text.ts'
import { useNavigate } from '../../navigation.ts'
import { AdminPage } from '../admin-page.tsx'
import { ChangedByOthers } from '../changed-by-others.tsx'
import { UnsavedChangesDialog } from '../unsaved-changes-dialog.tsx'
import { useSaving } from '../use-saving.ts'
import { FormItems } from './form-items.tsx'
import { FormPreview } from './form-preview.tsx'
import {
  changesOf,
  departmentsText,
  draftOf,
  type Field,
  type FormDraft,
  fieldsOf,
  formsPath,
  isUnfinished,
  type TicketForm
} from './ticket-form.ts'
import styles from './ticket-forms.module.css'

/** One form: its fields in order, and beside them the form as it is filled in. `new` for one that is added. */
export function FormPage() {
  const { formId } = useParams<{ formId: string }>()
  const forms = useApiQuery(formsPath, undefined, whileEdited)
  const fields = useApiQuery('/api/admin/fields/list', undefined)
  const isNew = formId === 'new'
  const form = forms.data?.forms.find(({ id }) => String(id) === formId)
  const title = form?.name ?? (isNew ? t('ticket-forms.newForm') : t('ticket-forms.form'))
  if (!forms.data || !fields.data || (!form && !isNew))
    return (
      <AdminPage title={title} above={{ to: '/forms', label: t('admin.forms') }}>
        <QueryState query={{ ...forms, data: fields.data && forms.data }}>
          {() => <StateMessage kind="404" title={t('ticket-forms.gone')} />}
        </QueryState>
      </AdminPage>
    )
  return <Editor key={`${formId} ${form?.version}`} form={form} fields={fields.data.fields} />
}

function Editor({ form, fields }: { form: TicketForm | undefined; fields: Field[] }) {
  const navigate = useNavigate()
  const saved = draftOf(form)
  const [draft, setDraft] = useState(saved)
  const [isLeaving, setLeaving] = useState(false)
  const { isBusy, failure, isStale, run, refuse, clearFailure } = useSaving(failureTextOf)
  const departments = useApiQuery('/api/admin/departments/list', { limit: 1000 }).data?.departments ?? []
  const change = (changed: Partial<FormDraft>) => setDraft({ ...draft, ...changed })
  const labelOf = (id: number) => fields.find(field => field.id === id)?.label ?? ''
  const changes = changesOf(saved, draft, labelOf)
  const names = departments.flatMap(({ deptid, name }) => (draft.deptids.includes(deptid) ? [name] : []))

  async function save(isOverOthers = false): Promise<boolean> {
    if (!draft.name.trim() || draft.items.some(isUnfinished)) {
      refuse(t('ticket-forms.mendFirst'))
      return false
    }
    return await run(async () => {
      if (form) {
        const version = isOverOthers ? {} : { expected_version: form.version }
        await post('/api/admin/ticket-forms/update', { id: form.id, ...fieldsOf(draft), ...version })
        announce(t('admin.saved'))
        await reloadQueries(formsPath)
      } else {
        const created = await post('/api/admin/ticket-forms/create', fieldsOf(draft))
        announce(t('admin.saved'))
        setLeaving(true)
        await reloadQueries(formsPath)
        void navigate({ to: '/forms/$formId', params: { formId: String(created.form.id) }, replace: true })
      }
    })
  }

  const hasChanges = changes.length > 0 && !isLeaving
  return (
    <AdminPage
      title={form?.name ?? t('ticket-forms.newForm')}
      above={{ to: '/forms', label: t('admin.forms') }}
      lede={
        names.length > 0 || !draft.isDefault
          ? t('ticket-forms.askedIn', { departments: departmentsText(names) })
          : t('ticket-forms.askedElsewhere')
      }
      foot={
        hasChanges && (
          <SaveBar
            changes={changes}
            saveLabel={t('ticket-forms.save')}
            busy={isBusy}
            onSave={() => void save()}
            onDiscard={() => {
              setDraft(saved)
              clearFailure()
            }}
          />
        )
      }
    >
      {isStale && (
        <ChangedByOthers onSaveOver={() => void save(true)} onShowTheirs={() => void reloadQueries(formsPath)} />
      )}
      {failure && <Banner tone="bad">{failure}</Banner>}
      <div className={styles.columns}>
        <div className={styles.stack}>
          <div className={`card ${styles.facts}`}>
            <TextField
              label={t('admin.name')}
              maxLength={100}
              autoComplete="off"
              value={draft.name}
              error={failure && !draft.name.trim() ? t('ui.fieldMissing') : undefined}
              onChange={name => change({ name })}
            />
            <Checkbox
              label={t('ticket-forms.default')}
              hint={t('ticket-forms.defaultHint')}
              checked={draft.isDefault}
              onChange={isDefault => change({ isDefault })}
            />
          </div>
          <FormItems
            items={draft.items}
            fields={fields}
            head={
              <Picker
                multiple
                label={t('ticket-forms.departments')}
                align="end"
                items={departments.map(({ deptid, name }) => ({ id: deptid, label: name }))}
                selected={draft.deptids}
                trigger={trigger => (
                  <Part {...trigger} hasChevron icon={Building}>
                    {departmentsText(names)}
                  </Part>
                )}
                onChange={deptids => change({ deptids })}
              />
            }
            onChange={items => change({ items })}
          />
        </div>
        <FormPreview items={draft.items} fields={fields} />
      </div>
      <UnsavedChangesDialog hasChanges={hasChanges} title={t('ticket-forms.unsaved')} onSave={() => save()} />
    </AdminPage>
  )
}

function failureTextOf(error: unknown): string {
  return hasReason(error, 'department_has_form') ? t('ticket-forms.departmentTaken') : adminFailureText(error)
}
