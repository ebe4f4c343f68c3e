import type { DataOf } from '@deskline/client'
import { useState } from 'react'
import { post } from '../../app/api-client.ts'
import { useApiQuery } from '../../app/api-queries.ts'
import { useForm } from '../../app/form.ts'
import { FormDialog } from '../../app/form-dialog.tsx'
import { reloadQueries } from '../../app/reload-queries.ts'
import { useDebounced } from '../../app/use-debounced.ts'
import { t } from '../../lib/strings.ts'
import { TextArea, TextField } from '../../ui/field.tsx'
import { Checkbox } from '../../ui/form-controls.tsx'
import { toast } from '../../ui/toast.tsx'

type Organisation = DataOf<'/api/admin/organisations/detail'>['organisation']

interface OrganisationFormProps {
  /** The organisation to change; without it one is added. */
  organisation?: Organisation
  onSaved?: (organisation: Organisation) => void
  onClose: () => void
}

/** The name, domains and note of an organisation, and who would join by the domains. */
export function OrganisationFormDialog({ organisation, onSaved, onClose }: OrganisationFormProps) {
  const former = organisation?.domains.join(', ') ?? ''
  const [follows, setFollows] = useState(organisation?.managers_follow === 1)
  const [addsPeople, setAddsPeople] = useState(false)
  const form = useForm(
    { name: organisation?.name ?? '', domains: former, note: organisation?.note ?? '' },
    {
      reasons: {
        organisation_exists: { name: t('organisations.nameTaken') },
        domain_taken: { domains: t('organisations.domainTaken') },
        public_email_domain: { domains: t('organisations.publicDomain') }
      },
      problems: { domains: t('organisations.domainWrong') }
    }
  )
  const typed = useDebounced(form.values.domains, 400)
  const joiners = useApiQuery(
    '/api/admin/organisations/joiners',
    { domains: listed(typed) },
    { enabled: listed(typed).length > 0, retry: false }
  )
  const count = joiners.data?.total ?? 0

  async function save({ name, domains, note }: typeof form.values) {
    const body = {
      name: name.trim(),
      domains: listed(domains),
      note: note.trim() || null,
      managers_follow: follows ? (1 as const) : (0 as const),
      add_people: addsPeople ? (1 as const) : (0 as const)
    }
    const saved = organisation
      ? await post('/api/admin/organisations/update', {
          id: organisation.id,
          expected_version: organisation.version,
          ...body
        })
      : await post('/api/admin/organisations/create', body)
    toast({ text: t('organisations.saved', { name: saved.organisation.name }) })
    void reloadQueries('/api/admin/organisations/list', '/api/admin/organisations/detail')
    onSaved?.(saved.organisation)
  }

  return (
    <FormDialog
      title={t(organisation ? 'organisations.editTitle' : 'organisations.add')}
      size={620}
      form={form}
      isChanged={follows !== (organisation?.managers_follow === 1) || addsPeople}
      saveLabel={t('organisations.save')}
      keepLabel={t('clients.discard')}
      onSave={save}
      onClose={onClose}
    >
      <TextField label={t('organisations.name')} maxLength={150} dir="auto" {...form.field('name')} />
      <TextField
        label={t('organisations.domains')}
        hint={t('organisations.domainsHint')}
        optional
        autoCapitalize="off"
        spellCheck={false}
        {...form.field('domains')}
      />
      {count > 0 && (
        <Checkbox
          label={t('organisations.joiners', { count })}
          hint={t('organisations.joinersHint')}
          checked={addsPeople}
          onChange={setAddsPeople}
        />
      )}
      <Checkbox
        label={t('organisations.managersFollow')}
        hint={t('organisations.managersFollowHint')}
        checked={follows}
        onChange={setFollows}
      />
      <TextArea label={t('organisations.note')} optional maxLength={5000} rows={3} {...form.field('note')} />
    </FormDialog>
  )
}

function listed(domains: string): string[] {
  return domains.split(/[\s,;]+/).filter(domain => domain.includes('.'))
}
