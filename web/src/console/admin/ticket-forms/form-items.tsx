import { CornerDownRight, Lock } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { t } from '../../../lib/strings.ts'
import { Badge } from '../../../ui/badge.tsx'
import { SegmentedControl } from '../../../ui/form-controls.tsx'
import { AddPart, Operator, Part } from '../../../ui/part.tsx'
import { Picker } from '../../../ui/picker.tsx'
import { toast } from '../../../ui/toast.tsx'
import { kindText } from '../fields/fields.ts'
import { OrderedRows } from '../ordered-rows.tsx'
import { canDecide, choicesOf, type Field, type FormItem, isUnfinished, misplaced, wantedText } from './ticket-form.ts'
import styles from './ticket-forms.module.css'

interface FormItemsProps {
  items: FormItem[]
  fields: Field[]
  /** At the end of the head: for which departments. */
  head: ReactNode
  onChange: (items: FormItem[]) => void
}

/** What a form asks, in its order, among the parts that every form has. Choosing a field opens its line. */
export function FormItems({ items, fields, head, onChange }: FormItemsProps) {
  const id = useId()
  const [chosen, setChosen] = useState<number>()
  const byId = new Map(fields.map(field => [field.id, field]))
  const labelOf = (id: number) => byId.get(id)?.label ?? ''
  const rows = items.map(item => ({ ...item, id: item.field_id, name: labelOf(item.field_id) }))
  const addable = fields.filter(({ id, is_archived }) => !is_archived && !items.some(({ field_id }) => field_id === id))
  const change = (changed: FormItem) =>
    onChange(items.map(item => (item.field_id === changed.field_id ? changed : item)))

  function add(id: number) {
    const required = byId.get(id)?.required_on === 'open' ? 1 : 0
    onChange([...items, { field_id: id, required, show_if: null }])
    setChosen(id)
  }

  /** What depends on a field that goes is shown always. */
  function remove(id: number) {
    onChange(
      items
        .filter(({ field_id }) => field_id !== id)
        .map(item => (item.show_if?.field_id === id ? { ...item, show_if: null } : item))
    )
  }

  async function reorder(ids: number[]) {
    const next = ids.map(id => items.find(({ field_id }) => field_id === id)!)
    const wrong = misplaced(next)
    if (!wrong) return onChange(next)
    const names = { field: labelOf(wrong.field_id), control: labelOf(wrong.show_if?.field_id ?? 0) }
    toast({ text: t('ticket-forms.staysBelow', names), tone: 'bad' })
  }

  return (
    <section className="card" aria-labelledby={id}>
      <div className="hd">
        <h2 id={id} className="grow">
          {t('ticket-forms.askedFor')}
        </h2>
        {head}
      </div>
      <Locked label={t('ticket-forms.subject')} />
      <OrderedRows
        label={t('ticket-forms.askedFor')}
        rows={rows}
        isDraft
        isBare
        aside={({ required }) => required === 1 && <Badge>{t('ticket-forms.needed')}</Badge>}
        menu={row => [{ label: t('ticket-forms.remove'), danger: true, onSelect: () => remove(row.field_id) }]}
        onReorder={reorder}
      >
        {({ id: _, name, ...item }) => (
          <Item
            item={item}
            name={name}
            fields={byId}
            earlier={items.slice(
              0,
              items.findIndex(({ field_id }) => field_id === item.field_id)
            )}
            isOpen={chosen === item.field_id}
            onToggle={() => setChosen(chosen === item.field_id ? undefined : item.field_id)}
            onChange={change}
          />
        )}
      </OrderedRows>
      <Locked label={t('ticket-forms.message')} />
      <Locked label={t('ticket-forms.urgencyAndFiles')} />
      <div className={styles.foot}>
        <Picker
          label={t('ticket-forms.addField')}
          emptyText={t('ticket-forms.noFieldLeft')}
          items={addable.map(({ id, label }) => ({ id, label }))}
          trigger={trigger => <AddPart {...trigger}>{t('ticket-forms.addField')}</AddPart>}
          onChange={add}
        />
        <span className="muted">{t('ticket-forms.looksAbove')}</span>
      </div>
    </section>
  )
}

/** A part that every form has. */
function Locked({ label }: { label: string }) {
  return (
    <div className={styles.locked}>
      <span className="grow">{label}</span>
      {t('ticket-forms.always')}
      <Lock size={14} aria-hidden />
    </div>
  )
}

interface ItemProps {
  item: FormItem
  name: string
  fields: ReadonlyMap<number, Field>
  earlier: readonly FormItem[]
  isOpen: boolean
  onToggle: () => void
  onChange: (item: FormItem) => void
}

function Item({ item, name, fields, earlier, isOpen, onToggle, onChange }: ItemProps) {
  const id = useId()
  const field = fields.get(item.field_id)
  const control = item.show_if ? fields.get(item.show_if.field_id) : undefined
  const controls = earlier.flatMap(({ field_id }) => {
    const field = fields.get(field_id)
    return field && canDecide(field) ? [field] : []
  })
  if (!field) return null
  return (
    <div className={styles.item} data-if={item.show_if ? true : undefined}>
      <button type="button" className={styles.choose} aria-expanded={isOpen} aria-controls={id} onClick={onToggle}>
        {item.show_if && <CornerDownRight size={14} aria-hidden />}
        <span>
          <b>{name}</b>
          <small>
            {control && item.show_if
              ? t('ticket-forms.ifIs', { field: control.label, values: wantedText(control, item.show_if.in) || '…' })
              : kindText(field)}
            {field.is_archived === 1 && ` · ${t('definition.archived')}`}
          </small>
        </span>
      </button>
      {isOpen && (
        <div id={id} className={styles.line}>
          <div className={styles.parts}>
            <span>{t('ticket-forms.show')}</span> <b>{name}</b>
            <Picker
              label={t('ticket-forms.when')}
              items={[
                { id: 0, label: t('ticket-forms.showAlways') },
                ...controls.map(({ id, label }) => ({ id, label: t('ticket-forms.if', { field: label }) }))
              ]}
              selected={item.show_if?.field_id ?? 0}
              trigger={trigger => (
                <Operator {...trigger}>
                  {control ? t('ticket-forms.if', { field: control.label }) : t('ticket-forms.showAlways')}
                </Operator>
              )}
              onChange={id => onChange({ ...item, show_if: id === 0 ? null : { field_id: id, in: [] } })}
            />
            {control && item.show_if && (
              <>
                <span>{t('definition.op.in')}</span>
                <Picker
                  multiple
                  label={t('definition.valueOf', { field: control.label })}
                  items={choicesOf(control)}
                  selected={item.show_if.in}
                  trigger={trigger => (
                    <Part {...trigger} aria-invalid={isUnfinished(item) || undefined}>
                      {wantedText(control, item.show_if!.in) || t('definition.choose')}
                    </Part>
                  )}
                  onChange={wanted => onChange({ ...item, show_if: { field_id: control.id, in: wanted } })}
                />
              </>
            )}
          </div>
          <div className={styles.parts}>
            <span aria-hidden>{t('ticket-forms.needed')}</span>
            <SegmentedControl
              label={t('ticket-forms.neededOf', { field: name })}
              options={[
                { value: '0', label: t('ui.no') },
                { value: '1', label: t(item.show_if ? 'ticket-forms.whenShown' : 'ui.yes') }
              ]}
              value={String(item.required)}
              onChange={value => onChange({ ...item, required: value === '1' ? 1 : 0 })}
            />
          </div>
        </div>
      )}
    </div>
  )
}
