import { useApiQuery } from '../../../app/api-queries.ts'
import { t } from '../../../lib/strings.ts'
import { Checkbox } from '../../../ui/form-controls.tsx'
import { toast } from '../../../ui/toast.tsx'
import { adminFailureText } from '../../admin-failure-text.ts'
import { AdminPage } from '../admin-page.tsx'
import { DeskSettings } from '../desk-settings.tsx'
import { type Settings, saveSettings } from '../save-settings.ts'
import { SelectRow, SettingRow, SwitchRow } from '../setting-row.tsx'
import styles from '../settings.module.css'
import { SurveyEmail } from './survey-email.tsx'

const delays = [0, 60, 240, 1440] as const

/** Whether clients are asked how satisfied they are, how long after the closing, and in which departments. */
export function SatisfactionPage() {
  return (
    <AdminPage title={t('admin.satisfaction')} lede={t('admin.satisfactionLede')} width="settings">
      <DeskSettings>
        {({ settings }) => (
          <div className={styles.cards}>
            <div className={styles.card}>
              <SwitchRow
                setting="satisfaction"
                isOn={settings.csat_enabled === 1}
                onChange={isOn => saveSettings({ csat_enabled: isOn ? 1 : 0 })}
              />
              <Delay minutes={settings.csat_delay_minutes} />
              <Departments chosen={settings.csat_departments} />
            </div>
            <SurveyEmail deskLanguage={settings.language} />
          </div>
        )}
      </DeskSettings>
    </AdminPage>
  )
}

function Delay({ minutes }: { minutes: number }) {
  const known = delays.map(value => ({ value: String(value), label: t(`admin.csatDelay.${value}`) }))
  const options = known.some(({ value }) => value === String(minutes))
    ? known
    : [...known, { value: String(minutes), label: t('admin.csatDelay.other', { count: minutes }) }]
  return (
    <SelectRow
      title={t('admin.csatDelay')}
      value={String(minutes)}
      options={options}
      onChange={value => saveSettings({ csat_delay_minutes: Number(value) })}
    />
  )
}

function Departments({ chosen }: { chosen: Settings['csat_departments'] }) {
  const { data } = useApiQuery('/api/admin/tickets/counts', {})
  const departments = data?.per_department ?? []
  async function choose(deptid: number, isChosen: boolean) {
    const others = chosen.filter(each => each !== deptid)
    try {
      await saveSettings({ csat_departments: isChosen ? [...others, deptid] : others })
    } catch (error) {
      toast({ text: adminFailureText(error), tone: 'bad' })
    }
  }
  return (
    <SettingRow title={t('admin.csatDepartments')} hint={t('admin.csatDepartmentsHint')}>
      <fieldset style={{ display: 'grid', gap: 'var(--s-1)' }}>
        <legend className="visually-hidden">{t('admin.csatDepartments')}</legend>
        {departments.map(({ deptid, name }) => (
          <Checkbox
            key={deptid}
            label={name}
            checked={chosen.includes(deptid)}
            onChange={isChosen => void choose(deptid, isChosen)}
          />
        ))}
      </fieldset>
    </SettingRow>
  )
}
