import { useState } from 'react'
import { t } from '../../lib/strings.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Checkbox } from '../../ui/form-controls.tsx'
import { Time } from '../../ui/time.tsx'
import styles from './knowledge.module.css'
import { type Article, authorOf } from './knowledge-base.ts'
import { VersionChanges } from './version-changes.tsx'

interface BothTextsProps {
  theirs: Article['texts'][string]
  mine: { title: string; markdown: string }
  locale: string
  isBusy: boolean
  onSaveOver(): void
  onTakeTheirs(): void
  onClose(): void
}

/** A colleague has saved this text meanwhile: both stand beside each other, and one chooses. Closed, one goes on with one's own. */
export function BothTexts({ theirs, mine, locale, isBusy, onSaveOver, onTakeTheirs, onClose }: BothTextsProps) {
  const [showsChanges, setShowsChanges] = useState(false)
  const texts = [
    { whose: t('knowledge.theirText', { name: authorOf(theirs) }), at: theirs.updated_at, ...theirs },
    { whose: t('knowledge.yourText'), at: undefined, ...mine }
  ]
  return (
    <Dialog
      title={t('knowledge.bothTexts')}
      open
      onClose={onClose}
      size={860}
      footer={
        <>
          <Button onClick={onClose}>{t('knowledge.goOnWriting')}</Button>
          <Button onClick={onTakeTheirs}>{t('knowledge.takeTheirs')}</Button>
          <Button variant="primary" busy={isBusy} onClick={onSaveOver}>
            {t('definition.saveOver')}
          </Button>
        </>
      }
    >
      <Checkbox label={t('knowledge.whatDiffers')} checked={showsChanges} onChange={setShowsChanges} />
      {showsChanges ? (
        <div className={styles.versions} data-columns="one">
          <VersionChanges former={theirs} latter={mine} locale={locale} />
        </div>
      ) : (
        <div className={styles.versions} data-columns="even">
          {texts.map(({ whose, at, title, markdown }) => (
            <section key={whose} aria-label={whose} className={at ? styles.theirs : styles.mine}>
              <h3 className={styles.whose}>
                <span>{whose}</span>
                {at && <Time at={at} />}
              </h3>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must do so by key as well. */}
              <pre lang={locale} dir="auto" tabIndex={0}>{`${title}\n\n${markdown}`}</pre>
            </section>
          ))}
        </div>
      )}
    </Dialog>
  )
}
