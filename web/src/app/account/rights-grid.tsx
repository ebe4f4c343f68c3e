import type { BodyOf } from '@deskline/client'
import { Checkbox } from '../../ui/form-controls.tsx'
import styles from './account.module.css'

/** A permission that one may give to a token, and its name. */
export interface Right {
  slug: NonNullable<BodyOf<'/api/account/tokens/create'>['permissions']>[number]
  name: string
  group: string
  /** What it is, in a few words. */
  means: string
  /** Why it cannot be given. */
  missing?: string | undefined
}

interface RightsGridProps {
  rights: readonly Right[]
  chosen: readonly Right['slug'][]
  onChange: (chosen: Right['slug'][]) => void
}

/** Rights to choose from, in their groups. One that cannot be given is grey, and says why. */
export function RightsGrid({ rights, chosen, onChange }: RightsGridProps) {
  return [...new Set(rights.map(({ group }) => group))].map(group => (
    <fieldset key={group} className={styles.rightsGroup}>
      <legend>{group}</legend>
      <div className={styles.rightsGrid}>
        {rights
          .filter(right => right.group === group)
          .map(({ slug, name, means, missing }) => (
            <Checkbox
              key={slug}
              label={name}
              hint={missing ?? means}
              checked={chosen.includes(slug)}
              disabled={missing !== undefined}
              onChange={isOn =>
                onChange(rights.map(right => right.slug).filter(each => (each === slug ? isOn : chosen.includes(each))))
              }
            />
          ))}
      </div>
    </fieldset>
  ))
}
