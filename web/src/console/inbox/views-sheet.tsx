import { t } from '../../lib/strings.ts'
import { Dialog } from '../../ui/dialog.tsx'
import css from './inbox.module.css'
import { NavViews } from './nav-views.tsx'

/** The views in a sheet over the list, for phones. */
export function ViewsSheet({ onClose }: { onClose(): void }) {
  return (
    <Dialog title={t('inbox.views')} open onClose={onClose}>
      <div className={css.sheet}>
        <NavViews isSheet />
      </div>
    </Dialog>
  )
}
