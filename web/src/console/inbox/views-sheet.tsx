import { t } from '../../lib/strings.ts'
import { Dialog } from '../../ui/dialog.tsx'
import css from './inbox.module.css'
import { NavViews } from './nav-views.tsx'

/** On a phone, where there is no navigation beside the list: the views, over it. */
export function ViewsSheet({ onClose }: { onClose(): void }) {
  return (
    <Dialog title={t('inbox.views')} open onClose={onClose}>
      <div className={css.sheet}>
        <NavViews isSheet />
      </div>
    </Dialog>
  )
}
