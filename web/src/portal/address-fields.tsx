import type { Form } from '../app/form.ts'
import { type Key, t } from '../lib/strings.ts'
import { TextField } from '../ui/field.tsx'
import styles from './address-fields.module.css'

type AddressName = 'street_address' | 'street_address_2' | 'postcode' | 'city' | 'state'

interface AddressFieldsProps {
  field: (name: AddressName) => ReturnType<Form<Record<AddressName, string>>['field']>
}

/** The postal address of a client, of which nothing is required. */
export function AddressFields({ field }: AddressFieldsProps) {
  const input = (name: AddressName, label: Key, autoComplete: string, maxLength: number) => (
    <TextField label={t(label)} optional autoComplete={autoComplete} maxLength={maxLength} {...field(name)} />
  )
  return (
    <>
      {input('street_address', 'portal-session.street', 'address-line1', 255)}
      {input('street_address_2', 'portal-session.street2', 'address-line2', 255)}
      <div className={styles.postcodeAndCity}>
        {input('postcode', 'portal-session.postcode', 'postal-code', 20)}
        {input('city', 'portal-session.city', 'address-level2', 100)}
      </div>
      {input('state', 'portal-session.state', 'address-level1', 100)}
    </>
  )
}
