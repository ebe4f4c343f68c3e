import { ChevronRight, Search, TriangleAlert, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useMe } from '../../app/me.ts'
import { t } from '../../lib/strings.ts'
import { IconButton } from '../../ui/button.tsx'
import { Keys } from '../../ui/kbd.tsx'
import { PageTitle } from '../../ui/page.tsx'
import { Link, useNavigate } from '../navigation.ts'
import { type AdminHit, useAdminHits } from './admin-search.ts'
import { useAttention } from './attention.ts'
import { overviewPlace, type Place, placeGroupsFor } from './places.ts'
import { foundAt } from './search-score.ts'
import styles from './side-list.module.css'

/** The pages of the administration in their groups, with a search. On phones it is a page of its own (`isPage`). */
export function SideList({ isPage }: { isPage: boolean }) {
  const me = useMe()
  const [typed, setTyped] = useState('')
  const title = t('admin.administration')
  const findings = useAttention()
  const marks = (place: Place) =>
    place.to === overviewPlace.to ? findings.length : findings.filter(({ page }) => page === place.to).length
  const overview = { ...overviewPlace, to: isPage ? ('/admin/overview' as const) : overviewPlace.to }

  return (
    <nav className={styles.side} aria-label={title} data-page={isPage || undefined}>
      {isPage ? (
        <PageTitle className={styles.title}>{title}</PageTitle>
      ) : (
        <p className={styles.title} aria-hidden>
          {title}
        </p>
      )}
      <SideSearch typed={typed} onType={setTyped} />
      {typed.trim() === '' && (
        <div className={styles.groups}>
          <ul>
            <Item place={overview} marks={marks(overviewPlace)} />
          </ul>
          {placeGroupsFor(me).map(({ label, places }) => (
            <div key={label}>
              <h2 id={label}>{t(label)}</h2>
              <ul aria-labelledby={label}>
                {places.map(place => (
                  <Item key={place.to} place={place} marks={marks(place)} />
                ))}
              </ul>
            </div>
          ))}
        </div>
      )}
    </nav>
  )
}

function Item({ place: { to, label }, marks }: { place: Pick<Place, 'to' | 'label'>; marks: number }) {
  return (
    <li>
      <Link to={to} className={styles.item}>
        <span className="cut">{t(label)}</span>
        <span className={styles.mark}>
          {marks > 0 && (
            <>
              <TriangleAlert size={14} aria-hidden />
              <span className="visually-hidden">{t('admin.needAttention', { count: marks })}</span>
            </>
          )}
        </span>
        <ChevronRight size={16} aria-hidden className={styles.chevron} />
      </Link>
    </li>
  )
}

interface SideSearchProps {
  typed: string
  onType: (typed: string) => void
}

/** Finds pages, settings and definitions. The focus stays in the field; the arrow keys choose. */
function SideSearch({ typed, onType }: SideSearchProps) {
  const id = useId()
  const navigate = useNavigate()
  const field = useRef<HTMLInputElement>(null)
  const hits = useAdminHits(typed)
  const [active, setActive] = useState(0)
  const at = Math.min(active, hits.length - 1)
  const isSearching = typed.trim() !== ''

  useEffect(() => {
    document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, at])

  function type(text: string) {
    onType(text)
    setActive(0)
  }

  function press(event: KeyboardEvent) {
    if (event.key === 'Escape') {
      // The first Esc clears, the second one leaves.
      if (typed) type('')
      else field.current?.blur()
    } else if (event.key === 'ArrowDown') setActive(at >= hits.length - 1 ? 0 : at + 1)
    else if (event.key === 'ArrowUp') setActive(at <= 0 ? hits.length - 1 : at - 1)
    else if (event.key === 'Enter' && hits[at]) {
      void navigate(hits[at].target)
      type('')
    } else return
    event.preventDefault()
  }

  return (
    <>
      <div className={styles.search}>
        <Search size={14} aria-hidden />
        <input
          ref={field}
          type="search"
          role="combobox"
          aria-label={t('admin.searchSettings')}
          placeholder={t('admin.searchSettings')}
          aria-expanded={isSearching}
          aria-controls={`${id}-hits`}
          aria-autocomplete="list"
          aria-activedescendant={hits[at] && `${id}-${at}`}
          autoComplete="off"
          spellCheck={false}
          maxLength={100}
          value={typed}
          onChange={event => type(event.target.value)}
          onKeyDown={press}
        />
        {typed ? (
          <IconButton
            icon={X}
            size={14}
            label={t('admin.clearSearch')}
            onClick={() => {
              type('')
              field.current?.focus()
            }}
          />
        ) : (
          <span className={styles.key} aria-hidden>
            <Keys keys="/" />
          </span>
        )}
      </div>
      <div id={`${id}-hits`} role="listbox" aria-label={t('admin.found')} className={styles.hits} hidden={!isSearching}>
        {hits.map((hit, place) => (
          <Link
            key={hit.id}
            {...hit.target}
            id={`${id}-${place}`}
            role="option"
            tabIndex={-1}
            aria-selected={place === at}
            aria-current={false}
            className={styles.hit}
            onPointerMove={() => place === at || setActive(place)}
            onClick={() => type('')}
          >
            <HitTitle typed={typed} hit={hit} />
            <span>{hit.path}</span>
          </Link>
        ))}
      </div>
      {isSearching && (
        <p className={styles.none} role="status">
          {hits.length > 0 ? t('admin.foundCount', { count: hits.length }) : t('admin.nothingCalledThat')}
        </p>
      )}
    </>
  )
}

function HitTitle({ typed, hit: { title } }: { typed: string; hit: AdminHit }) {
  const found = foundAt(typed, title)
  if (!found) return <b>{title}</b>
  const [from, to] = found
  return (
    <b>
      {title.slice(0, from)}
      <mark>{title.slice(from, to)}</mark>
      {title.slice(to)}
    </b>
  )
}
