import { EyeOff } from 'lucide-react'
import { t } from '../../../lib/strings.ts'
import styles from './fields.module.css'
import { type Field, type FieldUse, kinds, kindText, usesText } from './fields.ts'

/** The names of the columns. On a phone, and for readers, each cell says its own. */
export function FieldsHead() {
  return (
    <div className={styles.columns}>
      <span>{t('fields-admin.field')}</span>
      <span>{t('fields-admin.kindHeading')}</span>
      <span>{t('fields-admin.clients')}</span>
      <span>{t('fields-admin.needed')}</span>
      <span>{t('fields-admin.usedIn')}</span>
    </div>
  )
}

interface FieldRowProps {
  field: Field
  /** Undefined while they are looked up. */
  uses: readonly FieldUse[] | undefined
  onUses: () => void
}

/** A field in the list: its name and key, its kind, and what is said of it. */
export function FieldRow({ field, uses, onUses }: FieldRowProps) {
  const { label, key, kind, client_access, required_on } = field
  const Kind = kinds[kind].icon
  return (
    <div className={styles.columns}>
      <span className={styles.name}>
        <b>{label}</b>
        <code>{key}</code>
        {field.is_filterable === 1 && field.is_filter_ready === 0 && !field.is_archived && (
          <small>{t('fields-admin.preparing')}</small>
        )}
      </span>
      <span className={styles.cell} data-label={t('fields-admin.kindHeading')}>
        <Kind size={14} aria-hidden /> {kindText(field)}
      </span>
      <span className={styles.cell} data-label={t('fields-admin.clients')}>
        {client_access === 'none' && <EyeOff size={14} aria-hidden />} {t(`fields-admin.access.${client_access}`)}
      </span>
      <span
        className={styles.cell}
        data-label={t('fields-admin.needed')}
        data-none={required_on === 'never' || undefined}
      >
        {t(`fields-admin.required.${required_on}`)}
      </span>
      <span className={styles.cell} data-label={t('fields-admin.usedIn')} data-none={uses?.length === 0 || undefined}>
        {uses?.length === 0 && t('fields-admin.nowhere')}
        {uses && uses.length > 0 && (
          <button type="button" className="link" onClick={onUses}>
            {usesText(uses)}
          </button>
        )}
      </span>
    </div>
  )
}
