import { useState } from 'react'
import { post } from '../../app/api-client.ts'
import { useApiQuery } from '../../app/api-queries.ts'
import { useForm } from '../../app/form.ts'
import { FormDialog } from '../../app/form-dialog.tsx'
import { reloadQueries } from '../../app/reload-queries.ts'
import { useDebounced } from '../../app/use-debounced.ts'
import { loadStrings, t } from '../../lib/strings.ts'
import { SelectField, TextField } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.tsx'

await loadStrings('organisations')

export interface Member {
  id: number
  name: string
  is_email_verified: 0 | 1
  organisation?: { id: number; name: string } | undefined
  organisation_role?: 'member' | 'manager' | undefined
}

/** To which organisation a client belongs, and the role in it. */
export function MembershipDialog({ client, onClose }: { client: Member; onClose: () => void }) {
  const [search, setSearch] = useState('')
  const found = useApiQuery('/api/admin/organisations/list', {
    limit: 100,
    ...(useDebounced(search.trim(), 200) && { search: search.trim() })
  })
  const form = useForm({
    organisation: client.organisation ? String(client.organisation.id) : '',
    role: client.organisation_role ?? 'member'
  })
  const shown = new Map((found.data?.organisations ?? []).map(({ id, name }) => [String(id), name]))
  if (client.organisation) shown.set(String(client.organisation.id), client.organisation.name)

  async function save({ organisation, role }: typeof form.values) {
    await post('/api/admin/clients/update', {
      id: client.id,
      organisation_id: organisation ? Number(organisation) : null,
      ...(organisation ? { organisation_role: role as 'member' | 'manager' } : {})
    })
    toast({ text: t('organisations.membershipSaved', { name: client.name }) })
    void reloadQueries('/api/admin/clients/detail', '/api/admin/clients/list', '/api/admin/organisations/detail')
  }

  return (
    <FormDialog
      title={t('organisations.membershipTitle', { name: client.name })}
      form={form}
      saveLabel={t('organisations.save')}
      keepLabel={t('clients.discard')}
      onSave={save}
      onClose={onClose}
    >
      <TextField label={t('organisations.searchLabel')} optional value={search} onChange={setSearch} />
      <SelectField
        label={t('organisations.organisation')}
        hint={t('organisations.membershipHint')}
        options={[
          { value: '', label: t('organisations.none') },
          ...[...shown].map(([value, label]) => ({ value, label }))
        ]}
        {...form.field('organisation')}
      />
      <SelectField
        label={t('organisations.role')}
        hint={t(client.is_email_verified ? 'organisations.roleHint' : 'organisations.roleUnproven')}
        options={[
          { value: 'member', label: t('organisations.member') },
          { value: 'manager', label: t('organisations.manager') }
        ]}
        {...form.field('role')}
      />
    </FormDialog>
  )
}
