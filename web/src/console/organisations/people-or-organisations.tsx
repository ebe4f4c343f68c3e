import { t } from '../../lib/strings.ts'
import { SegmentedControl } from '../../ui/form-controls.tsx'
import { useNavigate } from '../navigation.ts'

/** Leads from the clients to their organisations and back. */
export function PeopleOrOrganisations({ value }: { value: 'people' | 'organisations' }) {
  const navigate = useNavigate()
  return (
    <SegmentedControl
      label={t('clients.show')}
      options={[
        { value: 'people', label: t('clients.people') },
        { value: 'organisations', label: t('clients.organisations') }
      ]}
      value={value}
      onChange={to => void navigate({ to: to === 'people' ? '/clients' : '/organisations' })}
    />
  )
}
