import { useState } from 'react'
import { post } from '../../app/api-client.ts'
import { useForm } from '../../app/form.ts'
import { FormDialog } from '../../app/form-dialog.tsx'
import { t } from '../../lib/strings.ts'
import { announce } from '../../ui/announce.ts'
import { Banner } from '../../ui/banner.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { EffectText } from './effect.tsx'
import {
  type Audience,
  audiences,
  type Category,
  categoryOptions,
  type Effect,
  inOrder,
  knowledgeFailureText,
  languageName,
  nameOf,
  reloadKnowledge
} from './knowledge-base.ts'

interface CategoryDialogProps {
  /** The category to change; without it one is added. */
  category?: Category
  categories: Category[]
  languages: string[]
  onClose: () => void
}

/** The names, place and audience of a category. What becomes visible to more or fewer people is shown before it is saved. */
export function CategoryDialog({ category, categories, languages, onClose }: CategoryDialogProps) {
  const [shown, setShown] = useState<{ effect: Effect; of: string }>()
  const form = useForm<Record<string, string>>(
    {
      ...Object.fromEntries(languages.map(locale => [nameField(locale), category?.name[locale] ?? ''])),
      parent: String(category?.parent_id ?? ''),
      audience: category?.audience ?? 'public'
    },
    {
      failureText: knowledgeFailureText,
      check: values => ({
        [nameField(languages[0]!)]:
          languages.every(locale => !values[nameField(locale)]?.trim()) && t('ui.fieldMissing')
      })
    }
  )
  const place = `${form.values.parent} ${form.values.audience}`
  const effect = shown?.of === place ? shown.effect : undefined
  const below = category ? [category.id, ...inOrder(categories, undefined, category.id).map(({ id }) => id)] : []

  async function save(values: Record<string, string>) {
    const names = languages.map(locale => [locale, values[nameField(locale)]!.trim()]).filter(([, name]) => name)
    const body = {
      name: Object.fromEntries(names) as Record<string, string>,
      parent_id: values.parent ? Number(values.parent) : null,
      audience: values.audience as Audience
    }
    if (category) {
      const changes = { ...body, id: category.id, expected_version: category.version }
      if (!effect) {
        const told = await post('/api/admin/kb/categories/update', { ...changes, dry_run: 1 })
        if (told.effect.more_visible + told.effect.less_visible > 0) {
          setShown({ effect: told.effect, of: place })
          return 'stay'
        }
      }
      await post('/api/admin/kb/categories/update', changes)
    } else await post('/api/admin/kb/categories/create', body)
    await reloadKnowledge()
    announce(t('admin.saved'))
  }

  return (
    <FormDialog
      title={category ? t('knowledge.editCategoryTitle', { name: nameOf(category) }) : t('knowledge.newCategory')}
      form={form}
      saveLabel={t(effect ? 'knowledge.changeAnyway' : 'admin.save')}
      keepLabel={t('definition.discard')}
      onSave={save}
      onClose={onClose}
    >
      {languages.map(locale => (
        <TextField
          key={locale}
          label={t('knowledge.nameIn', { language: languageName(locale) })}
          lang={locale}
          dir="auto"
          maxLength={100}
          autoComplete="off"
          {...form.field(nameField(locale))}
        />
      ))}
      <SelectField
        label={t('knowledge.within')}
        options={[
          { value: '', label: t('knowledge.topLevel') },
          ...categoryOptions(categories.filter(({ id }) => !below.includes(id)))
        ]}
        {...form.field('parent')}
      />
      <SelectField
        label={t('knowledge.whoReads')}
        hint={t('knowledge.onlyNarrower')}
        options={audiences.map(value => ({ value, label: t(`knowledge.audience.${value}`) }))}
        {...form.field('audience')}
      />
      {effect && (
        <Banner tone="warn">
          <EffectText effect={effect} />
        </Banner>
      )}
    </FormDialog>
  )
}

function nameField(locale: string): string {
  return `name.${locale}`
}
