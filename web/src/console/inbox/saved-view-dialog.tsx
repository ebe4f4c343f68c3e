import { useState } from 'react'
import { post } from '../../app/api-client.ts'
import { useApiQuery } from '../../app/api-queries.ts'
import { failureText } from '../../app/failures.ts'
import { useForm } from '../../app/form.ts'
import { FormDialog } from '../../app/form-dialog.tsx'
import { useMe } from '../../app/me.ts'
import { reloadQueries } from '../../app/reload-queries.ts'
import { useApiMutation } from '../../app/use-api-mutation.ts'
import { t } from '../../lib/strings.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Checkbox } from '../../ui/form-controls.tsx'
import type { MenuItem } from '../../ui/menu.tsx'
import { RowMenu } from '../../ui/table.tsx'
import { toast } from '../../ui/toast.tsx'
import { useNavigate } from '../navigation.ts'
import type { QueueQuery } from './queue-search.ts'
import type { SavedView } from './views.ts'

const listPath = '/api/admin/views/list' as const
const countsPath = '/api/admin/tickets/counts' as const

/** Saves the current filters as a view. */
export function NewViewDialog({ query, onClose }: { query: QueueQuery; onClose(): void }) {
  const navigate = useNavigate()
  async function create(name: string, is_shared: 0 | 1) {
    const data = await post('/api/admin/views/create', { name, query, is_shared })
    void reloadQueries(listPath, countsPath)
    void navigate({ to: '/$view', params: { view: `view-${data.view.id}` } })
    toast({ text: t('views.viewSaved', { name: data.view.name }) })
  }

  return (
    <ViewDialog
      title={t('inbox.newView')}
      name=""
      isShared={false}
      hint={
        query.waiting_since
          ? t('views.momentIsKept', { time: query.waiting_since.slice(0, 16) })
          : t('views.newViewHint')
      }
      onSave={create}
      onClose={onClose}
    />
  )
}

/** The actions on a saved view that this person may use. */
export function SavedViewMenu({
  saved,
  query,
  isNarrowed
}: {
  saved: SavedView
  query: QueueQuery
  isNarrowed: boolean
}) {
  const me = useMe()
  const navigate = useNavigate()
  const [asked, setAsked] = useState<'edit' | 'delete'>()
  const { data } = useApiQuery(listPath)
  const close = () => setAsked(undefined)
  const update = useApiMutation('/api/admin/views/update', {
    changes: [listPath, countsPath],
    onSuccess: ({ view }) => toast({ text: t('views.viewSaved', { name: view.name }) }),
    onError: error => toast({ text: failureText(error), tone: 'bad' })
  })
  const remove = useApiMutation('/api/admin/views/delete', {
    changes: [listPath, countsPath],
    onSuccess: () => {
      close()
      navigate({ to: '/$view', params: { view: 'all' } })
      toast({ text: t('views.viewDeleted', { name: saved.name }) })
    }
  })
  async function rename(name: string, is_shared: 0 | 1) {
    const body = { id: saved.id, name, is_shared, expected_version: saved.version }
    const data = await post('/api/admin/views/update', body)
    void reloadQueries(listPath, countsPath)
    toast({ text: t('views.viewSaved', { name: data.view.name }) })
  }

  if (saved.owner?.id !== me.id && !me.isAdmin) return null

  // Shared and personal views are ordered separately.
  const group = (data?.views ?? []).filter(({ is_shared }) => is_shared === saved.is_shared)
  const at = group.findIndex(({ id }) => id === saved.id)
  const move = (to: SavedView | undefined) => to && update.mutate({ id: saved.id, position: to.position })
  const items: MenuItem[] = [
    ...(isNarrowed
      ? [
          {
            label: t('views.saveFilters'),
            onSelect: () =>
              update.mutate(
                { id: saved.id, query, expected_version: saved.version },
                { onSuccess: () => navigate({ to: '.', search: {} }) }
              )
          }
        ]
      : []),
    { label: t('views.renameView'), onSelect: () => setAsked('edit') },
    ...(group[at - 1] ? [{ label: t('views.moveUp'), onSelect: () => move(group[at - 1]) }] : []),
    ...(group[at + 1] ? [{ label: t('views.moveDown'), onSelect: () => move(group[at + 1]) }] : []),
    { kind: 'separator' },
    { label: t('views.deleteView'), danger: true, onSelect: () => setAsked('delete') }
  ]
  return (
    <>
      <RowMenu items={items} label={t('views.viewActions', { name: saved.name })} />
      {asked === 'edit' && (
        <ViewDialog
          title={t('views.renameView')}
          name={saved.name}
          isShared={saved.is_shared === 1}
          onSave={rename}
          onClose={close}
        />
      )}
      <ConfirmDialog
        open={asked === 'delete'}
        title={t('views.deleteViewTitle', { name: saved.name })}
        text={t(saved.is_shared ? 'views.deleteSharedViewText' : 'views.deleteViewText')}
        confirmLabel={t('views.deleteViewConfirm')}
        keepLabel={t('inbox.keep')}
        busy={remove.isPending}
        error={remove.error && failureText(remove.error)}
        onConfirm={() => remove.mutate({ id: saved.id })}
        onClose={close}
      />
    </>
  )
}

interface ViewDialogProps {
  title: string
  name: string
  isShared: boolean
  hint?: string
  onSave(name: string, isShared: 0 | 1): Promise<unknown>
  onClose(): void
}

function ViewDialog({ title, name, isShared: wasShared, hint, onSave, onClose }: ViewDialogProps) {
  const me = useMe()
  const [isShared, setIsShared] = useState(wasShared)
  const form = useForm({ name }, { missing: t('views.nameMissing') })
  return (
    <FormDialog
      title={title}
      form={form}
      isChanged={isShared !== wasShared}
      saveLabel={t('views.saveView')}
      keepLabel={t('views.cancel')}
      onSave={({ name }) => onSave(name.trim(), isShared ? 1 : 0)}
      onClose={onClose}
    >
      <TextField
        label={t('views.viewName')}
        maxLength={100}
        autoComplete="off"
        {...(hint && { hint })}
        {...form.field('name')}
      />
      {me.can('tickets.view_all') && (
        <Checkbox
          label={t('views.shareView')}
          hint={t('views.shareViewHint')}
          checked={isShared}
          onChange={setIsShared}
        />
      )}
    </FormDialog>
  )
}
