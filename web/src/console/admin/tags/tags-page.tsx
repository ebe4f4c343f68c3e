import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useApiQuery } from '../../../app/api-queries.ts'
import { useMe } from '../../../app/me.ts'
import { QueryState } from '../../../app/query-state.tsx'
import { t } from '../../../lib/strings.ts'
import { numberText } from '../../../lib/times.ts'
import { Tag } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import type { MenuItem } from '../../../ui/menu.tsx'
import { StateMessage } from '../../../ui/state-message.tsx'
import { type Column, Table } from '../../../ui/table.tsx'
import { Time } from '../../../ui/time.tsx'
import { AdminPage } from '../admin-page.tsx'
import tables from '../tables.module.css'
import { DeleteTagDialog, type ManagedTag, MergeTagDialog, TagDialog } from './tag-dialogs.tsx'

type Open = { what: 'add' } | { what: 'edit' | 'merge' | 'delete'; tag: ManagedTag }

/** The list of tags. */
export function TagsPage() {
  const me = useMe()
  const mayAdd = me.can('tickets.reply') || me.can('tickets.edit_status')
  const mayChange = me.can('tickets.edit_status')
  const tags = useApiQuery('/api/admin/tags/list', { limit: 1000 })
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const add = (
    <Button variant="primary" icon={Plus} onClick={() => setOpen({ what: 'add' })}>
      {t('admin.addTag')}
    </Button>
  )
  const others = (tag: ManagedTag) => tags.data?.tags.filter(({ id }) => id !== tag.id) ?? []

  return (
    <AdminPage
      title={t('admin.tags')}
      lede={t('admin.tagsLede')}
      actions={mayAdd && tags.data?.tags.length !== 0 && add}
    >
      <QueryState query={tags}>
        {({ tags }) =>
          tags.length === 0 ? (
            <StateMessage title={t('admin.noTags')} text={t('admin.noTagsText')} action={mayAdd && add} />
          ) : (
            <Table
              label={t('admin.tags')}
              columns={columns()}
              rows={tags}
              rowKey={({ id }) => id}
              rowMenuLabel={({ name }) => t('admin.actionsFor', { name })}
              {...(mayChange && { rowMenu: (tag: ManagedTag) => actionsOn(tag, tags.length > 1, setOpen) })}
            />
          )
        }
      </QueryState>
      {mayChange && <p className={tables.hint}>{t('admin.tagsHint')}</p>}
      {open?.what === 'add' && <TagDialog onClose={close} />}
      {open?.what === 'edit' && <TagDialog tag={open.tag} onClose={close} />}
      {open?.what === 'merge' && <MergeTagDialog tag={open.tag} others={others(open.tag)} onClose={close} />}
      {open?.what === 'delete' && <DeleteTagDialog tag={open.tag} onClose={close} />}
    </AdminPage>
  )
}

const columns = (): Column<ManagedTag>[] => [
  { key: 'name', label: t('admin.tag'), cell: ({ name, color }) => <Tag name={name} color={color} /> },
  { key: 'tickets', label: t('admin.tickets'), number: true, cell: ({ ticket_count }) => numberText(ticket_count) },
  { key: 'since', label: t('admin.since'), cell: ({ created_at }) => <Time at={created_at} style="date" /> }
]

function actionsOn(tag: ManagedTag, hasOthers: boolean, open: (open: Open) => void): MenuItem[] {
  return [
    { label: t('admin.renameMore'), onSelect: () => open({ what: 'edit', tag }) },
    {
      label: t('admin.mergeMore'),
      disabledReason: hasOthers ? undefined : t('admin.noOtherTag'),
      onSelect: () => open({ what: 'merge', tag })
    },
    { kind: 'separator' },
    { label: t('admin.deleteMore'), danger: true, onSelect: () => open({ what: 'delete', tag }) }
  ]
}
