import { t } from '../../../lib/strings.ts'
import { ZonePicker } from '../zone-picker.tsx'

/** The time zone in which the hours of a calendar are told. */
export function ZoneField({ zone, onChange }: { zone: string; onChange(zone: string): void }) {
  return (
    <div className="field">
      <p className="lb">{t('hours.zone')}</p>
      <ZonePicker label={t('hours.chooseZone')} zone={zone} onChange={onChange} />
      <p className="hint">{t('hours.zoneHint')}</p>
    </div>
  )
}
