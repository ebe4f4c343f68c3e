import { useState } from 'react'
import { useApiQuery } from '../../../app/api-queries.ts'
import { QueryState } from '../../../app/query-state.tsx'
import { setLocalSetting, useLocalSetting } from '../../../lib/local-setting.ts'
import { language, t } from '../../../lib/strings.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/form-controls.tsx'
import { Part } from '../../../ui/part.tsx'
import { Picker } from '../../../ui/picker.tsx'
import type { Day } from './calendar.ts'
import { dayAndDateText } from './calendar-dates.ts'
import styles from './hours.module.css'

const path = '/api/admin/calendars/suggest-days'
/** For which place days were suggested last, in this browser. */
const placeKey = 'deskline:holidays'
const wholeCountry = ''

interface SuggestedDaysProps {
  year: number
  days: readonly Day[]
  isClosedAnyway: (date: string) => boolean
  onAdd: (days: Day[]) => void
  onClose: () => void
}

/** The public holidays of a place as proposals to be ticked. */
export function SuggestedDays({ year, onClose, ...others }: SuggestedDaysProps) {
  const [country = '', region = wholeCountry] = (useLocalSetting(placeKey) ?? '').split(' ')
  const own = { language: language === 'de' ? 'de' : 'en' } as const
  const countries = useApiQuery(path, own).data?.countries ?? []
  const regions = useApiQuery(path, { ...own, country }, { enabled: country !== '' }).data?.regions ?? []
  const proposals = useApiQuery(path, { ...own, country, year, ...(region && { region }) }, { enabled: country !== '' })
  const choose = (country: string, region = wholeCountry) => setLocalSetting(placeKey, `${country} ${region}`.trim())
  const nameOf = (code: string, places: { code: string; name: string }[]) =>
    places.find(place => place.code === code)?.name ?? code

  return (
    <>
      <div className={styles.suggestHead}>
        {t('hours.suggestedFor')}
        <Picker
          label={t('hours.country')}
          items={countries.map(({ code, name }) => ({ id: code, label: name, words: code }))}
          selected={country}
          trigger={trigger => (
            <Part {...trigger} hasChevron aria-label={`${t('hours.country')}: ${nameOf(country, countries)}`}>
              {country ? nameOf(country, countries) : t('hours.chooseCountry')}
            </Part>
          )}
          onChange={code => choose(code)}
        />
        {regions.length > 0 && (
          <Picker
            label={t('hours.region')}
            items={[
              { id: wholeCountry, label: t('hours.wholeCountry') },
              ...regions.map(({ code, name }) => ({ id: code, label: name }))
            ]}
            selected={region}
            trigger={trigger => (
              <Part {...trigger} hasChevron aria-label={`${t('hours.region')}: ${nameOf(region, regions)}`}>
                {region ? nameOf(region, regions) : t('hours.wholeCountry')}
              </Part>
            )}
            onChange={code => choose(country, code)}
          />
        )}
        <small>{t('hours.closedAllDay')}</small>
      </div>
      {country === '' ? (
        <div className={styles.suggestFoot}>
          <small>{t('hours.onlyProposals')}</small>
          <Button variant="quiet" onClick={onClose}>
            {t('definition.discard')}
          </Button>
        </div>
      ) : (
        <QueryState query={proposals}>
          {({ days }) => (
            <Proposals
              key={`${country} ${region} ${year}`}
              proposed={days.map(({ date, name }) => ({ date, name, hours: [] }))}
              onClose={onClose}
              {...others}
            />
          )}
        </QueryState>
      )}
    </>
  )
}

interface ProposalsProps extends Omit<SuggestedDaysProps, 'year'> {
  proposed: Day[]
}

function Proposals({ proposed, days, isClosedAnyway, onAdd, onClose }: ProposalsProps) {
  const isThere = (date: string) => days.some(day => day.date === date)
  const [ticked, setTicked] = useState(() => new Set(proposed.map(({ date }) => date).filter(date => !isThere(date))))
  const chosen = proposed.filter(({ date }) => ticked.has(date))

  function toggle(date: string) {
    const next = new Set(ticked)
    if (!next.delete(date)) next.add(date)
    setTicked(next)
  }

  function noteOn(date: string): string {
    if (isThere(date)) return t('hours.isThere')
    return isClosedAnyway(date) ? t('hours.closedAnyway') : ''
  }

  return (
    <>
      <ul className={styles.days}>
        {proposed.map(({ date, name }) => (
          <li key={date} className={styles.suggested}>
            <Checkbox
              hideLabel
              label={`${dayAndDateText(date)}, ${name}`}
              checked={ticked.has(date)}
              disabled={isThere(date)}
              onChange={() => toggle(date)}
            />
            <span className={styles.date}>{dayAndDateText(date)}</span>
            <bdi className={styles.dayName}>{name}</bdi>
            <span className={styles.note}>{noteOn(date)}</span>
          </li>
        ))}
      </ul>
      <div className={styles.suggestFoot}>
        <small>{proposed.length === 0 ? t('hours.noProposals') : t('hours.onlyProposals')}</small>
        <Button variant="quiet" onClick={onClose}>
          {t('definition.discard')}
        </Button>
        <Button variant="primary" disabled={chosen.length === 0} onClick={() => onAdd(chosen)}>
          {t('hours.addDays', { count: chosen.length })}
        </Button>
      </div>
    </>
  )
}
